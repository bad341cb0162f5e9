"""Undercroft: 2D dungeon levels from a seed, and their files for Godot, Tiled, LDtk and others.

    import undercroft
    level = undercroft.generate("isaac", seed=7, stage=3)
    undercroft.export(level, ["godot", "png"]).write("build")

Everything public of the packages `generator` (levels) and `exporters` (files) under one name. Importing
this package is cheap: its names, and numpy, are imported when they are first used.

If Python finds another distribution's `generator` or `exporters` first, using any name raises
ImportError, which says where that package is and what to do.
"""

TYPE_CHECKING = False  # as in `typing`, which is slow to import
if TYPE_CHECKING:  # for type checkers and editors
    from exporters import *  # noqa: F403
    from generator import *  # noqa: F403

    __all__: list[str]
else:

    def __getattr__(name: str) -> object:
        """Import a public name when it is first used. Raises ImportError if another package is in the way."""
        from undercroft.packages import own_packages

        packages = own_packages()
        if name == "__all__":
            return sorted(exported for package in packages for exported in package.__all__)
        for package in packages:
            if name in package.__all__:
                return getattr(package, name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__() -> list[str]:
        return __getattr__("__all__")

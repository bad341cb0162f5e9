"""Sphinx's settings for the documentation site; `docs/contributing.md` has the command that builds it."""

import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT / "docs"), str(ROOT), str(ROOT / "exporters" / "public")]

from generator.garbage import collect_rarely  # noqa: E402  # found where the line above says
from generator.version import VERSION  # noqa: E402

collect_rarely()  # a quarter of the time that the site takes to build

# What `pip install` is given on the site: "." in a checkout, or "undercroft" once the package is on an index.
# Pages say `pip install .`; this is the one place that turns all of them into the other form.
install_from = "."

project = "Undercroft"
author = "The Undercroft authors"
release = version = VERSION
root_doc = "index"
exclude_patterns = ["art", "pictures/README.md", "website"]
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx_copybutton", "website"]
suppress_warnings = [
    "misc.highlighting_failure",  # GDScript of Godot 4, and JSON with dots in it: coloured as far as known
]
smartquotes = False  # `--option` in a help text keeps its two hyphens
nitpicky = True
nitpick_ignore_regex = [("py:.*", r"(?!undercroft\.).*")]  # types of numpy, and our own that are not public

myst_heading_anchors = 4  # the same as those that repository viewers give

default_role = "code"  # what one backquote means in a docstring
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
add_module_names = False
python_maximum_signature_line_length = 80  # a longer one has a line for each parameter

html_theme = "furo"
html_title = "Undercroft"
templates_path = ["website/templates"]
html_additional_pages = {"404": "404.html"}
html_static_path = ["website/static"]
html_css_files = ["site.css"]
html_search_scorer = str(ROOT / "docs" / "website" / "scorer.js")
html_use_index = False
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
html_show_search_summary = False  # a page that was opened as a file may not read others
highlight_language = "text"  # of blocks that name none: commands, messages, drawings of folders; not Python
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"
copybutton_exclude = ".linenos, .gp, .go"

"""Enemy kinds: the roster, the `[enemy.NAME]` rows of a kit.

A theme's icon for a kind is `[marker.enemy_NAME]`; otherwise its role's icon, or that of all enemies.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from generator.errors import KitError
from generator.kinds.columns import Column, RowTable, choice, flag, many, name, number

ROLES: tuple[str, ...] = ("walker", "shooter", "flyer", "brute", "turret")
AFAR = frozenset({"shooter", "turret"})  # the roles that need not come near

HABITS: dict[str, str] = {
    "bursts": "leaves a ring of shots when it dies",
    "charges": "runs straight at the player when there is a clear line",
    "flies": "crosses pits and obstacles",
    "hides": "vanishes now and then and cannot be hit meanwhile",
    "leaps": "jumps towards the player",
    "shoots": "shoots at the player",
    "splits": "splits into two other enemies when it dies",
    "sprays": "shoots in all directions",
    "stays": "never leaves its place",
    "summons": "calls other enemies",
    "wanders": "walks about at random",
}
"""The habits of enemies, and their meaning."""

MAX_COST = 12
MAX_CHAPTER = 6


class EnemyKind(NamedTuple):
    """A row of the roster. `ENEMIES` gives the meaning of the keys."""

    name: str
    role: str
    cost: int
    chapter: int = 1
    habits: tuple[str, ...] = ()
    makes: str = ""
    chapters: tuple[str, ...] = ()

    def is_met_in(self, chapter: int, name: str) -> bool:
        """Return whether it appears in the chapter with this number, 1 to 6, and name."""
        return self.chapter <= chapter and (not self.chapters or name in self.chapters)

    @property
    def flies(self) -> bool:
        """Whether it crosses pits."""
        return "flies" in self.habits

    @property
    def hits_from_afar(self) -> bool:
        """Whether it can hit anything in a clear line."""
        return self.role in AFAR or not {"shoots", "sprays"}.isdisjoint(self.habits)


ENEMIES = RowTable(
    "enemy",
    "A kind of enemy.",
    {
        "role": Column(
            choice(*ROLES),
            "a role",
            "which places in layouts it can take: " + ", ".join(ROLES),
        ),
        "cost": Column(
            number(1, MAX_COST),
            f"1 to {MAX_COST}",
            "how much of a room's budget it takes, also as a champion",
        ),
        "chapter": Column(
            number(1, MAX_CHAPTER), f"1 to {MAX_CHAPTER}", "the first chapter in which it appears", 1
        ),
        "chapters": Column(
            many(name), "a list of chapters", "the only chapters in which it appears", (), names="chapter"
        ),
        "habits": Column(
            many(choice(*HABITS)), "a list of habits", "what it does beyond walking up to the player", ()
        ),
        "flies": Column(flag, "`true` or `false`", "the same as the habit `flies`", False),
        "makes": Column(name, "an enemy kind", "the kind that it splits into or summons", "", names="enemy"),
    },
)


def enemy_kind_of(kind: str, row: dict[str, Any], where: str) -> EnemyKind:
    """Build the kind that a row defines. Raises KitError for a role that cannot be used with its habits."""
    flies = row.pop("flies", False) and "flies" not in row.get("habits", ())
    enemy = EnemyKind(kind, **row)
    if flies:
        enemy = enemy._replace(habits=(*enemy.habits, "flies"))
    label = f"{where}: enemy.{kind}"
    if enemy.flies != (enemy.role == "flyer"):
        raise KitError(
            f'{label}.habits: only flyers fly; give role = "flyer" and the habit flies, or neither'
        )
    if ("stays" in enemy.habits) != (enemy.role == "turret"):
        raise KitError(
            f'{label}.habits: only turrets stay; give role = "turret" and the habit stays, or neither'
        )
    if bool(enemy.makes) == {"splits", "summons"}.isdisjoint(enemy.habits):
        raise KitError(f"{label}.makes: belongs to the habits splits and summons; give both or neither")
    return enemy

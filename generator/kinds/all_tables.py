"""All tables of rules in a kit, in the order in which they are explained and checked."""

from __future__ import annotations

from generator.kinds.chapters import CHAPTERS, INJECTIONS
from generator.kinds.columns import RowTable
from generator.kinds.decor_tables import ARRANGEMENTS, DECOR_TABLES
from generator.kinds.gangs import GANGS
from generator.kinds.heap_tables import CROWDS, HALLWAYS, LED
from generator.kinds.rule_tables import BOSS_DRAWS, CARRIED, DIFFICULTY, STATE
from generator.kinds.set_pieces import SET_PIECES
from generator.kinds.special_rooms import SPECIAL_ROOMS

RULE_TABLES: tuple[RowTable, ...] = (
    SPECIAL_ROOMS,
    STATE,
    CHAPTERS,
    DIFFICULTY,
    CARRIED,
    DECOR_TABLES,
    ARRANGEMENTS,
    CROWDS,
    BOSS_DRAWS,
    LED,
    HALLWAYS,
    SET_PIECES,
    INJECTIONS,
    GANGS,
)

"""What may come only in one of several rooms: which room's turn it is."""

from __future__ import annotations

from generator.reasons import passed_over
from generator.rng import name_key


def is_its_turn(table: str, name: str, one_in: int, turn: int) -> bool:
    """Check whether a row may come in the room of a turn, which counts up from room to room.

    Of so many rooms that follow each other, `one_in`, it is the turn of one, another one for each row.
    """
    if one_in == 1 or (turn + name_key(name)) % one_in == 0:
        return True
    return passed_over(table, name, "by its `one_in`, it was another room's turn")

"""Exported files that a person edited, read back: `undercroft import` and `undercroft sync`.

    file ----- read ----> ShownLevel ─┐
                                ├─ compared ──> PersonsEdits ──> edited Level
    level ─ export, read ─> ShownLevel ─┘

The level is exported again as it was, and the same reader reads both. So nothing has to be understood but
what somebody changed.
"""

"""Read back exported files that a person edited: `undercroft import` and `undercroft sync`.

    file ----- read ----> ShownLevel ─┐
                                ├─ compared ──> PersonsEdits ──> edited Level
    level ─ export, read ─> ShownLevel ─┘

The unedited level is exported again, and the same reader reads both files. So only the person's changes
have to be interpreted.
"""

"""Keep people's changes to our files: record what was written last, and decide about changed files.

    files --planned--> a plan: what is written, and what a person has changed --commit--> disk, store

The store (`store.py`) in the folder records what was written there last. The policy (`policy.py`) decides
about each file before any is written. The commit (`commit.py`) writes all files beside their targets,
flushes them, and renames them.
"""

EDITS = ("keep", "merge", "replace", "fail")  # what may be done with a file that somebody changed

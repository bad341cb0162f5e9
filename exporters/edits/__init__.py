"""What people change in our files stays theirs: what we wrote last, and what to do where that was changed.

    files --planned--> a plan: what is written, and what a person has changed --commit--> disk, store

The store (`store.py`) in the folder knows what was written there last. The policy (`policy.py`) decides about
each file before any is written. The commit (`commit.py`) writes all beside their places, flushes them, and
renames them.
"""

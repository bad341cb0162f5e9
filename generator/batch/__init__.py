"""Questions about many levels, and work on many levels: facts, conditions, and runs over processes."""

"""Questions about many levels and work on them: facts, conditions, and runs over processes."""

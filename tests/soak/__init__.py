"""Long sweeps with a ledger: `python -m tests.soak`. See `__main__.py`."""

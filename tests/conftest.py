"""Settings of all tests."""

from __future__ import annotations

from hypothesis import settings

# A test measures no time: a busy machine must not fail it.
settings.register_profile("undercroft", deadline=None)
settings.load_profile("undercroft")

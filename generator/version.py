"""The version, in one place; `pyproject.toml` reads it here."""

VERSION = "0.3.0.dev8"

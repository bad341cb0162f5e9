"""The version, in one place; `pyproject.toml` reads it here."""

VERSION = "0.1.0"

"""Merging what people did to our files."""

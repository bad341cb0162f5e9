"""Furnishes the rooms: takes the empty site of each, and returns its inside."""

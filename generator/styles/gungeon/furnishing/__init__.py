"""Rooms furnished by procedure: for each an empty site goes in, and its inside comes out."""

"""Tests of the comparison of levels."""

"""Algorithms that belong to no style: functions on plain numbers and arrays, each with its source."""

"""Algorithms that do not belong to a style: functions on plain numbers and arrays, each with its source."""

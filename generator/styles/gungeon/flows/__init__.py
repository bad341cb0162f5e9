"""Flows: levels with a plan of rooms and connections, locks and keys, and a proof."""

"""The inside of rooms: pools of hand-made layouts, and how they are chosen and varied."""

"""What is in a room: pools of hand-made layouts, and how they are chosen and varied."""

"""The text of Godot's scenes and resources. Nothing here knows about levels."""

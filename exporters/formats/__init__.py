"""The formats that levels are exported to, each in a module or folder of its own."""

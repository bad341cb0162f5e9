"""Folders of older versions, as teams have them; see `test_upgrade`."""

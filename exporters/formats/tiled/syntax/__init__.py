"""The syntax of Tiled's files: JSON, XML, Lua and packed layers. Nothing here knows about levels."""

"""The syntax of Tiled's files: JSON, XML, Lua, JavaScript, packed layers. Nothing here knows about levels."""

"""Pages for a browser, each one file that asks the network for nothing: galleries of levels, and statistics.

`page` puts a page together and escapes what goes into it; scripts, styles and bodies are files in `assets/`.
"""

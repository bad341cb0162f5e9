"""HTML pages in single files that load nothing from the network: galleries of levels, and statistics.

`page` assembles a page and escapes its contents; scripts, styles and bodies are files in `assets/`.
"""

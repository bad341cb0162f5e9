"""Styles: families of levels, one folder each. `registry` lists them."""

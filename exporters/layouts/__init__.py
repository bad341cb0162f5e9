"""Layouts for people: pictures, contact sheets, and files to draw in."""

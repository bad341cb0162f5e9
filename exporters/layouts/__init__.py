"""Layouts as people see and draw them: pictures, contact sheets, and files to draw in."""

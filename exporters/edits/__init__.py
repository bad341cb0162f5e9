"""What people do to our files, and how it is kept."""

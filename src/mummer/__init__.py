"""mummer."""

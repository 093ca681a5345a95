"""The hot loops of the rasteriser, compiled on first use; each says what happens to one tile or one row."""

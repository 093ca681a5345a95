"""Gaits for any legs, and for bodies with none."""

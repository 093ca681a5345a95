"""The validation grid: every animation on every body, played, measured and shown."""

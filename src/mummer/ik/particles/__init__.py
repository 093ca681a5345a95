"""The particle solver in parts: what is laid out once for a body and its goals, and what runs for every pose."""

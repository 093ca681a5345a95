"""Faces: visemes, action units, emotions and blinks, on morphs of any names or on a jaw alone."""

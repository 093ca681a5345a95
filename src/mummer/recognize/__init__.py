"""From a bare skeleton to an anatomy: names, shape, symmetry and topology, none of which decides alone."""

from mummer.recognize.face import recognize_face
from mummer.recognize.recognize import Recognition, corrections_in, recognize, study

__all__ = ["Recognition", "corrections_in", "recognize", "recognize_face", "study"]

"""From a bare skeleton to an anatomy: names, shape, symmetry and topology, none of which decides alone."""

from mummer.recognition.face import recognize_face
from mummer.recognition.recognize import Recognition, corrections_in, recognize, study
from mummer.recognition.recognized import recognized

__all__ = ["Recognition", "corrections_in", "recognize", "recognize_face", "recognized", "study"]

"""FBX, binary and ASCII: read through ufbx in a child process, assembled here."""

from mummer.io.fbx.read import read

__all__ = ["read"]

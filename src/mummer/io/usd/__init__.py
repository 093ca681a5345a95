"""USD with UsdSkel: read in a child process, written here; the extra ``usd`` brings the library."""

from mummer.io.usd.read import read
from mummer.io.usd.write import write

__all__ = ["read", "write"]

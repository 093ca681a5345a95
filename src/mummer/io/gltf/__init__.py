"""glTF 2.0: .glb, .gltf, VRM 0.x and 1.0, and VRM animation."""

from mummer.io.gltf.read import read
from mummer.io.gltf.write import write

__all__ = ["read", "write"]

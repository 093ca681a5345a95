"""Images: encoded bytes from a buffer view, a data URI or a file beside the document. A missing one is no error."""

from __future__ import annotations

from mummer.errors import FileError
from mummer.io.gltf import buffers
from mummer.io.gltf.fields import Element
from mummer.io.gltf.reading import Reading

SIGNATURES = {b"\x89PNG\r\n\x1a\n": "image/png", b"\xff\xd8\xff": "image/jpeg"}


def media_type(content: bytes) -> str | None:
    """``image/png`` or ``image/jpeg`` by the first bytes, or None."""
    return next((kind for signature, kind in SIGNATURES.items() if content.startswith(signature)), None)


class Images:
    """The images of a document, each fetched when first asked for, all within one limit of bytes."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self._found: dict[int, bytes | None] = {}
        self._bytes = 0

    def of_texture(self, texture: int) -> bytes | None:
        """The PNG or JPEG bytes behind a texture, or None, with a finding, if they cannot be had."""
        source = self._source(texture)
        if source is None:
            return None
        if source not in self._found:
            self._found[source] = self._fetch(source)
        return self._found[source]

    def _source(self, texture: int) -> int | None:
        element = self.reading.element("textures", texture)
        count = self.reading.count("images")
        for holder in (element, element.extension("KHR_texture_basisu"), element.extension("EXT_texture_webp")):
            if holder is not None and "source" in holder:
                return holder.index("source", count, "image")
        return None

    def _fetch(self, index: int) -> bytes | None:
        report = self.reading.report
        try:
            content = self._bytes_of(self.reading.element("images", index))
        except FileError as error:
            report.add("ignored", f"texture {error.place or f'/images/{index}'}: {error.what}")
            return None
        self._bytes += len(content)
        if self._bytes > self.reading.limits.images_bytes:
            report.add("ignored", f"textures beyond {self.reading.limits.images_bytes:,} bytes in all")
            return None
        if media_type(content) is None:
            report.add("ignored", "textures that are neither PNG nor JPEG")
            return None
        return content

    def _bytes_of(self, image: Element) -> bytes:
        view = image.index("bufferView", self.reading.count("bufferViews"), "buffer view")
        if view is not None:
            return bytes(buffers.view(self.reading, view)[0])
        return bytes(buffers.resource(self.reading, image))

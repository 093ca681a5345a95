"""A program of its own that speaks by espeak-ng's library: ``python espeak.py LIBRARY DATA``, a request on its input.

It imports nothing but the standard library. The library keeps its state in globals, ends the process on some faults and
has a licence of its own, so nobody else's process loads it.

The request is a JSON object: ``text``, ``voice``, ``rate`` (words a minute), ``pitch`` (0 to 100). The answer is a line
of JSON, ``{"rate": ..., "events": [[kind, ms, position, length, text], ...]}``, and after it 16-bit samples.
"""

from __future__ import annotations

import ctypes
import json
import sys
from typing import Any

RETRIEVAL, PHONEME_EVENTS, IPA = 1, 1, 2
CHARACTERS, UTF8, END_PAUSE = 1, 1, 0x1000
WORD, SENTENCE, END, PHONEME = 1, 2, 5, 7
KINDS = {WORD: "word", SENTENCE: "sentence", END: "end", PHONEME: "phoneme"}
RATE, PITCH = 1, 3
MOST_SAMPLES = 22050 * 1800
"""Half an hour: nobody speaks longer in one breath, whatever the text says."""


class Id(ctypes.Union):
    """What an event is about."""

    _fields_ = (("number", ctypes.c_int), ("name", ctypes.c_char_p), ("string", ctypes.c_char * 8))


class Event(ctypes.Structure):
    """One moment of the speech, as the library's header declares it."""

    _fields_ = (
        ("type", ctypes.c_int), ("identifier", ctypes.c_uint), ("position", ctypes.c_int), ("length", ctypes.c_int),
        ("milliseconds", ctypes.c_int), ("sample", ctypes.c_int), ("user", ctypes.c_void_p), ("id", Id),
    )  # fmt: skip


CALLBACK = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_short), ctypes.c_int, ctypes.POINTER(Event))


def speak(library: str, data: str, request: dict[str, Any]) -> tuple[int, list[list[Any]], bytes]:
    """Samples a second, events and samples of what is said."""
    espeak = ctypes.CDLL(library)
    rate = espeak.espeak_Initialize(RETRIEVAL, 0, data.encode(), PHONEME_EVENTS | IPA)
    if rate <= 0:
        raise OSError("the voices of espeak-ng cannot be read")
    voice, plus, variant = str(request["voice"]).partition("+")
    # A region that the library has no voice for is spoken in the language: en-gb as en.
    names = [f"{name}{plus}{variant}" for name in (voice, voice.split("-")[0])]
    if all(espeak.espeak_SetVoiceByName(name.encode()) != 0 for name in names):
        raise LookupError(request["voice"])
    espeak.espeak_SetParameter(RATE, int(request["rate"]), 0)
    espeak.espeak_SetParameter(PITCH, int(request["pitch"]), 0)
    events: list[list[Any]] = []
    chunks: list[bytes] = []
    total = 0

    def heard(samples: Any, count: int, found: Any) -> int:
        nonlocal total
        if count > 0:
            chunks.append(ctypes.string_at(samples, 2 * count))
            total += count
        row = 0
        while found[row].type != 0:
            event = found[row]
            if event.type in KINDS:
                said = event.id.string.decode("utf-8", "ignore") if event.type == PHONEME else ""
                events.append([KINDS[event.type], event.milliseconds, event.position, event.length, said])
            row += 1
        return int(total > MOST_SAMPLES)

    callback = CALLBACK(heard)
    espeak.espeak_SetSynthCallback(callback)
    text = str(request["text"]).encode()
    espeak.espeak_Synth(text, len(text) + 1, 0, CHARACTERS, 0, UTF8 | END_PAUSE, None, None)
    espeak.espeak_Synchronize()
    return rate, events, b"".join(chunks)


def main() -> int:
    """Answer one request."""
    request = json.load(sys.stdin.buffer)
    out = sys.stdout.buffer
    try:
        rate, events, samples = speak(sys.argv[1], sys.argv[2], request)
    except LookupError:
        out.write(json.dumps({"unknown": request["voice"]}).encode() + b"\n")
        return 0
    out.write(json.dumps({"rate": rate, "events": events}).encode() + b"\n" + samples)
    return 0


if __name__ == "__main__":
    sys.exit(main())

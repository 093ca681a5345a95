"""How well recordings are aligned to their transcripts: ``python -m tests.behavior.alignment DATA``.

The times of each phone are compared with those that came with the recording; phones are paired by the class of their
sound, in order, with a table of the judge's own. All shared recordings were seen while the aligner was made.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from difflib import SequenceMatcher
from pathlib import Path

import numpy as np

from mummer.behavior.speech import align, read_wav

CLASSES = {
    "lips": "m b p BMP", "teeth": "f v F", "tongue": "θ ð dh th D T Th", "hiss": "s z Z",
    "hush": "ʃ ʒ sh tʃ dʒ Sh ch jh j y", "stop": "t d ɾ dx n l nn L D t dx", "back": "k ɡ g ŋ ng Kg",
    "r": "ɹ r R er ɚ ɝ Er ɜː",    "breath": "h hh H", "round": "w W u uː uw ʊ uh U O o oʊ ow Ow ɔ ɔː ao əʊ",
}  # fmt: skip
BY_LABEL = {label: name for name, labels in CLASSES.items() for label in labels.split()}
TIERS = ("phone", "phons", "phonemes", "phones", "visemes")


def sound_class(label: str) -> str:
    return BY_LABEL.get(label) or BY_LABEL.get(label[:1]) or "vowel"


def errors(data: Path) -> Iterator[tuple[str, list[float], int]]:
    """Of each recording: seconds by which the starts of phones are late, and how many phones there are."""
    for entry in json.loads((data / "speech" / "speech.json").read_text()):
        made = align(read_wav(data / "speech" / entry["audio"]), entry["transcript"])
        tier = next(entry["tiers"][name] for name in TIERS if name in entry["tiers"])
        theirs = [row for row in tier if row[2] not in ("", "_", "sil")]
        pairs = SequenceMatcher(None, [sound_class(row[2]) for row in theirs],
                                [sound_class(phone.symbol) for phone in made.phones], autojunk=False)  # fmt: skip
        late = [made.phones[block.b + row].start - theirs[block.a + row][0]
                for block in pairs.get_matching_blocks() for row in range(block.size)]  # fmt: skip
        yield entry["id"], late, len(theirs)


def main(data: str) -> int:
    everything: list[float] = []
    for name, late, count in errors(Path(data)):
        everything += late
        print(f"{name:28} {len(late):3} of {count:3} phones paired, within 40 ms "
              f"{np.mean(np.abs(late) < 0.04):4.0%}, middle {1000 * np.median(np.abs(late)):3.0f} ms")  # fmt: skip
    off = np.abs(everything)
    print(f"all: {len(off)} phones, within 20 ms {np.mean(off < 0.02):.0%}, 40 ms {np.mean(off < 0.04):.0%}, 60 ms "
          f"{np.mean(off < 0.06):.0%}, middle {1000 * np.median(off):.0f} ms")  # fmt: skip
    return int(np.mean(off < 0.04) < 0.8)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

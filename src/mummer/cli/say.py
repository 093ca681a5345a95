"""``mummer say``: a body speaks, with lips, face, gaze and gestures."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from mummer.cli.ranges import MOST_RATE, picture_size, require_between
from mummer.cli.subjects import SUBJECT_HELP
from mummer.cli.watching import drawing, waiting
from mummer.cli.writing import FORCE, require_format, require_writable

if TYPE_CHECKING:
    from mummer.behavior.speech import Said, Utterance

WAV, PICTURE, VIDEOS = ".wav", ".png", (".mp4", ".gif")
RATE, FILE_RATE, SHEET_FRAMES, SIZE, VIEW = 30.0, 60.0, 16, (640, 640), "front"
NO_MORPHS = (".bvh",)
"""Formats that hold joints alone: there the jaw speaks."""


def say(
    body: str = typer.Argument(..., help=SUBJECT_HELP, metavar="BODY"),
    text: str = typer.Argument("", help="What to say; of a recording, its transcript.", metavar="TEXT"),
    voice: str = typer.Option("en-us", help="A voice or language of espeak-ng: en-gb, de, fr, en-us+f3 ..."),
    pace: float = typer.Option(160.0, help="Words a minute."),
    pitch: float = typer.Option(50.0, help="Where the voice lies, 0 to 100."),
    audio: Path = typer.Option(None, help="A recording (.wav) in place of the voice.", metavar="FILE"),
    times: Path = typer.Option(
        None, help="Times of its phones (.TextGrid .lab .bml); aligned to TEXT if not given.", metavar="FILE"
    ),
    emotion: str = typer.Option("", help="What the face shows meanwhile: joy, sadness, anger, surprise ..."),
    look_at: str = typer.Option("", help="What it looks at, metres; somebody in front if not given.", metavar="X,Y,Z"),
    gestures: bool = typer.Option(True, help="Let hands beat with the words that are stressed."),
    output: Path = typer.Option(
        None,
        "--output",
        "-o",
        help="What to write: .mp4 a film with sound, .glb .bvh ... motion and a .wav beside it, "
        ".wav, .png a sheet of mouths.",
    ),
    rate: float = typer.Option(None, help="Frames a second of what is written.", show_default=False),
    focus: str = typer.Option("", help="The part that fills the picture, such as head; all of the body with 'all'."),
    view: str = typer.Option(VIEW, help="Where pictures are taken from, such as front or side."),
    size: str = typer.Option("", "--size", help="Of one picture, such as 640x480.", metavar="WxH"),
    force: bool = FORCE,
    json: bool = typer.Option(False, "--json", help="Print what was done as one JSON object."),
) -> None:
    """Let a body speak: voice, lips, face, gaze and gestures.

    A face of morphs speaks with its lips, one without with its jaw, and a body without a mouth with its head.

    \b
    Examples:
      mummer say zoo:dragon "Good evening." -o hello.mp4
      mummer say hero.vrm "Guten Abend!" --voice de --emotion joy -o hello.glb
      mummer say zoo:adult --audio line.wav --times line.TextGrid -o line.mp4
      mummer say zoo:adult "that's good" --audio good.wav -o good.mp4
    """  # fmt: skip
    pictures: dict[str, Any] = {"view": view, "size": SIZE, **picture_size(size)}
    place = _check(body, output, rate, look_at, pictures, [audio, times], force=force)
    with waiting(quiet=json) as say_so:
        from mummer.behavior.speech import say as speak
        from mummer.behavior.speech import utterance_of, write_wav
        from mummer.cli.perform import known_body

        say_so("speaking")
        utterance = utterance_of(text, voice=voice, rate=pace, pitch=pitch, audio=audio, times=times)
        say_so(f"loading {body}")
        character = known_body(body)
        say_so("acting")
        suffix = "" if output is None else output.suffix.lower()
        fps = rate or (RATE if suffix in (*VIDEOS, PICTURE) else FILE_RATE)
        said = speak(character, utterance, emotion=emotion, look_at=place, gestures=gestures,
                     morphs=suffix not in NO_MORPHS, rate=fps)  # fmt: skip
        if output is not None and suffix not in VIDEOS:
            say_so(f"writing {output}")
            if suffix == PICTURE:
                _sheet(said, output, focus, pictures)
            elif suffix != WAV:
                said.clip.save(output)
        wav = None if output is None or suffix in (PICTURE, *VIDEOS) else output.with_suffix(WAV)
        if wav is not None:
            write_wav(wav, said.audio)
    if output is not None and suffix in VIDEOS:
        _film(said, output, fps, focus, pictures, quiet=json)
    _tell(said, body, output, wav, as_json=json)


def _check(
    body: str,
    output: Path | None,
    rate: float | None,
    look_at: str,
    pictures: dict[str, Any],
    inputs: list[Path | None],
    *,
    force: bool,
) -> tuple[float, float, float] | None:
    """Raise for whatever could not be done, before a body is built."""
    from mummer.cli.perform import point_of
    from mummer.render.options import Options

    if output is not None and output.suffix.lower() != WAV:
        require_format(output, PICTURE, *VIDEOS)
    sources = [str(each) for each in inputs if each is not None]
    for target in (output, None if output is None else output.with_suffix(WAV)):
        require_writable(target, body, *sources, force=force)
    require_between("--rate", rate, 0, MOST_RATE, unit="frames a second")
    Options(**pictures)
    return point_of(look_at, "--look-at") if look_at else None


def _options(said: Said, focus: str, pictures: dict[str, Any]) -> dict[str, Any]:
    """How pictures are taken: of the head, if nothing else is said and there is one."""
    anatomy = said.clip.body.anatomy
    if not focus and anatomy is not None and anatomy.capabilities.get("head"):
        focus = "head"
    return {**pictures, **({} if focus in ("", "all") else {"focus": focus})}


def _sheet(said: Said, output: Path, focus: str, pictures: dict[str, Any]) -> None:
    """A picture for each phone, or for as many as there is room for."""
    import numpy as np

    from mummer.render import contact_sheet, save_png

    middles = [said.start + 0.5 * (phone.start + phone.end) for phone in said.utterance.phones]
    rows = np.unique(np.linspace(0, len(middles) - 1, min(SHEET_FRAMES, len(middles))).round().astype(int))
    chosen = _options(said, focus, pictures)
    save_png(contact_sheet(said.clip, views=chosen.pop("view"), times=np.array(middles)[rows], **chosen), output)


def _film(said: Said, output: Path, fps: float, focus: str, pictures: dict[str, Any], *, quiet: bool) -> None:
    import tempfile

    from mummer.behavior.speech import write_wav
    from mummer.render import save_video

    with drawing(quiet=quiet) as progress, tempfile.TemporaryDirectory(prefix="mummer-") as folder:
        heard = None if output.suffix.lower() == ".gif" else Path(folder) / "speech.wav"
        if heard is not None:
            write_wav(heard, said.audio)
        save_video(output, said.clip, fps=fps, progress=progress, audio=heard, **_options(said, focus, pictures))


def _tell(said: Said, body: str, output: Path | None, wav: Path | None, *, as_json: bool) -> None:
    from mummer.cli.telling import finding_rows, say_findings, say_json

    if as_json:
        say_json({
            "body": body, "duration": said.clip.duration, "start": said.start, **times_of(said.utterance),
            "target": None if output is None else str(output), "audio": None if wav is None else str(wav),
            "findings": finding_rows(said.report),
        })  # fmt: skip
        return
    wrote = "" if output is None else f", wrote {' and '.join(dict.fromkeys(str(p) for p in (output, wav) if p))}"
    words = " ".join(word.text for word in said.utterance.words)
    typer.echo(f"{body} says {words!r}: {said.clip.duration:.2f} s{wrote}")
    for word in said.utterance.words:
        own = [p.symbol for p in said.utterance.phones if word.start <= 0.5 * (p.start + p.end) < word.end]
        typer.echo(f"  {said.start + word.start:6.2f} s  {word.text:<16} {' '.join(own)}")
    say_findings(said.report)


def times_of(utterance: Utterance) -> dict[str, Any]:
    """Phones, words and marks as plain data; seconds from the start of the speech."""
    return {
        "phones": [[phone.start, phone.end, phone.symbol] for phone in utterance.phones],
        "words": [[word.start, word.end, word.text] for word in utterance.words],
        "marks": dict(utterance.marks),
    }

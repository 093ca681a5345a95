"""Scripts as text: actions made of poses, and who does them when.

    script hello
    action greet                       # a definition: structure and properties
      pose
        SetDOFValue {right_upper_arm sway} ABS 1.2
        SetDuration ABS 0.6
      cycle 2
        pose
          SetDOFValue {right_elbow bend} ABS 0.6
        pose
          SetDOFValue {right_elbow bend} ABS 0.2
    track arms
      do greet
      space 0.5
      play wave as goodbye             # an animation that ships, or a gait, read back into poses
    track head
      do nod
    link greet nod                     # nod begins at the same point of greet, whatever becomes of it
    edits
      SetDuration {greet} REL 1.2

How far lines are set in does not matter. A property within an action belongs to what was begun last; braces then name a
degree of freedom. Under `edits` they address any node, as in sketches.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from mummer.errors import MummerError, UnknownNameError
from mummer.script.action import Action, Addressed, Cycle, Entry, PoseNode, Said, Script
from mummer.script.dofs import Dofs, split_name
from mummer.script.plan import SPACERS
from mummer.script.sketch import KNOWN_AXES, LIBRARY, PropertyReader
from mummer.script.words import Line, Word, lines_of, number_of, read_text

SCRIPTS = LIBRARY / "scripts"
ENDING = ".script"
MOST_TIMES, MOST_POSES, LONGEST_SPACE = 1000, 5000, 600.0
DEEPEST = 4
"""How many files may fetch actions from one another."""


@dataclass(eq=False)
class _Node:
    """What is being read: said at a level, with what is below."""

    said: list[Said] = field(default_factory=list)
    entries: dict[str, list[Said]] = field(default_factory=dict)
    below: list[_Node] = field(default_factory=list)
    times: int = 1


@dataclass(frozen=True, eq=False)
class ScriptText:
    """A script as it is written, for no body yet.

    Attributes:
        name: of the script.
        tracks: for each track, what is done: an action, or a motion to play with its options.
        edits, links: see `Script`.
    """

    name: str
    tracks: tuple[tuple[str, tuple[Action | Playing, ...]], ...]
    edits: tuple[Addressed, ...]
    links: tuple[tuple[str, str], ...]

    def on(self, dofs: Dofs) -> Script:
        """The script for a body: motions are performed and read back into actions."""
        tracks = []
        for name, doings in self.tracks:
            done = tuple(each.on(dofs) if isinstance(each, Playing) else each for each in doings)
            tracks.append((name, done))
        return Script(self.name, tuple(tracks), self.edits, self.links)


@dataclass(frozen=True)
class Playing:
    """A motion that ships, to be performed by whoever the script is for.

    Attributes:
        animation: its name.
        name: what the action is called.
        options: of `mummer.perform`: ``variant``, ``target``.
        where: file and line.
    """

    animation: str
    name: str
    options: tuple[tuple[str, Any], ...] = ()
    where: str = ""

    def on(self, dofs: Dofs) -> Action:
        """The motion on a body, read back."""
        from mummer.engine import perform
        from mummer.script.reading import read_clip

        clip = perform(dofs.character, self.animation, **dict(self.options))
        return read_clip(dofs, clip, self.name)


@cache
def script_names() -> tuple[str, ...]:
    """The scripts that ship."""
    return tuple(sorted(path.stem for path in SCRIPTS.glob(f"*{ENDING}")))


def load_script(given: str | Path) -> ScriptText:
    """The script that ships under a name, or that a file holds.

    Raises:
        UnknownNameError: if there is none, with the closest.
        MalformedFileError: with file, line and column.

    Example:
        >>> load_script("reach_inspect_show").name
        'reach_inspect_show'
    """
    path = Path(given)
    if path.suffix != ENDING:
        if str(given) not in script_names():
            raise UnknownNameError("mummer", "script", str(given), script_names())
        path = SCRIPTS / f"{given}{ENDING}"
    return script_from_text(read_text(path, "a script"), path)


def script_from_text(text: str, path: Path | None = None) -> ScriptText:
    """The script that a text says.

    Raises:
        MalformedFileError: with file, line and column.
    """
    return _Reader(path).read(text)


class _Reader:
    def __init__(self, path: Path | None, depth: int = 0) -> None:
        self.path, self.depth = path, depth
        self.properties = PropertyReader(path)
        self.name = path.stem if path else "script"
        self.defined: dict[str, Action] = {}
        self.tracks: list[tuple[str, list[Action | Playing]]] = []
        self.edits: list[Addressed] = []
        self.links: list[tuple[Line, str, str]] = []
        self.open: tuple[str, _Node] | None = None
        self.editing = False
        self.poses = 0

    def read(self, text: str) -> ScriptText:
        for line in lines_of(text, self.path):
            self._take(line)
        self._close()
        self.properties.finish()
        names = {each.name for _, track in self.tracks for each in track}
        for line, *pair in self.links:
            for place, name in enumerate(pair, 1):
                if name not in names:
                    line.fail(str(UnknownNameError("this script", "action", name, names)), line.words[place])
        tracks = tuple((name, tuple(doings)) for name, doings in self.tracks)
        return ScriptText(self.name, tracks, tuple(self.edits), tuple((one, two) for _, one, two in self.links))

    def _take(self, line: Line) -> None:
        first = line.words[0]
        known = {
            "script": self._script, "actions": self._fetch, "action": self._action, "cycle": self._cycle,
            "pose": self._pose, "track": self._track, "do": self._do, "play": self._play, "space": self._space,
            "link": self._link, "edits": self._edits,
        }  # fmt: skip
        if first.text in known:
            known[first.text](line)
        elif self.editing:
            if not self.properties.takes(line):
                self.edits.append(self.properties.addressed(line))
        elif first.text == "properties":
            self.properties.takes(line)
        elif first.text[:1].isupper():
            self._property(line)
        else:
            line.fail(str(UnknownNameError("a script", "word", first.text, known)), first)

    def _script(self, line: Line) -> None:
        self.name = self._word(line, "the name of the script")

    def _word(self, line: Line, what: str) -> str:
        if len(line.words) != 2 or line.words[1].text in "{}":
            line.fail(f"expected {what}", line.words[min(2, len(line.words) - 1)] if len(line.words) > 2 else None)
        return line.words[1].text

    def _fetch(self, line: Line) -> None:
        self._close()
        name = self._word(line, "the file that defines actions")
        path = (self.path.parent if self.path else Path()) / name
        if self.depth >= DEEPEST:
            line.fail("files fetch actions from files too deep; expected them nearer", line.words[1])
        if not path.is_file():
            line.fail(f"there is no file {name!r}", line.words[1])
        reader = _Reader(path, self.depth + 1)
        reader.read(read_text(path, "a file of actions"))
        self.defined |= reader.defined

    def _action(self, line: Line) -> None:
        self._close()
        name = self._word(line, "the name of the action")
        if name in self.defined:
            line.fail(f"there are two actions {name!r}; expected names of their own", line.words[1])
        self.open = (name, _Node())

    def _within(self, line: Line) -> _Node:
        if self.open is None:
            line.fail(f"{line.words[0].text} stands outside an action; expected 'action NAME' before", line.words[0])
        return self.open[1]

    def _cycle(self, line: Line) -> None:
        action = self._within(line)
        times = number_of(line.words[1].text, {}) if len(line.words) == 2 else 1.0 if len(line.words) == 1 else None
        if times is None or not 1 <= times <= MOST_TIMES or times != int(times):
            line.fail(f"expected how often, from 1 to {MOST_TIMES}", line.words[1])
        action.below.append(_Node(times=int(times)))

    def _pose(self, line: Line) -> None:
        action = self._within(line)
        if len(line.words) > 1:
            line.fail("expected nothing behind pose", line.words[1])
        if not action.below:
            action.below.append(_Node())
        action.below[-1].below.append(_Node())
        self.poses += 1

    def _property(self, line: Line) -> None:
        node, level = self._within(line), 0
        while node.below and (level < 2):
            node, level = node.below[-1], level + 1
        words, dof = list(line.words[1:]), ""
        if words and words[0].text == "{":
            close = next((place for place, word in enumerate(words) if word.text == "}"), None)
            if close is None or close not in (2, 3):
                line.fail("expected a degree of freedom in braces, as in {left_elbow bend}", words[0])
            dof, words = " ".join(word.text for word in words[1:close]), words[close + 1 :]
            self._check_dof(line, dof, line.words[2])
        value = self.properties.value(line, words)
        said = Said(value, "action", 3 if dof else level, dof, line.where())
        if dof and level == 2:
            node.entries.setdefault(dof, []).append(said)
        else:
            node.said.append(said)

    def _check_dof(self, line: Line, dof: str, word: Word) -> None:
        axis = split_name(dof)[1]
        if axis is not None and axis not in KNOWN_AXES:
            line.fail(f"{dof!r} names no axis; expected bend, sway or twist, or x, y or z", word)

    def _close(self) -> None:
        if self.open is not None:
            name, node = self.open
            self.defined[name] = _action_of(name, node)
            self.open = None

    def _track(self, line: Line) -> None:
        self._close()
        self.editing = False
        self.tracks.append((self._word(line, "the name of the track"), []))

    def _current(self, line: Line) -> list[Action | Playing]:
        self._close()
        if not self.tracks:
            line.fail(f"{line.words[0].text} stands outside a track; expected 'track NAME' before", line.words[0])
        return self.tracks[-1][1]

    def _do(self, line: Line) -> None:
        track, words = self._current(line), line.words
        if len(words) < 2:
            line.fail("expected the name of an action")
        action = self.defined.get(words[1].text)
        if action is None:
            line.fail(str(UnknownNameError("this script", "action", words[1].text, self.defined)), words[1])
        rest = {words[place].text: words[place + 1] for place in range(2, len(words) - 1, 2)}
        wrong = next((word for word in words[2::2] if word.text not in ("as", "times")), None)
        if wrong is not None or len(words) % 2:
            line.fail("expected 'do NAME', 'as NAME' or 'times 3' behind it", wrong)
        times = number_of(rest["times"].text, {}) if "times" in rest else 1.0
        if times is None or not 1 <= times <= MOST_TIMES or times != int(times):
            line.fail(f"expected how often, from 1 to {MOST_TIMES}", rest["times"])
        self.poses += int(times) * sum(1 for _ in action.poses())
        if self.poses > MOST_POSES:
            line.fail(f"more than {MOST_POSES:,} poses in all; expected fewer", words[0])
        name = rest["as"].text if "as" in rest else action.name
        track.append(Action(name, action.cycles * int(times), action.said))

    def _play(self, line: Line) -> None:
        from mummer.general import load_animation
        from mummer.general.gait import style_names

        track, words = self._current(line), line.words
        if len(words) < 2:
            line.fail("expected the name of an animation")
        if words[1].text not in style_names():
            try:
                load_animation(words[1].text)
            except MummerError as error:
                line.fail(str(error), words[1])
        name, options, place = words[1].text, dict[str, Any](), 2
        while place < len(words):
            word = words[place]
            if word.text in ("as", "with") and place + 1 < len(words):
                if word.text == "as":
                    name = words[place + 1].text
                else:
                    options["variant"] = words[place + 1].text
                place += 2
            elif word.text == "toward" and place + 3 < len(words):
                numbers = [number_of(each.text, {}) for each in words[place + 1 : place + 4]]
                if None in numbers:
                    line.fail("expected three numbers behind toward", words[place + 1])
                options["target"] = tuple(numbers)
                place += 4
            else:
                line.fail("expected 'as NAME', 'with PART' or 'toward X Y Z'", word)
        track.append(Playing(words[1].text, name, tuple(options.items()), line.where()))

    def _space(self, line: Line) -> None:
        from mummer.script.properties.set_duration import SetDuration

        track = self._current(line)
        seconds = number_of(line.words[1].text, {}) if len(line.words) == 2 else None
        if seconds is None or not 0.0 < seconds <= LONGEST_SPACE:
            line.fail(f"expected seconds, more than 0 and at most {LONGEST_SPACE:g}", line.words[-1])
        said = (Said(SetDuration("ABS", seconds)),)
        track.append(Action("space", (Cycle((PoseNode((Entry(SPACERS),)),)),), said))

    def _link(self, line: Line) -> None:
        self._close()
        if len(line.words) != 3:
            line.fail("expected the names of two actions", line.words[0])
        self.links.append((line, line.words[1].text, line.words[2].text))

    def _edits(self, line: Line) -> None:
        self._close()
        if len(line.words) > 1:
            line.fail("expected nothing behind edits", line.words[1])
        self.editing = True


def _action_of(name: str, node: _Node) -> Action:
    cycles = []
    for cycle in node.below:
        poses = []
        for pose in cycle.below:
            entries = tuple(Entry(dof, tuple(said)) for dof, said in pose.entries.items())
            poses.append(PoseNode(entries, tuple(pose.said)))
        cycles.append(Cycle(tuple(poses), tuple(cycle.said), cycle.times))
    return Action(name, tuple(cycles), tuple(node.said))

"""What a realiser reports: predictions, progress and warnings, as JSON and as the XML of BML 1.0."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from mummer.bml.kinds import POINTS

NAMESPACE = "http://www.bml-initiative.org/bml/bml-1.0"


@dataclass(frozen=True)
class Warned:
    """Something that is not as it should be.

    Attributes:
        type: of BML 1.0, such as ``IMPOSSIBLE_TO_SCHEDULE``, or one of ours.
        text: one line for people.
        behavior: which; empty if it is about the whole block.
    """

    type: str
    text: str
    behavior: str = ""


@dataclass(frozen=True)
class Feedback:
    """One report.

    Attributes:
        kind: ``prediction``, ``progress`` or ``warning``.
        block: of which block.
        character: who does it.
        behavior: of which behaviour; empty for the block itself.
        sync: which moment of it; empty for warnings.
        time: seconds after the start of the block.
        global_time: seconds on the clock of the realiser.
        type: of a warning; of a prediction the kind of the behaviour.
        text: of a warning.
    """

    kind: str
    block: str
    character: str = ""
    behavior: str = ""
    sync: str = ""
    time: float = 0.0
    global_time: float = 0.0
    type: str = ""
    text: str = ""

    def facts(self) -> dict[str, Any]:
        """As plain data, for JSON; what is not said is null."""
        facts: dict[str, Any] = {
            "kind": self.kind, "block": self.block, "behavior": self.behavior or None, "sync": self.sync or None,
            "time": round(self.time, 6), "globalTime": round(self.global_time, 6), "character": self.character or None,
        }  # fmt: skip
        if self.type:
            facts["type"] = self.type
        if self.text:
            facts["text"] = self.text
        return facts

    def xml(self) -> str:
        """As an element of BML 1.0."""
        who = f"xmlns={quoteattr(NAMESPACE)}" + (f" characterId={quoteattr(self.character)}" if self.character else "")
        at = f"globalTime={quoteattr(_number(self.global_time))}"
        if self.kind == "warning":
            name = f"{self.block}:{self.behavior}" if self.behavior else self.block
            about = f"{who} id={quoteattr(name)} type={quoteattr(self.type)}"
            return f"<warningFeedback {about}>{escape(self.text)}</warningFeedback>"
        if self.kind == "prediction":
            return predictions_xml([self])
        if not self.behavior:
            return f"<blockProgress {who} id={quoteattr(f'{self.block}:{self.sync}')} {at}/>"
        name = f"{self.block}:{self.behavior}:{self.sync}"
        return f"<syncPointProgress {who} id={quoteattr(name)} time={quoteattr(_number(self.time))} {at}/>"


def predictions_xml(reports: Iterable[Feedback]) -> str:
    """One ``predictionFeedback`` for the predictions of blocks: of each block itself, and of each of its behaviours."""
    reports = list(reports)
    told: dict[tuple[str, str], list[Feedback]] = {}
    for each in reports:
        told.setdefault((each.block, each.behavior), []).append(each)
    inner = []
    for (block, behavior), said in told.items():
        if not behavior:
            times = [f"global{each.sync.title()}={quoteattr(_number(each.global_time))}" for each in said]
            inner.append(f"<bml id={quoteattr(block)} {' '.join(times)}/>")
            continue
        times = [f"{each.sync}={quoteattr(_number(each.time))}" for each in said if each.sync in POINTS]
        marks = [
            f"<sync id={quoteattr(each.sync)} time={quoteattr(_number(each.time))}/>"
            for each in said if each.sync not in POINTS
        ]  # fmt: skip
        opening = f"{said[0].type} id={quoteattr(f'{block}:{behavior}')} {' '.join(times)}"
        inner.append(f"<{opening}>{''.join(marks)}</{said[0].type}>" if marks else f"<{opening}/>")
    who = next((f" characterId={quoteattr(each.character)}" for each in reports if each.character), "")
    return f"<predictionFeedback xmlns={quoteattr(NAMESPACE)}{who}>{''.join(inner)}</predictionFeedback>"


def _number(value: float) -> str:
    return f"{value:.6f}".rstrip("0").rstrip(".")

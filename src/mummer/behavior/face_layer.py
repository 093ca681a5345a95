"""The layer of the face: expressions that behaviours show, on what morphs and joints the body has for them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from mummer.behavior.face.fitted import face_of
from mummer.behavior.face.life import Life
from mummer.behavior.posed import Posed
from mummer.character import Character
from mummer.kernels.vectors import about, smooth_step


class FaceLayer:
    """Shows expressions by their names, see `mummer.character.face.FACE_NAMES`.

    Attributes:
        map: what moves the face, with the nearest it has for what it lacks.
        amounts: what is shown in this step, 0 to 1; forgotten after it.
        life: what the face does by itself; None for one that stands still.
        talking: whether somebody speaks with this face in this step; forgotten after it.
    """

    def __init__(self, character: Character) -> None:
        self.map = face_of(character)
        self.amounts: dict[str, float] = {}
        self.life: Life | None = Life()
        self.talking = False
        self._going: list[tuple[dict[str, float], float, float]] = []

    def show(self, name: str, amount: float) -> None:
        """Show some more of an expression in this step; what the face lacks is left out."""
        self.amounts[name] = self.amounts.get(name, 0.0) + amount

    def let_go(self, amounts: Mapping[str, float], seconds: float) -> None:
        """Let what was shown until now go within some seconds."""
        self._going.append(({name: much for name, much in amounts.items() if much}, max(seconds, 1e-3), 0.0))

    def apply(self, posed: Posed, seconds: float) -> None:
        """Set morphs and turn joints; see `Layer`."""
        self._live(seconds)
        for name, amount in self.amounts.items():
            for driver in self.map.drivers.get(name, ()):
                value = min(max(amount, 0.0), 1.0) * driver.weight
                if driver.morph is not None:
                    posed.morphs[driver.morph] += value
                elif driver.joint is not None:
                    posed.bend(driver.joint, about(driver.axis, value))
        np.clip(posed.morphs, 0.0, 1.0, out=posed.morphs)
        self.amounts, self.talking = {}, False

    def _live(self, seconds: float) -> None:
        """Add what the face does by itself, and what it lets go."""
        self._going = [(what, whole, gone + seconds) for what, whole, gone in self._going if gone + seconds < whole]
        for what, whole, gone in self._going:
            for name, amount in what.items():
                self.show(name, amount * (1.0 - smooth_step(gone / whole)))
        if self.life is not None:
            for name, amount in self.life.step(seconds, talking=self.talking).items():
                # Lips that have something to do are not disturbed, and what shows already is not added to.
                if not (self.talking and name.startswith("mouth")):
                    self.amounts[name] = max(self.amounts.get(name, 0.0), amount)

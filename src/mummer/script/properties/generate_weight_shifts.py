"""GenerateWeightShifts: who stands shifts their weight from leg to leg."""

from dataclasses import dataclass

from mummer.errors import InputError
from mummer.script.action import Action, Script
from mummer.script.generating import idle_action, length_of
from mummer.script.property import Property


@dataclass(frozen=True)
class GenerateWeightShifts(Property):
    """Every so many seconds the hips go over the other foot, so far, in their height above the ground."""

    acts = "script"
    every: float
    amount: float = 0.03

    def __post_init__(self) -> None:
        if not 0.2 <= self.every <= 60.0 or not abs(self.amount) <= 0.3:
            raise InputError(f"shifts of {self.amount:g} every {self.every:g} s; expected at most 0.3, and 0.2 to 60 s")

    def generated(self, script: Script, meant: tuple[Action, ...]) -> Script:
        """Add a track of shifts, as long as what is meant."""
        count = max(1, round(length_of(meant) / self.every))
        values = [self.amount * (1.0 if number % 2 else -1.0) for number in range(count)]
        return script.with_track("weight", idle_action("weight_shift", "balance side", values, 0.6, self.every))

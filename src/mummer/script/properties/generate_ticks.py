"""GenerateTicks: a part that jerks now and then."""

from dataclasses import dataclass

from mummer.errors import InputError
from mummer.script.action import Action, Script
from mummer.script.generating import idle_action, length_of
from mummer.script.property import Property


@dataclass(frozen=True)
class GenerateTicks(Property):
    """A nervous tick of a degree of freedom, such as `head_y`: radians, and seconds from one to the next."""

    acts = "script"
    dof: str
    amount: float
    every: float

    def __post_init__(self) -> None:
        if not 0.2 <= self.every <= 60.0 or not abs(self.amount) <= 1.5:
            raise InputError(f"ticks of {self.amount:g} every {self.every:g} s; expected at most 1.5, and 0.2 to 60 s")

    def generated(self, script: Script, meant: tuple[Action, ...]) -> Script:
        """Add a track of ticks: to one side, back, to the other, never quite evenly."""
        count = max(1, round(length_of(meant) / self.every))
        uneven = [1.0, -0.6, 0.8, -1.0, 0.5]
        values = [v for number in range(count) for v in (self.amount * uneven[number % len(uneven)], 0.0)]
        return script.with_track("ticks", idle_action("tick", self.dof, values, 0.09, 0.5 * self.every))

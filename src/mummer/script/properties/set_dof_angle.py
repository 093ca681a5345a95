"""SetDOFAngle: the angle that a degree of freedom goes to, or by how much its turns are scaled."""

from dataclasses import dataclass

from mummer.script.properties.set_dof_value import SetDOFValue


@dataclass(frozen=True)
class SetDOFAngle(SetDOFValue):
    """As `SetDOFValue`, heard after it: ``SetDOFAngle {* * * neck_y} REL 0.5`` halves the turns of a neck."""

    rank = -1

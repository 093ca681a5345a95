"""Any motion onto any body: rest poses aligned, proportions respected, feet kept where they stand."""

from mummer.retarget.onto import Onto
from mummer.retarget.retarget import retarget
from mummer.retarget.terrain import heights_of_mesh

__all__ = ["Onto", "heights_of_mesh", "retarget"]

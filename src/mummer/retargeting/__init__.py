"""Any motion onto any body: rest poses aligned, proportions respected, feet kept where they stand."""

from mummer.retargeting.onto import Onto
from mummer.retargeting.retarget import retarget
from mummer.retargeting.terrain import heights_of_mesh

__all__ = ["Onto", "heights_of_mesh", "retarget"]

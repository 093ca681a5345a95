"""Any motion onto any body: rest poses aligned, proportions respected, feet kept where they stand."""

from mummer.retarget.onto import Onto

__all__ = ["Onto"]

"""Gaits as recordings hold them: one cycle, when feet come down, and two of them in step."""

from mummer.clip.gait.blended import GaitBlend
from mummer.clip.gait.cycle import GaitCycle, gait_cycle
from mummer.clip.gait.registration import Registration, register

__all__ = ["GaitBlend", "GaitCycle", "Registration", "gait_cycle", "register"]

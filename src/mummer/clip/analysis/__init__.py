"""What a motion does, read from the motion: contacts of the feet, cycles, and seams."""

from mummer.clip.analysis.contacts import ContactSettings, Steps, contacts, foot_steps, with_contacts
from mummer.clip.analysis.cycles import Cycle, find_cycle
from mummer.clip.analysis.feet import Foot, feet_of
from mummer.clip.analysis.seams import SeamCheck, accelerations, check_seams

__all__ = [
    "ContactSettings",
    "Cycle",
    "Foot",
    "SeamCheck",
    "Steps",
    "accelerations",
    "check_seams",
    "contacts",
    "feet_of",
    "find_cycle",
    "foot_steps",
    "with_contacts",
]

"""Animation for bodies that did not exist when it was made: contexts, movement modes, variants, gaits, jiggles."""

from mummer.general.intent import Driver, Intent, Track, at_rest
from mummer.general.physique import Physique, physique_of

__all__ = ["Driver", "Intent", "Physique", "Track", "at_rest", "physique_of"]

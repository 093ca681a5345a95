"""Creatures that nobody has drawn: a body plan thrown like dice, in the spirit of a creature editor."""

from mummer.zoo.creature.random import random_creature, random_recipe

__all__ = ["random_creature", "random_recipe"]

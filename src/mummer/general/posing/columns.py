"""The columns of the tables that the kernel of poses reads."""

from __future__ import annotations

# A chain: the joint that is placed; hip and knee where it is begun in closed form, else -1; where its joints stand in
# the list of members, and how many; how it is begun; how much of the body's help it is worth; how readily the root
# comes for it; the point of the tip that is placed; the axis that a straight knee bends about, in the hip's frame; to
# where its elbow goes when it is far from rest, in character space seen by what carries it; whether it has one; metres
# along its bones; how many damped steps it may take, and how damped they are.
TIP, HIP, KNEE, FIRST, COUNT, KIND, HELP, FOLLOW, POINT, PREFERRED, ELBOW, HAS_ELBOW, LENGTH, STEPS, DAMPING, CHAIN = (
    0, 1, 2, 3, 4, 5, 6, 7, 8, 11, 14, 17, 18, 19, 20, 21,
)  # fmt: skip
# How a chain is begun: as it is, by pointing its only joint, by hip and knee, or by hip and several hinges; the hip of
# the last is given by its place in the chain.
AS_IT_IS, POINTED, BENT, CURLED = 0, 1, 2, 3
# What is asked of a chain: a place, how much it counts, a rotation of the tip, one if there is one, and the rotation
# world_from_character of what carries the chain.
PLACE, WEIGHT, TURN, HAS_TURN, CARRIER, ASKED = 0, 3, 4, 8, 9, 13
# Settings: softness of the reach, metres that count as met, metres of a miss that need no help and metres that need
# nearly all of it, how stiff the root is, how often the core leans, and how far the root goes at most.
SOFTNESS, NEAR, CLOSE, MISSED, ROOT_STIFFNESS, LEANS, ROOT_RANGE, SETTINGS = 0, 1, 2, 3, 4, 5, 6, 7
# A scratch row of a chain or of the core: a place, the rotation of the parent, and the joint's own before a step.
SPOT, ABOVE, BEFORE, SCRATCH = 0, 3, 7, 11

"""Everything that bends a body to meet a goal: goals, solvers, pose distance, balance, volume, constraints."""

from mummer.character.cast import cast, join_poses, split
from mummer.ik.balance import Balancing, balanced
from mummer.ik.body_point import BodyPoint, Part, joint_of
from mummer.ik.ccd import CCD
from mummer.ik.constraints import Constrained, footholds, keep_contacts, planted, with_footholds
from mummer.ik.goal import Goal
from mummer.ik.goals import (
    Aim,
    Apart,
    Balanced,
    CenterOfMass,
    HalfSpace,
    JointValue,
    Match,
    Near,
    Orient,
    Place,
    Together,
)
from mummer.ik.handles import handle, handles_of
from mummer.ik.jacobian import Jacobian
from mummer.ik.mass_speed import fastest_stretch, limit_speed, mass_speed, mass_speeds, speed_limits, time_needed
from mummer.ik.mass_weighted import MassWeighted
from mummer.ik.moving import Moving
from mummer.ik.one_bone import OneBone
from mummer.ik.particle import Particle
from mummer.ik.pose_distance import group_distances, pose_distance, pose_distances
from mummer.ik.posture import adjust_posture
from mummer.ik.problem import Problem, make_problem
from mummer.ik.sensors import follow_sensors
from mummer.ik.solution import Solution
from mummer.ik.solve import SOLVERS, Solver, solve
from mummer.ik.support import find_support
from mummer.ik.two_bone import TwoBone
from mummer.ik.volume import Uncrossed, on_surface, penetration_between, push_out, self_penetration, touch, volume_of
from mummer.ik.world_state import WorldState

__all__ = [
    "CCD",
    "SOLVERS",
    "Aim",
    "Apart",
    "Balanced",
    "Balancing",
    "BodyPoint",
    "CenterOfMass",
    "Constrained",
    "Goal",
    "HalfSpace",
    "Jacobian",
    "JointValue",
    "MassWeighted",
    "Match",
    "Moving",
    "Near",
    "OneBone",
    "Orient",
    "Part",
    "Particle",
    "Place",
    "Problem",
    "Solution",
    "Solver",
    "Together",
    "TwoBone",
    "Uncrossed",
    "WorldState",
    "adjust_posture",
    "balanced",
    "cast",
    "fastest_stretch",
    "find_support",
    "follow_sensors",
    "footholds",
    "group_distances",
    "handle",
    "handles_of",
    "join_poses",
    "joint_of",
    "keep_contacts",
    "limit_speed",
    "make_problem",
    "mass_speed",
    "mass_speeds",
    "on_surface",
    "penetration_between",
    "planted",
    "pose_distance",
    "pose_distances",
    "push_out",
    "self_penetration",
    "solve",
    "speed_limits",
    "split",
    "time_needed",
    "touch",
    "volume_of",
    "with_footholds",
]

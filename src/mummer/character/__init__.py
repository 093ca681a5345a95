"""What a body is and how it stands: skeleton, pose, skin, anatomy, limits, mass."""

from mummer.character.anatomy import CAPABILITIES, Anatomy, Evidence
from mummer.character.anatomy_file import load_anatomy, save_anatomy, sidecar_of
from mummer.character.attachment import moved_rigidly, root_for_attachment, world_from_socket
from mummer.character.balance import center_of_mass, estimate_mass, inertia
from mummer.character.character import Character
from mummer.character.clamp import clamp, violations
from mummer.character.deform import DeformedMesh, deform
from mummer.character.derive import (
    bounds_of,
    first_branch,
    ground_of,
    groups_from_limbs,
    limb_length,
    mirror_by_position,
    rest_positions,
    side_of,
    size_of,
)
from mummer.character.face import EXPRESSIONS, FACE_NAMES, VISEMES, FaceDriver, FaceMap, find_face
from mummer.character.kinematics import is_rigid, world_matrices, world_positions, world_transforms
from mummer.character.limb import Limb
from mummer.character.limits import Ball, Free, Hinge, JointLimit, Limits, Pivot
from mummer.character.marks import Mark
from mummer.character.mass import Mass
from mummer.character.mesh import Material, Mesh, MorphTarget
from mummer.character.pose import Pose
from mummer.character.recording import Curve, Recording
from mummer.character.root import with_ground_root, without_ground_root
from mummer.character.skeleton import Skeleton, parent_first_order, unique_names
from mummer.character.skin import Skin
from mummer.character.socket import Socket
from mummer.character.source import Source

__all__ = [
    "CAPABILITIES",
    "EXPRESSIONS",
    "FACE_NAMES",
    "VISEMES",
    "Anatomy",
    "Ball",
    "Character",
    "Curve",
    "DeformedMesh",
    "Evidence",
    "FaceDriver",
    "FaceMap",
    "Free",
    "Hinge",
    "JointLimit",
    "Limb",
    "Limits",
    "Mark",
    "Mass",
    "Material",
    "Mesh",
    "MorphTarget",
    "Pivot",
    "Pose",
    "Recording",
    "Skeleton",
    "Skin",
    "Socket",
    "Source",
    "bounds_of",
    "center_of_mass",
    "clamp",
    "deform",
    "estimate_mass",
    "find_face",
    "first_branch",
    "ground_of",
    "groups_from_limbs",
    "inertia",
    "is_rigid",
    "limb_length",
    "load_anatomy",
    "mirror_by_position",
    "moved_rigidly",
    "parent_first_order",
    "rest_positions",
    "root_for_attachment",
    "save_anatomy",
    "side_of",
    "sidecar_of",
    "size_of",
    "unique_names",
    "violations",
    "with_ground_root",
    "without_ground_root",
    "world_from_socket",
    "world_matrices",
    "world_positions",
    "world_transforms",
]

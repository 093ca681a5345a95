"""The words that people call joints by, in English and in the tools' own abbreviations: data, one line a meaning."""

from __future__ import annotations

ENGLISH: dict[str, str] = {
    # Sides.
    "left": "left lft lf lt l",
    "right": "right rgt rght rt rg r",
    "center": "center centre mid middl c m c0",
    # Where on a limb, or which limb.
    "upper": "upper up upr superior top",
    "lower": "lower low lo lwr inferior fore lowr bottom bttm",
    "front": "front anterior fr frnt",
    "hind": "back hind rear rr posterior bk",
    "limb": "limb",
    # The trunk.
    "root": "root base origin armature rig reference master cog com rootnode scene skeleton hipmaster",
    "body": "body",
    "hips": "hips pelvis sacrum torsobottom buttocks pelv",
    "hip": "hip coxofemoral",
    "buttock": "buttock butt glute",
    "spine": "spine lumbar vertebra vertebrae lowerback upperback spn navel naval",
    "belly": "abdomen stomach belly waist tummy abs ab abdom",
    "torso": "torso trunk thorax ribcage ribs rib",
    "chest": "chest sternum breastbone upperchest",
    "neck": "neck cervical neckbone",
    "head": "head skull skullbase cranium",
    # Arms.
    "clavicle": "clavicle clav collar collarbone sternoclavicular scapula scap acromioclavicular",
    "shoulder": "shoulder shoulders shldr shlder shld shoulderblade",
    "upper_arm": "upperarm uparm humerus",
    "biceps": "bicep biceps",
    "arm": "arm",
    "forearm": "forearm forarm lowerarm lowarm loarm elbow radius ulna",
    "hand": "hand wrist fist handgelenk gripper claw hnd",
    "palm": "palm carpal carpus",
    # Legs.
    "upper_leg": "upperleg upleg thigh femur tigh",
    "leg": "leg",
    "lower_leg": "lowerleg lowleg loleg knee shin calf tibia crus",
    "foot": "foot feet ankle paw hoof heel_ankle hock tarsus talus subtalar",
    "toes": "toe toes toebase ball forefoot metatarsal metatarsals metatarsus pastern fetlock",
    "heel": "heel calcaneus calcn",
    # Digits.
    "thumb": "thumb thmb",
    "index": "index pointer",
    "middle": "middle",
    "ring": "ring",
    "little": "pinky pinkie little pink",
    "finger": "finger fingers fing digit digits phalanx",
    "metacarpal": "metacarpal metacarpals inhand cup",
    # Head.
    "eye": "eye eyeball eyes",
    "eyelid": "eyelid lid blink",
    "brow": "brow eyebrow eyebrows",
    "jaw": "jaw mandible chin",
    "mouth": "mouth beak bill muzzle snout",
    "lip": "lip lips cheek masseter caninus upperlip lowerlip nasolabial",
    "tongue": "tongue",
    "teeth": "teeth tooth",
    "nose": "nose nostril",
    "ear": "ear ears",
    "horn": "horn horns antler",
    "face": "face facial temple forehead",
    "hair": "hair ponytail pigtail bangs braid beard mustache mane forelock",
    # Other parts.
    "tail": "tail",
    "wing": "wing wings",
    "feather": "feather feathers plume plumage membrane",
    "fin": "fin fins flipper",
    "antenna": "antenna antennae feeler stalk",
    "breast": "breast boob bust pectoral pec",
    # What is no part of the body.
    "twist": "twist roll rotator bendy tweak half twst share part corrective muscle bulge trapezius trap deltoid",
    "control": "ik fk ctrl control controller pole target handle driver mch org helper aux poletarget pv effector goal"
    " aim pt locator null nub_ctrl footsteps ikgoal ph mh dummy attachment",
    "end": "end nub tip endsite site leaf effectorend handtip",
    "prop": "prop weapon sword gun shield slot socket attach item tool bow staff axe backpack bag helmet hat cap cape"
    " glasses lantern grip holster arrow quiver badge camera",
    "cloth": "skirt cloth dress ribbon sleeve coat belt scarf tie cloak flap apron tassel hood strap kilt sec",
}
"""Meaning to the words for it."""

_SILENT = (
    "jt joint joints jnt bone bones b j bip def deform bip01 bip02 bip001 cc mixamorig mixamo character char node mesh"
    " geo sk skel skeletal bind skin x xtra z xx grp group offset anchor parent child stretch bend link npc valve biped"
    " adj"
)
NOISE = frozenset(_SILENT.split())
"""Words that say nothing about which part is meant."""

PARTS: dict[str, dict[str, float]] = {
    "root": {"root": 1.0},
    "body": {"root": 0.4, "spine": 0.3},
    "hips": {"hips": 1.0},
    "hip": {"hips": 0.9},
    "spine": {"spine": 1.0},
    "belly": {"spine": 0.8},
    "torso": {"spine": 0.5, "chest": 0.5},
    "chest": {"chest": 0.8, "spine": 0.3},
    "neck": {"neck": 1.0},
    "head": {"head": 1.0},
    "clavicle": {"shoulder": 1.0},
    "shoulder": {"shoulder": 0.6, "upper_arm": 0.5},
    "upper_arm": {"upper_arm": 1.0},
    "biceps": {"upper_arm": 0.6},
    "arm": {"upper_arm": 0.6, "forearm": 0.3},
    "forearm": {"forearm": 1.0},
    "hand": {"hand": 1.0},
    "palm": {"hand": 1.0},
    "buttock": {"shoulder": 0.8},
    "upper_leg": {"upper_leg": 1.0},
    "leg": {"upper_leg": 0.5, "lower_leg": 0.5},
    "lower_leg": {"lower_leg": 1.0},
    "foot": {"foot": 1.0},
    "toes": {"toes": 1.0},
}
"""Meanings of the trunk and the limbs to the parts they may stand for, with how likely each is."""

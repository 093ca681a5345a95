"""Names: the conventions that people use, read without a look at the body."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from mummer.character import Character
from mummer.recognize import recognize
from mummer.recognize.names import read_names
from tests.recognize.bodies import human, roles_of_human

PARTS = ("hips", "spine", "chest", "neck", "head")
LIMBS = ("shoulder", "upper_arm", "forearm", "hand", "upper_leg", "lower_leg", "foot", "toes")

# ruff: noqa: E501
# The middle, then the left limbs with {} for the side, then what stands for left and right.
CONVENTIONS = {
    "Mixamo": ("mixamorig:Hips mixamorig:Spine mixamorig:Spine2 mixamorig:Neck mixamorig:Head",
               "mixamorig:{}Shoulder mixamorig:{}Arm mixamorig:{}ForeArm mixamorig:{}Hand mixamorig:{}UpLeg mixamorig:{}Leg"
               " mixamorig:{}Foot mixamorig:{}ToeBase", ("Left", "Right")),
    "HumanIK": ("Hips Spine Spine1 Neck Head",
                "{}Shoulder {}Arm {}ForeArm {}Hand {}UpLeg {}Leg {}Foot {}ToeBase", ("Left", "Right")),
    "Biped": ("Bip01_Pelvis Bip01_Spine Bip01_Spine2 Bip01_Neck Bip01_Head",
              "Bip01_{}_Clavicle Bip01_{}_UpperArm Bip01_{}_Forearm Bip01_{}_Hand Bip01_{}_Thigh Bip01_{}_Calf Bip01_{}_Foot"
              " Bip01_{}_Toe0", ("L", "R")),
    "Unreal": ("pelvis spine_01 spine_03 neck_01 head",
               "clavicle_{} upperarm_{} lowerarm_{} hand_{} thigh_{} calf_{} foot_{} ball_{}", ("l", "r")),
    "VRoid": ("J_Bip_C_Hips J_Bip_C_Spine J_Bip_C_UpperChest J_Bip_C_Neck J_Bip_C_Head",
              "J_Bip_{}_Shoulder J_Bip_{}_UpperArm J_Bip_{}_LowerArm J_Bip_{}_Hand J_Bip_{}_UpperLeg J_Bip_{}_LowerLeg"
              " J_Bip_{}_Foot J_Bip_{}_ToeBase", ("L", "R")),
    "Rigify": ("DEF-pelvis DEF-spine DEF-chest DEF-neck DEF-head",
               "DEF-shoulder.{} DEF-upper_arm.{} DEF-forearm.{} DEF-hand.{} DEF-thigh.{} DEF-shin.{} DEF-foot.{} DEF-toe.{}",
               ("L", "R")),
    "Daz": ("hip abdomen chest neck head", "{}Collar {}Shldr {}ForeArm {}Hand {}Thigh {}Shin {}Foot {}Toe", ("l", "r")),
    "Acclaim": ("root lowerback thorax lowerneck head",
                "{}clavicle {}humerus {}radius {}hand {}femur {}tibia {}foot {}toes", ("l", "r")),
    "SmartBody": ("JtPelvis JtSpineA JtChest JtNeckA JtSkullA",
                  "JtClavicle{} JtUpperArm{} JtElbow{} JtWrist{} JtHip{} JtKnee{} JtAnkle{} JtBall{}", ("Lf", "Rt")),
    "SMPL": ("Pelvis Spine Chest Neck Head",
             "{}_Collar {}_Shoulder {}_Elbow {}_Wrist {}_Hip {}_Knee {}_Ankle {}_Toe", ("L", "R")),
    "MotionBuilder classic": ("Hips Chest Chest2 Neck Head",
                              "{}Collar {}Shoulder {}Elbow {}Wrist {}Hip {}Knee {}Ankle {}Toe", ("Left", "Right")),
    "Character Creator": ("CC_Base_Hip CC_Base_Waist CC_Base_Spine02 CC_Base_NeckTwist01 CC_Base_Head",
                          "CC_Base_{}_Clavicle CC_Base_{}_Upperarm CC_Base_{}_Forearm CC_Base_{}_Hand CC_Base_{}_Thigh"
                          " CC_Base_{}_Calf CC_Base_{}_Foot CC_Base_{}_ToeBase", ("L", "R")),
    "German": ("Becken Wirbelsäule Brust Hals Kopf",
               "Schlüsselbein_{} Oberarm_{} Unterarm_{} Hand_{} Oberschenkel_{} Unterschenkel_{} Fuß_{} Zehen_{}",
               ("links", "rechts")),
    "French": ("bassin colonne poitrine cou tête",
               "clavicule_{} bras_{} avantbras_{} main_{} cuisse_{} mollet_{} pied_{} orteils_{}", ("gauche", "droite")),
    "Spanish": ("cadera columna pecho cuello cabeza",
                "clavicula_{} brazo_{} antebrazo_{} mano_{} muslo_{} pantorrilla_{} pie_{} toe_{}",
                ("izquierda", "derecha")),
    "Italian": ("bacino spina petto collo testa",
                "clavicola_{} braccio_{} avambraccio_{} mano_{} coscia_{} polpaccio_{} piede_{} toe_{}",
                ("sinistra", "destra")),
    "Portuguese": ("quadril coluna peito pescoço cabeça",
                   "clavicula_{} braço_{} antebraço_{} mão_{} coxa_{} panturrilha_{} pé_{} toe_{}", ("esquerda", "direita")),
    "Japanese": ("下半身 上半身 胸 首 頭", "{}鎖骨 {}腕 {}ひじ {}手首 {}大腿 {}ひざ {}足首 {}つま先", ("左", "右")),
    "Russian": ("таз позвоночник грудь шея голова",
                "ключица_{} плечо_{} предплечье_{} кисть_{} бедро_{} голень_{} стопа_{} toe_{}", ("лев", "прав")),
    "Pinyin": ("kuan jizhu xiong bozi tou",
               "suogu_{} shangbi_{} qianbi_{} shou_{} datui_{} xiaotui_{} jiao_{} jiaozhi_{}", ("zuo", "you")),
}  # fmt: skip


def names_in(convention: str) -> dict[str, str]:
    """Role to name."""
    middle, limbs, (left, right) = CONVENTIONS[convention]
    found = dict(zip(PARTS, middle.split(), strict=True))
    for side, word in (("left", left), ("right", right)):
        found |= {f"{side}_{part}": name.format(word) for part, name in zip(LIMBS, limbs.split(), strict=True)}
    return found


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_every_name_speaks_for_its_part_and_side(convention: str) -> None:
    names = names_in(convention)
    readings = dict(zip(names, read_names(list(names.values())), strict=True))
    silent = {"root"} if convention == "Acclaim" else set()
    for role, reading in readings.items():
        side, part = role.split("_", 1) if role.startswith(("left", "right")) else ("", role)
        if names[role] not in silent and not (part == "neck" and reading.helper):
            accepted = (part, "spine") if part in ("chest", "spine") else (part,)
            assert reading.vote(*accepted, *(("chest",) if part == "spine" else ())) > 0, (names[role], reading)
        assert reading.side == side, (names[role], reading)


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_a_human_with_these_names_is_found_with_confidence(convention: str) -> None:
    names = names_in(convention)
    body = human(names)
    anatomy = recognize(body)
    assert anatomy.kind == "humanoid"
    for role in roles_of_human():
        assert body.skeleton.names[anatomy.roles[role]] == names[role]
        assert anatomy.evidence[role].confidence > 0.5, (role, anatomy.evidence[role])


@pytest.mark.parametrize(
    ("name", "side", "meaning"),
    [
        ("hand_L_IK", "left", "control"),
        ("LeftForeArmRoll", "left", "twist"),
        ("thigh_twist_01_r", "right", "twist"),
        ("Head_end", "", "end"),
        ("Bip01LToe0Nub", "left", "end"),
        ("HairBall_R", "right", "hair"),
        ("J_Sec_L_SkirtSide1", "left", "cloth"),
        ("weapon_r", "right", "prop"),
        ("Finger_Index_Tip_L", "left", "index"),
        ("LeftInHandMiddle", "left", "middle"),
        ("eye.R", "right", "eye"),
        ("右目", "right", "eye"),
        ("Tail_Mid.001", "", "tail"),
        ("wing_feather_2_1_L", "left", "feather"),
    ],
)
def test_what_is_no_limb_is_known(name: str, side: str, meaning: str) -> None:
    reading = read_names([name])[0]
    assert reading.side == side
    assert meaning in reading.meanings


def test_a_prefix_that_all_names_share_says_nothing() -> None:
    readings = read_names([f"arm_{part}" for part in ("hips", "spine", "neck", "head", "tail")])
    assert [reading.vote("upper_arm") for reading in readings[:4]] == [-1.0] * 4
    assert "tail" in readings[4].meanings


def test_a_name_that_means_nothing_is_silent() -> None:
    reading = read_names(["joint17"])[0]
    assert not reading.parts
    assert not reading.speaks
    assert reading.vote("hand") == 0.0


def one_way(body: Character) -> Character:
    """The body with every bone along +X, as files have it that only store lengths."""
    skeleton = body.skeleton
    lengths = np.linalg.norm(skeleton.rest_translations, axis=1)
    flat = dataclasses.replace(skeleton, rest_translations=lengths[:, None] * np.array([1.0, 0.0, 0.0]))
    return body.replace(skeleton=flat)


@pytest.mark.parametrize("convention", ["HumanIK", "Unreal", "Daz", "SMPL"])
def test_names_alone_serve_where_the_shape_shows_no_body(convention: str) -> None:
    names = names_in(convention)
    body = one_way(human(names))
    anatomy = recognize(body)
    for role in roles_of_human():
        if role.endswith(("upper_arm", "forearm", "hand", "upper_leg", "lower_leg", "foot")):
            assert body.skeleton.names[anatomy.roles[role]] == names[role]
            assert anatomy.evidence[role].confidence <= 0.5
    assert not anatomy.problems(body.skeleton)

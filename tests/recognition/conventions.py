"""Ways to name the joints of a human: role by role, for every tool and language that is read."""

from __future__ import annotations

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

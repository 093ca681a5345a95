"""More ways to name a human, as tools, games, recorders and people do, with what else they hang on a body."""

from __future__ import annotations

from dataclasses import dataclass

from tests.recognition.conventions import LIMBS, PARTS


@dataclass(frozen=True)
class Naming:
    """One way to name joints.

    Attributes:
        middle: names of hips, spine, chest, neck and head; ``-`` for none.
        limbs: names from the shoulder to the hand and from the thigh to the toes, ``{}`` for the side.
        sides: what stands for left and right.
        digits: names of the first joints of thumb and four fingers, or nothing.
        others: what is none of these, ``host: name``; the host is a part, with ``{}`` in the name for the side.
    """

    middle: str
    limbs: str
    sides: tuple[str, str]
    digits: str = ""
    others: str = ""

    def roles(self) -> dict[str, str]:
        """Role to name; parts without a name are left out."""
        found = dict(zip(PARTS, _split(self.middle), strict=True))
        for side, word in zip(("left", "right"), self.sides, strict=True):
            found |= {f"{side}_{part}": name for part, name in zip(LIMBS, _sided(self.limbs, word), strict=True)}
            for finger, name in zip(("thumb", "index", "middle", "ring", "little"), _sided(self.digits, word)):  # noqa: B905
                found[f"{side}_{finger}_1"] = name
        return {role: name for role, name in found.items() if name != "-"}

    def helpers(self) -> list[tuple[str, str]]:
        """Role of the host and name, of what is no part of the body."""
        found = []
        for entry in _split(self.others):
            host, name = entry.split(": ")
            sides = zip(("left", "right"), self.sides, strict=True) if "{}" in name else [("", "")]
            for side, word in sides:
                found.append((f"{side}_{host}" if side and host in LIMBS else host, name.format(word)))
        return found


def _split(text: str) -> list[str]:
    return [name.strip() for name in text.split(",")] if text else []


def _sided(text: str, word: str) -> list[str]:
    return [name.format(word) for name in _split(text)]


# ruff: noqa: E501
WILD: dict[str, Naming] = {
    "3ds Max": Naming(
        "Bip01 Pelvis, Bip01 Spine, Bip01 Spine1, Bip01 Neck, Bip01 Head",
        "Bip01 {} Clavicle, Bip01 {} UpperArm, Bip01 {} Forearm, Bip01 {} Hand, Bip01 {} Thigh, Bip01 {} Calf, Bip01 {} Foot, Bip01 {} Toe0",
        ("L", "R"), "Bip01 {} Finger0, Bip01 {} Finger1, Bip01 {} Finger2, Bip01 {} Finger3, Bip01 {} Finger4",
        "forearm: Bip01 {} ForeTwist, upper_arm: Bip01 {}UpArmTwist, toes: Bip01 {} Toe0Nub, head: Bip01 HeadNub, hips: Bip01 Footsteps, upper_leg: Bip01 {}ThighTwist, head: Bip01 Ponytail1"),
    "Source": Naming(
        "ValveBiped.Bip01_Pelvis, ValveBiped.Bip01_Spine, ValveBiped.Bip01_Spine4, ValveBiped.Bip01_Neck1, ValveBiped.Bip01_Head1",
        "ValveBiped.Bip01_{}_Clavicle, ValveBiped.Bip01_{}_UpperArm, ValveBiped.Bip01_{}_Forearm, ValveBiped.Bip01_{}_Hand, ValveBiped.Bip01_{}_Thigh, ValveBiped.Bip01_{}_Calf, ValveBiped.Bip01_{}_Foot, ValveBiped.Bip01_{}_Toe0",
        ("L", "R"), "", "hand: ValveBiped.Anim_Attachment_{}H, head: ValveBiped.forward"),
    "Unreal 5": Naming(
        "pelvis, spine_01, spine_05, neck_01, head",
        "clavicle_{}, upperarm_{}, lowerarm_{}, hand_{}, thigh_{}, calf_{}, foot_{}, ball_{}",
        ("l", "r"), "thumb_01_{}, index_01_{}, middle_01_{}, ring_01_{}, pinky_01_{}",
        "upper_arm: upperarm_twist_01_{}, forearm: lowerarm_twist_01_{}, upper_leg: thigh_twist_01_{}, lower_leg: calf_twist_02_{}, upper_arm: upperarm_correctiveRoot_{}, hips: ik_foot_root, hips: ik_hand_gun, hips: ik_foot_{}, hand: weapon_{}, hand: index_metacarpal_{}, hips: center_of_mass, hips: interaction"),
    "Rigify deform": Naming(
        "DEF-spine, DEF-spine.001, DEF-spine.003, DEF-spine.004, -",
        "DEF-shoulder.{}, DEF-upper_arm.{}, DEF-forearm.{}, DEF-hand.{}, DEF-thigh.{}, DEF-shin.{}, DEF-foot.{}, DEF-toe.{}",
        ("L", "R"), "DEF-thumb.01.{}, DEF-f_index.01.{}, DEF-f_middle.01.{}, DEF-f_ring.01.{}, DEF-f_pinky.01.{}",
        "chest: DEF-breast.{}, hand: DEF-palm.01.{}, upper_leg: MCH-thigh_ik.{}, upper_arm: ORG-upper_arm.{}"),
    "MPFB": Naming(
        "root, spine05, spine01, neck01, head",
        "clavicle.{}, upperarm01.{}, lowerarm01.{}, wrist.{}, upperleg01.{}, lowerleg01.{}, foot.{}, toe1-1.{}",
        ("L", "R"), "finger1-1.{}, finger2-1.{}, finger3-1.{}, finger4-1.{}, finger5-1.{}", "hand: metacarpal1.{}, chest: breast.{}"),
    "SMPL-X": Naming(
        "pelvis, spine1, spine3, neck, head",
        "left_collar, left_shoulder, left_elbow, left_wrist, left_hip, left_knee, left_ankle, -".replace("left", "{}"),
        ("left", "right"), "{}_thumb1, {}_index1, {}_middle1, {}_ring1, {}_pinky1", "head: jaw, head: {}_eye_smplhf"),
    "Genesis 3": Naming(
        "pelvis, abdomenLower, chestUpper, neckLower, head",
        "{}Collar, {}ShldrBend, {}ForearmBend, {}Hand, {}ThighBend, {}Shin, {}Foot, {}Toe",
        ("l", "r"), "{}Thumb1, {}Index1, {}Mid1, {}Ring1, {}Pinky1",
        "upper_arm: {}ShldrTwist, forearm: {}ForearmTwist, upper_leg: {}ThighTwist, hand: {}Carpal1, chest: {}Pectoral, head: upperTeeth, head: lowerFaceRig"),
    "Genesis 9": Naming(
        "pelvis, spine1, spine4, neck1, head",
        "{}_shoulder, {}_upperarm, {}_forearm, {}_hand, {}_thigh, {}_shin, {}_foot, {}_toes",
        ("l", "r"), "{}_thumb1, {}_index1, {}_mid1, {}_ring1, {}_pinky1",
        "upper_arm: {}_upperarmtwist1, forearm: {}_forearmtwist2, upper_leg: {}_thightwist1, chest: {}_pectoral"),
    "Xsens": Naming(
        "Pelvis, L5, T8, Neck, Head",
        "{}Shoulder, {}UpperArm, {}ForeArm, {}Hand, {}UpperLeg, {}LowerLeg, {}Foot, {}Toe", ("Left", "Right")),
    "Rokoko": Naming(
        "Hips, Spine1, Spine4, Neck, Head",
        "{}Shoulder, {}Arm, {}ForeArm, {}Hand, {}Thigh, {}Shin, {}Foot, {}Toe", ("Left", "Right"),
        "{}Finger1Metacarpal, {}Finger2Proximal, {}Finger3Proximal, {}Finger4Proximal, {}Finger5Proximal", "toes: {}ToeTip, head: HeadTip"),
    "iClone": Naming(
        "CC_Base_Pelvis, CC_Base_Waist, CC_Base_Spine02, -, CC_Base_Head",
        "CC_Base_{}_Clavicle, CC_Base_{}_Upperarm, CC_Base_{}_Forearm, CC_Base_{}_Hand, CC_Base_{}_Thigh, CC_Base_{}_Calf, CC_Base_{}_Foot, CC_Base_{}_ToeBase",
        ("L", "R"), "CC_Base_{}_Thumb1, CC_Base_{}_Index1, CC_Base_{}_Mid1, CC_Base_{}_Ring1, CC_Base_{}_Pinky1",
        "upper_arm: CC_Base_{}_UpperarmTwist01, forearm: CC_Base_{}_ForearmTwist02, forearm: CC_Base_{}_ElbowShareBone, lower_leg: CC_Base_{}_KneeShareBone, toes: CC_Base_{}_ToeBaseShareBone, upper_leg: CC_Base_{}_ThighTwist01, chest: CC_Base_{}_RibsTwist, chest: CC_Base_{}_Breast, head: CC_Base_FacialBone, head: CC_Base_JawRoot, head: CC_Base_Tongue01"),
    "VRoid full": Naming(
        "J_Bip_C_Hips, J_Bip_C_Spine, J_Bip_C_UpperChest, J_Bip_C_Neck, J_Bip_C_Head",
        "J_Bip_{}_Shoulder, J_Bip_{}_UpperArm, J_Bip_{}_LowerArm, J_Bip_{}_Hand, J_Bip_{}_UpperLeg, J_Bip_{}_LowerLeg, J_Bip_{}_Foot, J_Bip_{}_ToeBase",
        ("L", "R"), "J_Bip_{}_Thumb1, J_Bip_{}_Index1, J_Bip_{}_Middle1, J_Bip_{}_Ring1, J_Bip_{}_Little1",
        "head: J_Adj_{}_FaceEye, head: J_Sec_Hair1_01, chest: J_Sec_{}_Bust1, upper_leg: J_Sec_{}_SkirtFront1_01, upper_arm: J_Sec_{}_TopsUpperArmInside_01"),
    "MikuMikuDance": Naming(
        "下半身, 上半身, 上半身2, 首, 頭",
        "{}肩, {}腕, {}ひじ, {}手首, {}足, {}ひざ, {}足首, {}つま先", ("左", "右"),
        "{}親指０, {}人指１, {}中指１, {}薬指１, {}小指１",
        "upper_arm: {}腕捩, forearm: {}手捩, hips: {}足ＩＫ, hips: {}つま先ＩＫ, head: 両目, head: {}目, hips: {}足IK親, toes: {}つま先先"),
    "MikuMikuDance in English": Naming(
        "lower body, upper body, upper body2, neck, head",
        "shoulder_{}, arm_{}, elbow_{}, wrist_{}, leg_{}, knee_{}, ankle_{}, toe_{}", ("L", "R"),
        "thumb0_{}, index1_{}, middle1_{}, ring1_{}, little1_{}", "upper_arm: arm twist_{}, forearm: wrist twist_{}, hips: leg IK_{}, hips: toe IK_{}, head: eyes, head: eye_{}"),
    "Mecanim from MMD": Naming(
        "2.joint_HipMaster, 1.joint_Torso, 3.joint_Torso2, 4.joint_Neck, 5.joint_Head",
        "6.joint_{}Shoulder, 7.joint_{}Arm, 8.joint_{}Elbow, 9.joint_{}Wrist, 10.joint_{}Hip, 11.joint_{}Knee, 12.joint_{}Foot, 13.joint_{}Toe", ("Left", "Right"),
        "14.joint_{}Thumb1, 15.joint_{}Index1, 16.joint_{}Middle1, 17.joint_{}Ring1, 18.joint_{}Pinky1"),
    "Second Life": Naming(
        "mPelvis, mTorso, mChest, mNeck, mHead",
        "mCollar{}, mShoulder{}, mElbow{}, mWrist{}, mHip{}, mKnee{}, mAnkle{}, mToe{}", ("Left", "Right"),
        "mHandThumb1{}, mHandIndex1{}, mHandMiddle1{}, mHandRing1{}, mHandPinky1{}", "head: mFaceRoot, head: mEye{}, head: mFaceJaw, hips: mGroin"),
    "Roblox": Naming(
        "LowerTorso, UpperTorso, -, -, Head",
        "-, {}UpperArm, {}LowerArm, {}Hand, {}UpperLeg, {}LowerLeg, {}Foot, -", ("Left", "Right")),
    "Perception Neuron": Naming(
        "Robot_Hips, Robot_Spine, Robot_Spine3, Robot_Neck, Robot_Head",
        "Robot_{}Shoulder, Robot_{}Arm, Robot_{}ForeArm, Robot_{}Hand, Robot_{}UpLeg, Robot_{}Leg, Robot_{}Foot, -", ("Left", "Right"),
        "Robot_{}HandThumb1, Robot_{}HandIndex1, Robot_{}HandMiddle1, Robot_{}HandRing1, Robot_{}HandPinky1", "hand: Robot_{}InHandIndex"),
    "OptiTrack": Naming(
        "Hip, Ab, Chest, Neck, Head",
        "{}Shoulder, {}UArm, {}FArm, {}Hand, {}Thigh, {}Shin, {}Foot, {}Toe", ("L", "R"), "{}Thumb1, {}Index1, {}Middle1, {}Ring1, {}Pinky1"),
    "Motive with a prefix": Naming(
        "Skeleton 001_Hip, Skeleton 001_Ab, Skeleton 001_Chest, Skeleton 001_Neck, Skeleton 001_Head",
        "Skeleton 001_{}Shoulder, Skeleton 001_{}UArm, Skeleton 001_{}FArm, Skeleton 001_{}Hand, Skeleton 001_{}Thigh, Skeleton 001_{}Shin, Skeleton 001_{}Foot, Skeleton 001_{}Toe", ("L", "R")),
    "Vicon": Naming(
        "Pelvis, LowerBack, Thorax, Neck, Head",
        "{}Clavicle, {}Humerus, {}Radius, {}Hand, {}Femur, {}Tibia, {}Foot, {}Toes", ("L", "R")),
    "Kinect": Naming(
        "SpineBase, SpineMid, SpineShoulder, Neck, Head",
        "-, Shoulder{}, Elbow{}, Wrist{}, Hip{}, Knee{}, Ankle{}, -", ("Left", "Right"), "", "hand: HandTip{}"),
    "Azure Kinect": Naming(
        "PELVIS, SPINE_NAVEL, SPINE_CHEST, NECK, HEAD",
        "CLAVICLE_{}, SHOULDER_{}, ELBOW_{}, WRIST_{}, HIP_{}, KNEE_{}, ANKLE_{}, -", ("LEFT", "RIGHT"), "", "hand: HANDTIP_{}, head: NOSE, head: EYE_{}, head: EAR_{}"),
    "ARKit": Naming(
        "hips_joint, spine_1_joint, spine_7_joint, neck_1_joint, head_joint",
        "{}_shoulder_1_joint, {}_arm_joint, {}_forearm_joint, {}_hand_joint, {}_upLeg_joint, {}_leg_joint, {}_foot_joint, {}_toes_joint", ("left", "right"),
        "{}_handThumbStart_joint, {}_handIndex_1_joint, {}_handMid_1_joint, {}_handRing_1_joint, {}_handPinky_1_joint", "toes: {}_toesEnd_joint, head: jaw_joint, head: {}_eye_joint, head: nose_joint"),
    "Meta": Naming(
        "FullBody_Hips, FullBody_SpineLower, FullBody_Chest, FullBody_Neck, FullBody_Head",
        "FullBody_{}Shoulder, FullBody_{}ArmUpper, FullBody_{}ArmLower, FullBody_{}HandWrist, FullBody_{}UpperLeg, FullBody_{}LowerLeg, FullBody_{}FootAnkle, FullBody_{}FootBall", ("Left", "Right"),
        "FullBody_{}HandThumbMetacarpal, FullBody_{}HandIndexProximal, FullBody_{}HandMiddleProximal, FullBody_{}HandRingProximal, FullBody_{}HandLittleProximal",
        "forearm: FullBody_{}HandWristTwist, lower_leg: FullBody_{}FootAnkleTwist, hand: FullBody_{}HandPalm"),
    "Skyrim": Naming(
        "NPC Pelvis [Pelv], NPC Spine [Spn0], NPC Spine2 [Spn2], NPC Neck [Neck], NPC Head [Head]",
        "NPC {0} Clavicle [{0}Clv], NPC {0} UpperArm [{0}Uar], NPC {0} Forearm [{0}Lar], NPC {0} Hand [{0}Hnd], NPC {0} Thigh [{0}Thg], NPC {0} Calf [{0}Clf], NPC {0} Foot [{0}ft ], NPC {0} Toe0 [{0}Toe]", ("L", "R"),
        "NPC {0} Finger00 [{0}F00], NPC {0} Finger10 [{0}F10], NPC {0} Finger20 [{0}F20], NPC {0} Finger30 [{0}F30], NPC {0} Finger40 [{0}F40]", "upper_arm: NPC {} UpperarmTwist1, hand: WEAPON, forearm: SHIELD"),
    "Auto-Rig Pro": Naming(
        "root.x, spine_01.x, spine_03.x, neck.x, head.x",
        "shoulder.{}, arm_stretch.{}, forearm_stretch.{}, hand.{}, thigh_stretch.{}, leg_stretch.{}, foot.{}, toes_01.{}", ("l", "r"),
        "thumb1.{}, index1.{}, middle1.{}, ring1.{}, pinky1.{}", "upper_arm: arm_twist.{}, upper_leg: thigh_twist.{}, lower_leg: leg_twist.{}, forearm: forearm_twist.{}"),
    "Advanced Skeleton": Naming(
        "Root_M, Spine1_M, Chest_M, Neck_M, Head_M",
        "Scapula_{}, Shoulder_{}, Elbow_{}, Wrist_{}, Hip_{}, Knee_{}, Ankle_{}, Toes_{}", ("L", "R"),
        "ThumbFinger1_{}, IndexFinger1_{}, MiddleFinger1_{}, RingFinger1_{}, PinkyFinger1_{}", "upper_arm: ShoulderPart1_{}, upper_leg: HipPart2_{}, toes: ToesEnd_{}, head: HeadEnd_M, head: JawEnd_M, head: Eye_{}, hand: Cup_{}"),
    "mGear": Naming(
        "body_C0_root_jnt, spine_C0_0_jnt, spine_C0_4_jnt, neck_C0_0_jnt, neck_C0_head_jnt",
        "shoulder_{}0_shoulder_jnt, arm_{}0_0_jnt, arm_{}0_4_jnt, hand_{}0_0_jnt, leg_{}0_0_jnt, leg_{}0_4_jnt, foot_{}0_0_jnt, toe_{}0_1_jnt", ("L", "R"),
        "thumb_{}0_0_jnt, finger_{}0_0_jnt, finger_{}1_0_jnt, finger_{}2_0_jnt, finger_{}3_0_jnt"),
    "Mixamo joined": Naming(
        "mixamorig1:Hips, mixamorig1:Spine, mixamorig1:Spine2, mixamorig1:Neck, mixamorig1:Head",
        "mixamorig1:{}Shoulder, mixamorig1:{}Arm, mixamorig1:{}ForeArm, mixamorig1:{}Hand, mixamorig1:{}UpLeg, mixamorig1:{}Leg, mixamorig1:{}Foot, mixamorig1:{}ToeBase", ("Left", "Right"),
        "mixamorig1:{}HandThumb1, mixamorig1:{}HandIndex1, mixamorig1:{}HandMiddle1, mixamorig1:{}HandRing1, mixamorig1:{}HandPinky1", "head: mixamorig1:HeadTop_End, toes: mixamorig1:{}Toe_End"),
    "Mixamo without a sign": Naming(
        "mixamorigHips, mixamorigSpine, mixamorigSpine2, mixamorigNeck, mixamorigHead",
        "mixamorig{}Shoulder, mixamorig{}Arm, mixamorig{}ForeArm, mixamorig{}Hand, mixamorig{}UpLeg, mixamorig{}Leg, mixamorig{}Foot, mixamorig{}ToeBase", ("Left", "Right")),
    "Unity": Naming(
        "Hips, Spine, UpperChest, Neck, Head",
        "{} Shoulder, {} UpperArm, {} LowerArm, {} Hand, {} UpperLeg, {} LowerLeg, {} Foot, {} Toes", ("Left", "Right"),
        "{} Thumb Proximal, {} Index Proximal, {} Middle Proximal, {} Ring Proximal, {} Little Proximal"),
    "Sims": Naming(
        "b__Pelvis__, b__Spine0__, b__Spine2__, b__Neck__, b__Head__",
        "b__{}_Clavicle__, b__{}_UpperArm__, b__{}_Forearm__, b__{}_Hand__, b__{}_Thigh__, b__{}_Calf__, b__{}_Foot__, b__{}_Toe__", ("L", "R"),
        "b__{}_Thumb0__, b__{}_Index0__, b__{}_Mid0__, b__{}_Ring0__, b__{}_Pinky0__", "forearm: b__{}_ForearmTwist__, upper_arm: b__{}_ShoulderTwist__, upper_leg: b__{}_ThighTwist__, chest: b__{}_Breast__"),
    "Poser": Naming(
        "hip, abdomen, chest, neck, head",
        "{}Collar, {}Shldr, {}ForeArm, {}Hand, {}Thigh, {}Shin, {}Foot, {}Toe", ("l", "r"), "{}Thumb1, {}Index1, {}Mid1, {}Ring1, {}Pinky1", "head: {}Eye"),
    "Doom": Naming(
        "Hips, waist, Chest, Neck, Head",
        "{}shoulder, {}uparm, {}loarm, {}hand, {}upleg, {}loleg, {}foot, {}toe", ("L", "R"), "", "hand: {}hand_weapon"),
    "Dark Souls": Naming(
        "Pelvis, Spine, Spine1, Neck, Head",
        "{}_Clavicle, {}_UpperArm, {}_Forearm, {}_Hand, {}_Thigh, {}_Calf, {}_Foot, {}_Toe0", ("L", "R"), "{}_Finger0, {}_Finger1, {}_Finger2, {}_Finger3, {}_Finger4", "hand: {}_Weapon, forearm: {}_Shield, upper_arm: {}UpArmTwist, forearm: {}_ForeTwist"),
    "GTA": Naming(
        "SKEL_Pelvis, SKEL_Spine0, SKEL_Spine3, SKEL_Neck_1, SKEL_Head",
        "SKEL_{}_Clavicle, SKEL_{}_UpperArm, SKEL_{}_Forearm, SKEL_{}_Hand, SKEL_{}_Thigh, SKEL_{}_Calf, SKEL_{}_Foot, SKEL_{}_Toe0", ("L", "R"),
        "SKEL_{}_Finger00, SKEL_{}_Finger10, SKEL_{}_Finger20, SKEL_{}_Finger30, SKEL_{}_Finger40", "upper_leg: RB_{}_ThighRoll, upper_arm: RB_{}_ArmRoll, hand: IK_{}_Hand, hand: PH_{}_Hand, upper_arm: MH_{}_Elbow, lower_leg: MH_{}_Knee"),
    "Blanks": Naming(
        "hips, lower back, chest, neck, head",
        "{} collar, {} shoulder, {} elbow, {} wrist, {} hip, {} knee, {} ankle, {} toe", ("left", "right"), "{} thumb 1, {} index 1, {} middle 1, {} ring 1, {} pinky 1"),
    "Snake case": Naming(
        "pelvis, spine_lower, spine_upper, neck, head",
        "{}_clavicle, {}_arm_upper, {}_arm_lower, {}_hand, {}_leg_upper, {}_leg_lower, {}_foot, {}_toe", ("l", "r"), "{}_thumb_a, {}_index_a, {}_middle_a, {}_ring_a, {}_pinky_a"),
    "Low polygons": Naming(
        "Hips, Abdomen, Torso, Neck, Head",
        "Shoulder.{}, UpperArm.{}, LowerArm.{}, Palm.{}, UpperLeg.{}, LowerLeg.{}, Foot.{}, Toe.{}", ("L", "R"), "Thumb1.{}, Index1.{}, Middle1.{}, Ring1.{}, Pinky1.{}", "hips: PoleTarget.{}, hips: IK.Foot.{}"),
    "Talking with hands": Naming(
        "b_root, b_spine0, b_spine3, b_neck0, b_head",
        "b_{}_shoulder, b_{}_arm, b_{}_forearm, b_{}_wrist, b_{}_upleg, b_{}_leg, b_{}_foot, b_{}_ball", ("l", "r"), "b_{}_thumb0, b_{}_index1, b_{}_middle1, b_{}_ring1, b_{}_pinky1", "upper_arm: b_{}_arm_twist, forearm: b_{}_wrist_twist, lower_leg: b_{}_foot_twist, head: b_head_null"),
    "Camera capture": Naming(
        "hips_JNT, spine_JNT, spine2_JNT, neck_JNT, head_JNT",
        "{}_shoulder_JNT, {}_arm_JNT, {}_forearm_JNT, {}_hand_JNT, {}_upleg_JNT, {}_leg_JNT, {}_foot_JNT, {}_toebase_JNT", ("l", "r"), "{}_handThumb1_JNT, {}_handIndex1_JNT, {}_handMiddle1_JNT, {}_handRing1_JNT, {}_handPinky1_JNT"),
    "Keypoints": Naming(
        "Hip, Spine, Thorax, Neck, Head",
        "-, {}Shoulder, {}Elbow, {}Wrist, {}Hip, {}Knee, {}Ankle, -", ("L", "R")),
    "Bandai": Naming(
        "Hips, Spine, Chest, Neck, Head",
        "Shoulder_{}, UpperArm_{}, LowerArm_{}, Hand_{}, UpperLeg_{}, LowerLeg_{}, Foot_{}, Toes_{}", ("L", "R")),
    "Anatomist": Naming(
        "pelvis, lumbar, thorax, cervical, skull",
        "clavicle_{}, humerus_{}, ulna_{}, hand_{}, femur_{}, tibia_{}, talus_{}, toes_{}", ("r", "l")[::-1]),
    "Walking robots": Naming(
        "pelvis, waist_yaw_link, torso_link, neck_link, head_link",
        "-, {}_upper_arm_link, {}_elbow_link, {}_wrist_link, {}_thigh_link, {}_knee_link, {}_ankle_link, {}_toe_link", ("left", "right")),
    "Namespace and path": Naming(
        "hero|Rig:Hips, hero|Rig:Spine, hero|Rig:Spine2, hero|Rig:Neck, hero|Rig:Head",
        "hero|Rig:{}Shoulder, hero|Rig:{}Arm, hero|Rig:{}ForeArm, hero|Rig:{}Hand, hero|Rig:{}UpLeg, hero|Rig:{}Leg, hero|Rig:{}Foot, hero|Rig:{}ToeBase", ("Left", "Right")),
    "Shouting": Naming(
        "HIPS, SPINE, CHEST, NECK, HEAD",
        "{}_SHOULDER, {}_UPPERARM, {}_FOREARM, {}_HAND, {}_THIGH, {}_SHIN, {}_FOOT, {}_TOE", ("L", "R"), "{}_THUMB_01, {}_INDEX_01, {}_MIDDLE_01, {}_RING_01, {}_PINKY_01"),
    "Whispering": Naming(
        "hips, spine, chest, neck, head",
        "{}shoulder, {}upperarm, {}forearm, {}hand, {}thigh, {}calf, {}foot, {}toe", ("left", "right"), "{}thumb1, {}index1, {}middle1, {}ring1, {}pinky1"),
    "Side in brackets": Naming(
        "Hips, Spine, Chest, Neck, Head",
        "Shoulder({}), Upper Arm({}), Forearm({}), Hand({}), Thigh({}), Shin({}), Foot({}), Toe({})", ("L", "R")),
    "Maya": Naming(
        "c_hip_jnt, c_spine_01_jnt, c_chest_jnt, c_neck_01_jnt, c_head_jnt",
        "{}_clav_jnt, {}_shldr_jnt, {}_elbow_jnt, {}_wrist_jnt, {}_hip_jnt, {}_knee_jnt, {}_ankle_jnt, {}_ball_jnt", ("lf", "rt"), "{}_thumb_01_jnt, {}_index_01_jnt, {}_middle_01_jnt, {}_ring_01_jnt, {}_pinky_01_jnt"),
    "German": Naming(
        "Becken, Lendenwirbel, Brustkorb, Nacken, Kopf",
        "Schulter.{}, Oberarm.{}, Unterarm.{}, Hand.{}, Oberschenkel.{}, Unterschenkel.{}, Fuss.{}, Zeh.{}", ("L", "R"), "Daumen1.{}, Zeigefinger1.{}, Mittelfinger1.{}, Ringfinger1.{}, KleinerFinger1.{}"),
    "German side first": Naming(
        "Huefte, Bauch, Brust, Hals, Kopf",
        "{}Schulter, {}Oberarm, {}Ellbogen, {}Handgelenk, {}Oberschenkel, {}Knie, {}Knoechel, {}Zehen", ("Linke", "Rechte"), "{}rDaumen1, {}rZeigefinger1, {}rMittelfinger1, {}rRingfinger1, {}rKleinerFinger1".replace("{}r", "{}")),
    "French": Naming(
        "Bassin, Colonne, Thorax, Cou, Tête",
        "Épaule_{}, Bras_{}, AvantBras_{}, Main_{}, Cuisse_{}, Tibia_{}, Pied_{}, Orteils_{}", ("G", "D"), "Pouce1_{}, Index1_{}, Majeur1_{}, Annulaire1_{}, Auriculaire1_{}"),
    "Spanish": Naming(
        "Pelvis, Columna, Torso, Cuello, Cabeza",
        "Hombro {}, Brazo {}, Antebrazo {}, Mano {}, Muslo {}, Pierna {}, Pie {}, Dedos Pie {}", ("Izq", "Der"), "Pulgar1 {}, Indice1 {}, Medio1 {}, Anular1 {}, Meñique1 {}"),
    "Italian": Naming(
        "Bacino, Schiena, Torace, Collo, Testa",
        "Spalla_{}, Braccio_{}, Avambraccio_{}, Mano_{}, Coscia_{}, Gamba_{}, Piede_{}, Punta_{}", ("Sx", "Dx"), "Pollice1_{}, Indice1_{}, Medio1_{}, Anulare1_{}, Mignolo1_{}"),
    "Chinese": Naming(
        "骨盆, 脊椎, 胸, 脖子, 头",
        "{}锁骨, {}上臂, {}前臂, {}手, {}大腿, {}小腿, {}脚, {}脚趾", ("左", "右"), "{}拇指1, {}食指1, {}中指1, {}无名指1, {}小指1"),
    "Korean": Naming(
        "골반, 척추, 가슴, 목, 머리",
        "{}쇄골, {}위팔, {}아래팔, {}손, {}허벅지, {}종아리, {}발, {}발가락", ("왼쪽", "오른쪽")),
    "Russian": Naming(
        "Таз, Спина, Грудь, Шея, Голова",
        "Ключица.{}, Плечо.{}, Предплечье.{}, Кисть.{}, Бедро.{}, Голень.{}, Стопа.{}, Носок.{}", ("Л", "П")),
    "Polish": Naming(
        "miednica, kregoslup, klatka, szyja, glowa",
        "obojczyk_{}, ramie_{}, przedramie_{}, dlon_{}, udo_{}, lydka_{}, stopa_{}, palce_{}", ("lewy", "prawy")),
    "Turkish": Naming(
        "kalca, omurga, gogus, boyun, bas",
        "omuz_{}, ustkol_{}, onkol_{}, el_{}, uyluk_{}, baldir_{}, ayak_{}, parmakucu_{}", ("sol", "sag")),
    "Dutch": Naming(
        "bekken, ruggengraat, borst, nek, hoofd",
        "sleutelbeen_{}, bovenarm_{}, onderarm_{}, hand_{}, dijbeen_{}, onderbeen_{}, voet_{}, tenen_{}", ("links", "rechts")),
    "Swedish": Naming(
        "höft, rygg, bröst, nacke, huvud",
        "nyckelben_{}, överarm_{}, underarm_{}, hand_{}, lår_{}, underben_{}, fot_{}, tår_{}", ("vänster", "höger")),
}  # fmt: skip
"""Name of the convention to how it names."""

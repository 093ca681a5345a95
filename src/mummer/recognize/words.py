"""The words that people call joints by, in several languages: data, one line a meaning."""

from __future__ import annotations

_MEANINGS: dict[str, str] = {
    # Sides.
    "left": "left lft lf lt l links linke linker linkes gauche izquierda izquierdo izq sinistra sinistro sx esquerda"
    " esquerdo esq zuo hidari levaya levyi levyj levoe lev левый левая левое лев л 左",
    "right": "right rgt rght rt rg r rechts rechte rechter rechtes droite droit derecha derecho der destra destro dx"
    " direita direito you migi pravaya pravyi pravyj pravoe prav правый правая правое прав п 右",
    "center": "center centre mid middl c m mitte milieu centro c0",
    # Where on a limb, or which limb.
    "upper": "upper up upr ober oben superior shang top",
    "lower": "lower low lo lwr unter unten inferior fore avant xia lowr bottom bttm",
    "front": "front vorder vorne devant avant anterior delantera frontal fr",
    "hind": "back hind rear rr hinter arriere posterior trasera bk",
    "mid_leg": "mittel",
    # The trunk.
    "root": "root base origin armature rig reference master cog rootnode scene skeleton グルーブ センター 全ての親"
    " wurzel racine raiz radice koren",
    "body": "body koerper corps cuerpo corpo",
    "hips": "hips pelvis becken bassin cadera caderas bacino quadril taz kuan tun koshi sacrum 下半身 腰 骨盆 臀 таз"
    " torsobottom buttocks",
    "hip": "hip huefte hufte hanche anca coxofemoral hüfte",
    "buttock": "buttock butt glute",
    "spine": "spine spina espina columna coluna colonne wirbelsaeule wirbelsaule ruckgrat rueckgrat lumbar vertebra"
    " vertebrae pozvonochnik jizhu sebone lowerback upperback spn 上半身 脊椎 脊柱 позвоночник",
    "belly": "abdomen stomach belly waist tummy abs bauch ventre cintura vientre ventre taille abdom zhivot fu hara",
    "torso": "torso trunk rumpf tronco torse torace thorax ribcage ribs rib rumpf",
    "chest": "chest brust poitrine pecho petto peito sternum grud xiong mune breastbone 胸 грудь upperchest",
    "neck": "neck hals nacken cou cuello collo pescoco sheya bozi jing kubi cervical neckbone 首 颈 脖 шея",
    "head": "head skull skullbase kopf schaedel schadel tete cabeza testa cabeca golova tou atama cranium 頭 头 голова",
    # Arms.
    "clavicle": "clavicle clav collar collarbone sternoclavicular schluesselbein schlusselbein clavicule clavicula"
    " clavicola klyuchitsa scapula scap acromioclavicular suogu thorax_side 鎖骨 锁骨 ключица",
    "shoulder": "shoulder shoulders shldr shlder shld shoulderblade schulter epaule hombro spalla ombro jian kata"
    " 肩",
    "upper_arm": "upperarm uparm humerus bicep biceps oberarm shangbi dabi joubu arriba_brazo plecho 上臂 大臂 плечо",
    "arm": "arm bras brazo braccio braco ruka ude bi arme 腕",
    "forearm": "forearm forarm lowerarm lowarm loarm elbow radius ulna unterarm ellbogen ellenbogen avantbras coude"
    " antebrazo codo avambraccio gomito antebraco cotovelo predplechie predplechye predpleche lokot xiaobi qianbi"
    " hiji 前臂 小臂 ひじ 肘 предплечье локоть",
    "hand": "hand wrist palm fist carpal handgelenk main poignet mano muneca polso mao pulso kist zapyastie shou"
    " tekubi te gripper claw hnd 手首 手 кисть",
    # Legs.
    "upper_leg": "upperleg upleg thigh femur oberschenkel cuisse muslo coscia coxa bedro datui momo tigh 大腿 бедро",
    "leg": "leg bein jambe pierna gamba perna noga tui ashi 足",
    "lower_leg": "lowerleg lowleg loleg knee shin calf tibia crus unterschenkel knie wade genou mollet rodilla"
    " pantorrilla ginocchio polpaccio joelho panturrilha koleno golen xiaotui hiza 小腿 ひざ 膝 голень",
    "foot": "foot feet ankle paw hoof heel_ankle hock tarsus fuss knoechel pied cheville pie tobillo piede caviglia"
    " pe tornozelo stopa jiao ashikubi 足首 脚 стопа",
    "toes": "toe toes toebase ball forefoot zeh zehe zehen orteil orteils dita_piede nosok jiaozhi tsumasaki"
    " metatarsal つま先 趾",
    "heel": "heel ferse talon",
    # Digits.
    "thumb": "thumb thmb daumen pouce pulgar pollice polegar muzhi oya 親指 拇",
    "index": "index pointer zeigefinger zeige indice 人指 人差指 食指",
    "middle": "middle mittelfinger majeur medio 中指",
    "ring": "ring ringfinger annulaire anular anulare 薬指 无名指",
    "little": "pinky pinkie little pink kleiner kleinerfinger auriculaire menique mignolo mindinho 小指",
    "finger": "finger fingers fing digit digits doigt dedo dedos dito dita palets phalanx zhi yubi",
    "metacarpal": "metacarpal inhand cup",
    # Head.
    "eye": "eye eyeball eyes auge oeil ojo occhio olho glaz yan me 目 两目 両目",
    "eyelid": "eyelid lid blink augenlid",
    "brow": "brow eyebrow eyebrows braue",
    "jaw": "jaw mandible chin kiefer machoire mandibula mascella mandibola chelyust",
    "mouth": "mouth mund bouche boca bocca rot beak bill muzzle snout",
    "lip": "lip lips cheek masseter caninus upperlip lowerlip nasolabial",
    "tongue": "tongue zunge langue lengua lingua yazyk",
    "teeth": "teeth tooth zahn",
    "nose": "nose nostril nase nez nariz naso",
    "ear": "ear ears ohr oreille oreja orecchio orelha ukho mimi",
    "horn": "horn horns antler",
    "face": "face gesicht visage cara temple forehead",
    "hair": "hair haar cheveu cheveux pelo capelli cabelo ponytail pigtail bangs braid beard mustache volos kami mane"
    " forelock 髪",
    # Other parts.
    "tail": "tail schwanz queue cola coda cauda rabo hvost wei shippo 尻尾 尾 хвост",
    "wing": "wing wings fluegel flugel aile ala asa krylo chibang tsubasa 翼 羽 крыло",
    "feather": "feather feathers plume plumage membrane",
    "fin": "fin fins flipper flosse nageoire aleta pinna",
    "antenna": "antenna antennae feeler fuehler stalk",
    "breast": "breast boob bust busto seno pectoral pec 胸部",
    # What is no part of the body.
    "twist": "twist roll rotator bendy tweak half twst share stretch 捩",
    "control": "ik fk ctrl control controller pole target handle driver mch org helper aux poletarget pv effector goal"
    " aim pt locator null nub_ctrl footsteps ikgoal ｉｋ ＩＫ 親ik",
    "end": "end nub tip endsite site leaf effectorend 先",
    "prop": "prop weapon sword gun shield slot socket attach item tool bow staff axe backpack bag helmet hat cap cape"
    " glasses lantern grip holster arrow quiver badge camera",
    "cloth": "skirt cloth dress ribbon sleeve coat belt scarf tie cloak flap apron tassel hood strap kilt",
}  # fmt: skip

NOISE = frozenset(
    [
        "jt",
        "joint",
        "joints",
        "jnt",
        "bone",
        "bones",
        "b",
        "j",
        "bip",
        "def",
        "deform",
        "bip01",
        "bip02",
        "bip001",
        "cc",
        "mixamorig",
        "mixamo",
        "character",
        "char",
        "node",
        "mesh",
        "geo",
        "sk",
        "skeletal",
        "bind",
        "skin",
        "sec",
        "x",
        "xtra",
        "z",
        "xx",
        "grp",
        "group",
        "offset",
        "anchor",
        "parent",
        "child",
    ]
)
"""Words that say nothing about which part is meant."""

WORDS: dict[str, str] = {}
for _meaning, _words in _MEANINGS.items():
    for _word in _words.split():
        WORDS.setdefault(_word, _meaning)
"""Word to meaning; of two meanings the first is kept."""

LONG_WORDS = tuple(sorted((word for word in WORDS if len(word) >= 3 and word.isascii()), key=len, reverse=True))
"""Words long enough to be looked for inside words that are not known."""

SIGNS = tuple(sorted((word for word in WORDS if not word.isascii()), key=len, reverse=True))
"""Words in other scripts, which are written without gaps, the longest first."""

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
    "arm": {"upper_arm": 0.6, "forearm": 0.3},
    "forearm": {"forearm": 1.0},
    "hand": {"hand": 1.0},
    "buttock": {"shoulder": 0.8},
    "upper_leg": {"upper_leg": 1.0},
    "leg": {"upper_leg": 0.5, "lower_leg": 0.5},
    "lower_leg": {"lower_leg": 1.0},
    "foot": {"foot": 1.0},
    "toes": {"toes": 1.0},
}
"""Meanings of the trunk and the limbs to the parts they may stand for, with how likely each is."""

"""The recipe language: what a body is made of, as plain data. See the guide "The zoo" for how to write one.

All lengths are metres and all places are points of the rest pose in the world: Y up, facing +Z, the body's left is +X.
A name with ``{side}`` stands for two: the part as written, on the left, and its mirror image on the right.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

RECIPE_VERSION = 1
Vector: TypeAlias = tuple[float, float, float]
Radius: TypeAlias = float | tuple[float, float]
Surface: TypeAlias = Literal["skin", "sweep", "none"]


class Item(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Base of everything in a recipe: unknown fields are errors."""


class Pattern(Item, frozen=True, kw_only=True):
    """A second colour over a part.

    Attributes:
        kind: ``stripes`` across the part, ``spots``, ``back`` (where the surface looks up) or ``tip`` (the far end).
        color: a name of the palette or ``#rrggbb``.
        size: metres from one stripe or spot to the next; for ``tip`` the length of the coloured end.
    """

    kind: Literal["stripes", "spots", "back", "tip"]
    color: str
    size: float = 0.1


class Chain(Item, frozen=True, kw_only=True):
    """Joints in a row with flesh around them: a spine, a leg, a finger, a tail.

    Attributes:
        name: unique; also the name of the limb.
        kind: ``spine``, ``neck``, ``head``, ``arm``, ``leg``, ``wing``, ``tail``, ``finger``, ``toe``, ``jaw`` ...
        joints: joint names from the body outwards.
        points: where each joint is, and last the end of the part, which has no joint of its own.
        radii: at each point, one number or [along ``across``, the other way].
        parent: the joint that the first joint hangs from; empty for the root.
        across: direction in which the first radius is measured.
        blend: metres over which the flesh flows into what it touches.
        region: name of a region of finer surface that it belongs to.
        surface: ``skin`` flows into the body, ``sweep`` is a tube of its own (thin parts), ``none`` has no flesh.
        color, belly: main colour and the colour of what looks down, as palette names or ``#rrggbb``.
        pattern: a second colour.
        limits: one limit preset for each joint; by default those of the kind.
        bend: direction in which hinges of this chain fold; by default the way they are bent at rest.
        group: the anatomy group its joints belong to; by default its own, or for small parts that of its parent.
        can: capability to the joints of this chain that have it; by default those of the kind.
        sides: corners around a swept tube.
    """

    name: str
    kind: str
    joints: list[str]
    points: list[Vector]
    radii: list[Radius]
    parent: str = ""
    across: Vector = (1.0, 0.0, 0.0)
    blend: float = 0.03
    region: str = ""
    surface: Surface = "skin"
    color: str = "skin"
    belly: str = ""
    pattern: Pattern | None = None
    limits: list[str] = []
    bend: Vector | None = None
    group: str = ""
    can: dict[str, list[str]] | None = None
    sides: int = 8


class Flesh(Item, frozen=True, kw_only=True):
    """More flesh where a chain is not enough: a muscle, a nose, a lip; or a hollow.

    Attributes:
        on: the joint that carries it, or the chain whose joints share it.
        points: the middle line. A single point makes an ellipsoid.
        radii: as for a chain; for an ellipsoid three numbers along X, Y, Z before ``turn``.
        turn: degrees about X, then Y, then Z, of an ellipsoid about its centre.
        carve: whether it is taken away instead of added.
        volume: whether it adds nothing and only marks what its region covers.
        name, across, blend, region, color, belly, pattern: as for a chain.
    """

    on: str
    points: list[Vector]
    radii: list[float | list[float]]
    name: str = ""
    across: Vector = (1.0, 0.0, 0.0)
    turn: Vector = (0.0, 0.0, 0.0)
    blend: float = 0.02
    region: str = ""
    color: str = ""
    belly: str = ""
    pattern: Pattern | None = None
    carve: bool = False
    volume: bool = False


class Sweep(Item, frozen=True, kw_only=True):
    """A crisp part of its own surface: a horn, a claw, a hoof, a tooth, a beak, an eyebrow.

    Attributes:
        on: the joint that carries it, or the chain whose joints share it.
        points, radii, across: as for a chain.
        color, pattern: as for a chain.
        sides: corners around it.
        round_ends: whether the ends are domes; otherwise they are flat.
        name: optional.
    """

    on: str
    points: list[Vector]
    radii: list[Radius]
    across: Vector = (1.0, 0.0, 0.0)
    color: str = "claw"
    pattern: Pattern | None = None
    sides: int = 10
    round_ends: bool = True
    name: str = ""


class Eye(Item, frozen=True, kw_only=True):
    """An eyeball with a joint of its own, and lids.

    Attributes:
        joint: name of its joint.
        parent: the joint it hangs from, which also carries the lids.
        center: of the ball.
        radius: of the ball in metres.
        gaze: direction it looks at rest.
        iris, sclera, pupil: colours.
        pupil_shape: half-width and half-height of the pupil in parts of the iris.
        iris_size: angle of the iris in degrees from the middle of the pupil.
        lids: elevation in degrees of the upper and the lower lid's edge at rest; empty for an eye without lids.
        lid_color: colour of the lids.
    """

    joint: str
    parent: str
    center: Vector
    radius: float
    gaze: Vector = (0.0, 0.0, 1.0)
    iris: str = "iris"
    sclera: str = "#f4f1ea"
    pupil: str = "#0b0b0d"
    pupil_shape: tuple[float, float] = (0.45, 0.45)
    iris_size: float = 32.0
    lids: list[float] = []
    lid_color: str = "skin"


class Membrane(Item, frozen=True, kw_only=True):
    """A thin sheet spanned between chains: a wing, a webbed foot, a sail.

    Attributes:
        name: of its mesh.
        between: chain names in order; the sheet runs from each to the next.
        color: of the sheet.
        thickness: metres.
        scallop: how far the free edge is drawn in between two chains, in parts of their length.
        start: where along the first chain's whole length the sheet begins, 0 to 1, for each chain.
    """

    name: str
    between: list[str]
    color: str
    thickness: float = 0.006
    scallop: float = 0.25
    start: list[float] = []


class Hand(Item, frozen=True, kw_only=True):
    """Fingers (or toes) fanned out from a joint.

    Attributes:
        joint: the joint they hang from.
        kind: ``finger`` or ``toe``.
        name: how its chains are named: ``{name}_{finger}``, for instance ``left_index``.
        fingers: names of the digits from the thumb's side to the other; ``thumb`` leans away from the others.
        root: middle of the knuckles.
        forward: direction of the fingers.
        palm: direction that the palm looks in, towards which fingers fold.
        width: metres from the first knuckle (without thumb) to the last.
        length: of the longest finger in metres.
        radius: of a finger at its base in metres.
        joints: number of joints in a finger.
        spread: degrees between the outer fingers.
        curl: degrees that each joint is bent at rest.
        thumb_root: where the thumb starts; needed with a thumb.
        claws: length of claws in metres.
        region, color, blend, group: as for a chain.
        claw_color: of claws.
        surface: as for a chain.
    """

    joint: str
    name: str
    fingers: list[str]
    root: Vector
    forward: Vector
    palm: Vector
    width: float
    length: float
    radius: float
    kind: Literal["finger", "toe"] = "finger"
    joints: int = 3
    spread: float = 16.0
    curl: float = 8.0
    thumb_root: Vector | None = None
    claws: float = 0.0
    claw_color: str = "claw"
    region: str = ""
    color: str = "skin"
    blend: float = 0.006
    group: str = ""
    surface: Surface = "skin"


class Plume(Item, frozen=True, kw_only=True):
    """A row of feathers, spikes, hairs or teeth along a chain or on a joint.

    Attributes:
        on: the chain along which they stand; each is carried by the chain's joints.
        count: how many.
        span: where along the chain's length the first and the last stand, 0 to 1.
        offset: metres by which their roots are moved.
        lengths: metres of the first and the last.
        directions: of the first and the last.
        width: half-width of one in metres.
        thickness: half-thickness of one in metres.
        across: direction of the width.
        color, pattern: as for a chain.
        pointed: whether they narrow to a point.
        name: optional.
    """

    on: str
    count: int
    lengths: tuple[float, float]
    directions: tuple[Vector, Vector]
    width: float
    thickness: float
    span: tuple[float, float] = (0.0, 1.0)
    offset: Vector = (0.0, 0.0, 0.0)
    across: Vector = (1.0, 0.0, 0.0)
    color: str = "skin"
    pattern: Pattern | None = None
    pointed: bool = False
    name: str = ""


class Region(Item, frozen=True, kw_only=True):
    """A part of the surface made finer than the rest.

    Attributes:
        cell: size of a grid cell in metres.
        margin: how far the region reaches beyond the flesh that is marked with it.
    """

    cell: float
    margin: float = 0.01


class Face(Item, frozen=True, kw_only=True):
    """Where a face is, for the shapes that it can make.

    Attributes:
        head: joint that carries it.
        jaw: joint of the lower jaw.
        mouth: middle of the mouth, between the lips at the front.
        width: half-width of the mouth in metres.
        open: degrees by which the jaw opens in ``jaw_open``.
        gape: degrees by which the jaw is open while the surface is made, so that the lips come apart.
        eyes: eye joints, for lids and brows.
        shapes: whether it gets morphs; a mouth without them still opens by its joint.
    """

    head: str
    jaw: str
    mouth: Vector
    width: float
    open: float = 22.0
    gape: float = 16.0
    eyes: list[str] = []
    shapes: bool = True


class Include(Item, frozen=True, kw_only=True):
    """Parts of another recipe.

    Attributes:
        recipe: its name in the library.
        keep: patterns (``*`` stands for anything) of the names of chains and eyes to take, with all that sits on them;
            none means all.
        drop: patterns of the names of parts to leave out.
        prefix: put before all names.
        scale, turn, move: first scaled about the origin, then turned about ``pivot`` (degrees about X, Y, Z), then
            moved.
        pivot: the point that stays in place while turning.
        parent: the joint from which what has lost its parent hangs.
        recolor: palette name to another one.
    """

    recipe: str
    keep: list[str] = []
    drop: list[str] = []
    prefix: str = ""
    scale: float = 1.0
    turn: Vector = (0.0, 0.0, 0.0)
    move: Vector = (0.0, 0.0, 0.0)
    pivot: Vector = (0.0, 0.0, 0.0)
    parent: str = ""
    recolor: dict[str, str] = {}


class Adjust(Item, frozen=True, kw_only=True):
    """A change of proportions, after everything is put together.

    Attributes:
        chains: patterns of chain names.
        length: factor along the chain.
        girth: factor of thickness, also of what is attached to the chain.
        turn: joint to degrees about X, Y, Z by which it and all that hangs from it is turned.
    """

    chains: list[str] = []
    length: float = 1.0
    girth: float = 1.0
    turn: dict[str, Vector] = {}


class Recipe(Item, frozen=True, kw_only=True):
    """A whole body.

    Attributes:
        version: of the recipe language, `RECIPE_VERSION`.
        name: of the body.
        kind: ``humanoid``, ``quadruped``, ``bird``, ``insect``, ``snake`` ...
        description: one sentence.
        cell: size of a grid cell of the surface in metres.
        floats: metres from the ground to the lowest point; 0 for what stands.
        palette: colour names to ``#rrggbb``.
        regions: finer parts of the surface.
        include, chain, flesh, hand, plume, sweep, eye, membrane, face, adjust: the parts.
    """

    version: int
    name: str
    kind: str
    description: str = ""
    cell: float = 0.02
    floats: float = 0.0
    palette: dict[str, str] = {}
    regions: dict[str, Region] = {}
    include: list[Include] = []
    chain: list[Chain] = []
    flesh: list[Flesh] = []
    hand: list[Hand] = []
    plume: list[Plume] = []
    sweep: list[Sweep] = []
    eye: list[Eye] = []
    membrane: list[Membrane] = []
    face: list[Face] = []
    adjust: list[Adjust] = []

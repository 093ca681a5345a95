"""Small ASCII FBX files made to order: models, meshes, skins, blend shapes and animation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

TICKS = 46186158000  # FBX time units in a second
Row = Sequence[float]


@dataclass
class Scene:
    """A scene under construction; each ``add_`` returns the id of what it added."""

    unit: float = 1.0
    up: int = 1
    front: int = 2
    right: int = 0
    frame_rate: int = 30
    objects: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    used: int = 1000

    def _id(self) -> int:
        self.used += 1
        return self.used

    def connect(self, child: int, parent: int, prop: str | None = None) -> None:
        kind = "OO" if prop is None else "OP"
        self.links.append(f'C: "{kind}",{child},{parent}' + (f', "{prop}"' if prop else ""))

    def add_model(
        self, name: str, parent: int = 0, *, kind: str = "LimbNode", props: Mapping[str, Row] | None = None
    ) -> int:
        model = self._id()
        rows = "\n".join(_property(key, value) for key, value in (props or {}).items())
        self.objects.append(
            f'Model: {model}, "Model::{name}", "{kind}" {{\nVersion: 232\nProperties70: {{\n{rows}\n}}\n}}'
        )
        self.connect(model, parent)
        if kind in ("LimbNode", "Null"):
            attribute = self._id()
            flags = "Skeleton" if kind == "LimbNode" else "Null"
            self.objects.append(f'NodeAttribute: {attribute}, "NodeAttribute::", "{kind}" {{\nTypeFlags: "{flags}"\n}}')
            self.connect(attribute, model)
        return model

    def add_mesh(self, model: int, points: Sequence[Row], faces: Sequence[Sequence[int]]) -> int:
        mesh = self._id()
        corners = [value for face in faces for value in (*face[:-1], -face[-1] - 1)]
        body = f"{_array('Vertices', _flat(points))}\n{_array('PolygonVertexIndex', corners)}\nGeometryVersion: 124"
        self.objects.append(f'Geometry: {mesh}, "Geometry::", "Mesh" {{\n{body}\n}}')
        self.connect(mesh, model)
        return mesh

    def add_skin(self, mesh: int, clusters: Sequence[tuple[int, Sequence[int], Row, Row]]) -> None:
        """Clusters of (bone, vertices, weights, translation of the bone when bound, in file units)."""
        skin = self._id()
        self.objects.append(f'Deformer: {skin}, "Deformer::", "Skin" {{\nVersion: 101\n}}')
        self.connect(skin, mesh)
        for bone, vertices, weights, bound in clusters:
            cluster = self._id()
            inverse = _matrix([-value for value in bound])
            body = [_array("Indexes", vertices), _array("Weights", weights)] if vertices else []
            body += [_array("Transform", inverse), _array("TransformLink", _matrix(bound))]
            rows = "\n".join(body)
            self.objects.append(f'Deformer: {cluster}, "SubDeformer::", "Cluster" {{\nVersion: 100\n{rows}\n}}')
            self.connect(cluster, skin)
            self.connect(bone, cluster)

    def add_blend(self, mesh: int, name: str, vertices: Sequence[int], offsets: Sequence[Row], percent: float) -> int:
        """A blend shape; returns its channel."""
        blend, channel, shape = self._id(), self._id(), self._id()
        self.objects.append(f'Deformer: {blend}, "Deformer::", "BlendShape" {{\nVersion: 100\n}}')
        self.objects.append(
            f'Deformer: {channel}, "SubDeformer::{name}", "BlendShapeChannel" {{\nVersion: 100\n'
            f"DeformPercent: {percent}\n{_array('FullWeights', [100])}\n}}"
        )
        self.objects.append(
            f'Geometry: {shape}, "Geometry::{name}", "Shape" {{\nVersion: 100\n{_array("Indexes", vertices)}\n'
            f"{_array('Vertices', _flat(offsets))}\n}}"
        )
        self.connect(blend, mesh)
        self.connect(channel, blend)
        self.connect(shape, channel)
        return channel

    def add_material(self, model: int, name: str, color: Row, texture: str | None = None) -> None:
        material = self._id()
        rows = (
            f'P: "DiffuseColor", "Color", "", "A",{",".join(map(str, color))}\nP: "DiffuseFactor", "Number", "", "A",1'
        )
        self.objects.append(
            f'Material: {material}, "Material::{name}", "" {{\nShadingModel: "lambert"\n'
            f"Properties70: {{\n{rows}\n}}\n}}"
        )
        self.connect(material, model)
        if texture is not None:
            image = self._id()
            self.objects.append(
                f'Texture: {image}, "Texture::t", "" {{\nFileName: "{texture}"\nRelativeFilename: "{texture}"\n}}'
            )
            self.connect(image, material, "DiffuseColor")

    def add_stack(self, name: str, seconds: tuple[float, float]) -> int:
        """An animation stack; returns its layer."""
        stack, layer = self._id(), self._id()
        start, stop = (round(value * TICKS) for value in seconds)
        rows = f'P: "LocalStart", "KTime", "Time", "",{start}\nP: "LocalStop", "KTime", "Time", "",{stop}'
        self.objects.append(f'AnimationStack: {stack}, "AnimStack::{name}", "" {{\nProperties70: {{\n{rows}\n}}\n}}')
        self.objects.append(f'AnimationLayer: {layer}, "AnimLayer::Base", "" {{\n}}')
        self.connect(layer, stack)
        return layer

    def add_curve(self, layer: int, target: int, prop: str, channels: Mapping[str, tuple[Row, Row]]) -> None:
        """Linear keys (times, values) for channels such as ``d|X`` of one property."""
        node = self._id()
        rows = "\n".join(f'P: "{channel}", "Number", "", "A",{values[0]}' for channel, (_, values) in channels.items())
        self.objects.append(
            f'AnimationCurveNode: {node}, "AnimCurveNode::{prop[:1]}", "" {{\nProperties70: {{\n{rows}\n}}\n}}'
        )
        self.connect(node, layer)
        self.connect(node, target, prop)
        for channel, (times, values) in channels.items():
            curve = self._id()
            body = "\n".join(
                [
                    "KeyVer: 4009",
                    _array("KeyTime", [round(time * TICKS) for time in times]),
                    _array("KeyValueFloat", values),
                    _array("KeyAttrFlags", [4]),  # linear
                    _array("KeyAttrDataFloat", [0, 0, 0, 0]),
                    _array("KeyAttrRefCount", [len(times)]),
                ]
            )
            self.objects.append(f'AnimationCurve: {curve}, "AnimCurve::", "" {{\n{body}\n}}')
            self.connect(curve, node, channel)

    def data(self) -> bytes:
        """The file."""
        modes = {24: 11, 25: 10, 30: 6, 60: 3, 120: 1}
        settings = {
            "UpAxis": self.up,
            "UpAxisSign": 1,
            "FrontAxis": self.front,
            "FrontAxisSign": -1 if self.up == 2 else 1,
            "CoordAxis": self.right,
            "CoordAxisSign": 1,
            "TimeMode": modes[self.frame_rate],
        }
        rows = "\n".join(f'P: "{key}", "int", "Integer", "",{value}' for key, value in settings.items())
        rows += f'\nP: "UnitScaleFactor", "double", "Number", "",{self.unit}'
        return (
            "; FBX 7.4.0 project file\n"
            'FBXHeaderExtension:  {\nFBXHeaderVersion: 1003\nFBXVersion: 7400\nCreator: "test"\n}\n'
            f"GlobalSettings:  {{\nVersion: 1000\nProperties70:  {{\n{rows}\n}}\n}}\n"
            f"Objects:  {{\n{_lines(self.objects)}\n}}\nConnections:  {{\n{_lines(self.links)}\n}}\n"
        ).encode()


def two_joints(**options: Any) -> tuple[Scene, int, int]:
    """A scene with a hip one unit up and a head two units above it."""
    scene = Scene(**options)
    hip = scene.add_model("hip", props={"Lcl Translation": (0, 1, 0)})
    head = scene.add_model("head", hip, props={"Lcl Translation": (0, 2, 0)})
    return scene, hip, head


def _property(name: str, value: Row) -> str:
    kinds = {"RotationOrder": "enum", "InheritType": "enum", "RotationActive": "bool"}
    numbers = ",".join(str(number) for number in value)
    return f'P: "{name}", "{kinds.get(name, name if name.startswith("Lcl") else "Vector3D")}", "", "A",{numbers}'


def _array(name: str, values: Iterable[float]) -> str:
    numbers = list(values)
    return f"{name}: *{len(numbers)} {{\na: {','.join(str(number) for number in numbers)}\n}}"


def _matrix(translation: Row) -> list[float]:
    return [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, *translation, 1]


def _flat(rows: Iterable[Row]) -> list[float]:
    return [value for row in rows for value in row]


def _lines(rows: Iterable[str]) -> str:
    return "\n".join(rows)

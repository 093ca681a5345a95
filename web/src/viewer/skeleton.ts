/** The joints of a body drawn over its surface. */
import { BufferAttribute, BufferGeometry, Color, Group, LineBasicMaterial, LineSegments, type Object3D, Points, PointsMaterial, Vector3 } from "three";
import { cssValue } from "../dom";

export class SkeletonOverlay {
  readonly group = new Group();
  private readonly pairs: [Object3D, Object3D][];
  private readonly lines: BufferAttribute;
  private readonly dots: BufferAttribute;
  private readonly materials: [LineBasicMaterial, PointsMaterial];

  constructor(private readonly bones: Object3D[]) {
    const known = new Set(bones);
    this.pairs = bones.flatMap((bone) => (bone.parent && known.has(bone.parent) ? [[bone.parent, bone]] : []));
    this.lines = new BufferAttribute(new Float32Array(this.pairs.length * 6), 3);
    this.dots = new BufferAttribute(new Float32Array(bones.length * 3), 3);
    const over = { depthTest: false, transparent: true };
    this.materials = [new LineBasicMaterial(over), new PointsMaterial({ ...over, size: 5, sizeAttenuation: false })];
    const drawn = [
      new LineSegments(new BufferGeometry().setAttribute("position", this.lines), this.materials[0]),
      new Points(new BufferGeometry().setAttribute("position", this.dots), this.materials[1]),
    ];
    for (const each of drawn) {
      each.frustumCulled = false;
      each.renderOrder = 10;
      this.group.add(each);
    }
    this.paint();
  }

  /** Take the colours of the page. */
  paint(): void {
    this.materials[0].color = new Color(cssValue("--bone"));
    this.materials[1].color = new Color(cssValue("--joint"));
  }

  /** Follow the joints. */
  update(): void {
    if (!this.group.visible) return;
    const place = new Vector3();
    this.pairs.forEach((pair, index) => {
      pair.forEach((end, side) => {
        end.getWorldPosition(place);
        this.lines.setXYZ(index * 2 + side, place.x, place.y, place.z);
      });
    });
    this.bones.forEach((bone, index) => {
      bone.getWorldPosition(place);
      this.dots.setXYZ(index, place.x, place.y, place.z);
    });
    this.lines.needsUpdate = true;
    this.dots.needsUpdate = true;
  }

  dispose(): void {
    this.group.removeFromParent();
    for (const child of this.group.children) (child as LineSegments).geometry.dispose();
    for (const material of this.materials) material.dispose();
  }
}

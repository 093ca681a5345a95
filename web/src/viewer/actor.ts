/** A body on the stage: its nodes, its joints by number, its surface. */
import { type AnimationClip, Box3, type Bone, type Material, Mesh, type Object3D, Vector3 } from "three";
import { type GLTF, GLTFLoader } from "three/addons/loaders/GLTFLoader.js";

export interface Actor {
  root: Object3D;
  /** By their number in the file; where mummer wrote it, node i is joint i. */
  joints: Object3D[];
  /** What the overlay draws. */
  bones: Object3D[];
  morphed: Mesh[];
  clips: AnimationClip[];
}

export async function readActor(glb: ArrayBuffer): Promise<Actor> {
  const gltf = await new GLTFLoader().parseAsync(glb, "");
  const joints: Object3D[] = [];
  const morphed: Mesh[] = [];
  const marked: Object3D[] = [];
  gltf.scene.traverse((node) => {
    const number = gltf.parser.associations.get(node)?.nodes;
    if (number !== undefined) joints[number] = node;
    if ((node as Bone).isBone) marked.push(node);
    if (node instanceof Mesh) prepare(node, morphed);
  });
  const bones = marked.length ? marked : joints.filter((node) => node && !(node instanceof Mesh));
  return { root: gltf.scene, joints, bones, morphed, clips: named(gltf) };
}

function prepare(mesh: Mesh, morphed: Mesh[]): void {
  mesh.castShadow = true;
  mesh.receiveShadow = true;
  // The bounds of a skinned mesh are those of its rest pose: it would vanish while it is still in sight.
  mesh.frustumCulled = false;
  if (mesh.morphTargetInfluences?.length) morphed.push(mesh);
}

function named(gltf: GLTF): AnimationClip[] {
  gltf.animations.forEach((clip, place) => {
    clip.name ||= `animation ${place + 1}`;
  });
  return gltf.animations;
}

/** The box around the posed surface, or around the joints of a body without one. */
export function boxOf(actor: Actor): Box3 {
  actor.root.updateWorldMatrix(true, true);
  const box = new Box3().setFromObject(actor.root, true);
  if (box.isEmpty()) jointsInto(actor, box);
  return box;
}

/** Make `box` large enough for where the joints are now. */
export function jointsInto(actor: Actor, box: Box3): void {
  const place = new Vector3();
  for (const bone of actor.bones) box.expandByPoint(bone.getWorldPosition(place));
}

export function dispose(actor: Actor): void {
  actor.root.removeFromParent();
  actor.root.traverse((node) => {
    if (!(node instanceof Mesh)) return;
    node.geometry.dispose();
    for (const material of [node.material].flat() as Material[]) {
      for (const value of Object.values(material)) if (value?.isTexture) value.dispose();
      material.dispose();
    }
  });
}

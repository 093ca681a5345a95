/** The motion of one cell: see `mummer.grid.pack` for how it is stored. */
import { AnimationClip, type KeyframeTrack, NumberKeyframeTrack, QuaternionKeyframeTrack, VectorKeyframeTrack } from "three";
import type { Actor } from "./actor";

interface Header {
  frames: number;
  rate: number;
  joints: number;
  moving: number[];
  morphs: string[];
}

const FULL = 32767;

/** The motion in `buffer` as a clip for `actor`, whose joints are numbered as the motion's. */
export function readMotion(buffer: ArrayBuffer, actor: Actor): AnimationClip {
  const length = new DataView(buffer).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length))) as Header;
  const { frames, joints, moving, morphs } = header;
  const turnsAt = 4 + length;
  const placesAt = turnsAt + frames * joints * 8;
  const weightsAt = placesAt + frames * moving.length * 12;
  const turns = new Int16Array(buffer.slice(turnsAt, placesAt));
  const places = new Float32Array(buffer.slice(placesAt, weightsAt));
  const weights = new Int16Array(buffer.slice(weightsAt));
  const times = Float32Array.from({ length: frames }, (_, frame) => frame / header.rate);
  const tracks: KeyframeTrack[] = [];
  for (let joint = 0; joint < joints; joint += 1) {
    const node = actor.joints[joint];
    if (node) tracks.push(new QuaternionKeyframeTrack(`${node.uuid}.quaternion`, times, column(turns, joints, joint, 4, 1 / FULL)));
  }
  moving.forEach((joint, place) => {
    const node = actor.joints[joint];
    if (node) tracks.push(new VectorKeyframeTrack(`${node.uuid}.position`, times, column(places, moving.length, place, 3, 1)));
  });
  for (const mesh of actor.morphed) {
    morphs.forEach((name, place) => {
      const target = mesh.morphTargetDictionary?.[name];
      if (target === undefined) return;
      const values = column(weights, morphs.length, place, 1, 1 / FULL);
      tracks.push(new NumberKeyframeTrack(`${mesh.uuid}.morphTargetInfluences[${target}]`, times, values));
    });
  }
  return new AnimationClip("motion", (frames - 1) / header.rate, tracks);
}

/** One of `count` interleaved columns of `size` numbers each. */
function column(values: Int16Array | Float32Array, count: number, place: number, size: number, scale: number): Float32Array {
  const frames = values.length / (count * size);
  const picked = new Float32Array(frames * size);
  for (let frame = 0; frame < frames; frame += 1) {
    for (let part = 0; part < size; part += 1) {
      picked[frame * size + part] = (values[(frame * count + place) * size + part] ?? 0) * scale;
    }
  }
  return picked;
}

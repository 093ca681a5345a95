// World positions of every joint in every frame of a BVH file, as three.js' BVHLoader reads it.
//
// usage: node three_bvh_positions.mjs FILE ROOT JOINTS OUT
//   ROOT, JOINTS: "add" or "replace", what position channels of the root and of other joints mean.
//   three.js always adds them to the OFFSET; for "replace" the OFFSET is taken off again here.
// OUT gets the positions as float64, frames by joints by 3; standard output gets the joints as JSON.
import { readFileSync, writeFileSync } from 'node:fs';
import { Vector3 } from 'three';
import { BVHLoader } from 'three/examples/jsm/loaders/BVHLoader.js';

const [file, root, joints, out] = process.argv.slice(2);
const text = readFileSync(file, 'utf8');
const { skeleton, clip } = new BVHLoader().parse(text);
// The loader does not tell which joints have position channels: the n-th CHANNELS line is that of the n-th joint.
const hasPosition = text.match(/CHANNELS.*/gi).map((line) => /position/i.test(line));
const bones = skeleton.bones;
const rest = bones.map((bone) => bone.position.clone());
const moving = bones.map((_, index) => index).filter((index) => bones[index].name !== 'ENDSITE');
const frames = clip.tracks.length ? clip.tracks[0].times.length : 0;
const positions = new Float64Array(frames * bones.length * 3);
const place = new Vector3();

for (let frame = 0; frame < frames; frame += 1) {
  moving.forEach((index, order) => {
    const [moves, turns] = [clip.tracks[2 * order], clip.tracks[2 * order + 1]];
    const bone = bones[index];
    bone.position.fromArray(moves.values, 3 * frame);
    bone.quaternion.fromArray(turns.values, 4 * frame);
    const meaning = bone.parent ? joints : root;
    if (meaning === 'replace' && hasPosition[order]) bone.position.sub(rest[index]);
  });
  bones[0].updateMatrixWorld(true);
  bones.forEach((bone, index) => {
    place.setFromMatrixPosition(bone.matrixWorld).toArray(positions, 3 * (frame * bones.length + index));
  });
}

writeFileSync(out, new Uint8Array(positions.buffer));
console.log(JSON.stringify({
  frames,
  bones: bones.map((bone, index) => ({
    name: bone.name,
    parent: bone.parent ? bones.indexOf(bone.parent) : -1,
    offset: rest[index].toArray(),
  })),
}));

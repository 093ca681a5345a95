// Motions moved from one character to another and back by three.js SkeletonUtils.retargetClip.
// Input on stdin: a JSON list of { source, target, clip, fps, names: { target bone: source bone }, hips: [ source, target ], scale, turn }.
// Output: for each one JSON line { frames, there, back }, each { names, rotations: [ per frame [ x, y, z, w, ... ] ], hips: [ per frame [ x, y, z ] ] },
// local transforms of the bones, or { error }. It is helped: rest offsets are given, and the source is turned to face as the target does.
import { readFileSync } from 'node:fs';
import { AnimationMixer, LoopOnce, Matrix4, PropertyBinding, Quaternion } from 'three';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';
import { retargetClip } from 'three/examples/jsm/utils/SkeletonUtils.js';

globalThis.self = globalThis;
globalThis.ProgressEvent ??= class ProgressEvent extends Event {};
const clean = ( name ) => PropertyBinding.sanitizeNodeName( name );
const turnOf = ( node ) => node.getWorldQuaternion( new Quaternion() );

// Pictures cannot be decoded here and do not matter.
function prepared( file ) {

	const bytes = readFileSync( file ), length = bytes.readUInt32LE( 12 );
	const json = JSON.parse( bytes.toString( 'utf8', 20, 20 + length ) );
	const binary = bytes.subarray( 28 + length, 28 + length + bytes.readUInt32LE( 20 + length ) );
	json.buffers[ 0 ].uri = 'data:application/octet-stream;base64,' + binary.toString( 'base64' );
	for ( const key of [ 'images', 'textures', 'materials', 'samplers', 'cameras' ] ) delete json[ key ];
	for ( const mesh of json.meshes ?? [] ) for ( const part of mesh.primitives ) delete part.material;
	return JSON.stringify( json );

}

async function character( file, turn = 0 ) {

	const gltf = await new GLTFLoader().parseAsync( prepared( file ), '' );
	gltf.scene.rotation.y = turn;
	gltf.scene.updateMatrixWorld( true );
	let mesh;
	gltf.scene.traverse( ( o ) => { if ( o.isSkinnedMesh && ( ! mesh || o.skeleton.bones.length > mesh.skeleton.bones.length ) ) mesh = o; } );
	return { mesh, clips: gltf.animations, bone: ( name ) => mesh.skeleton.bones.find( ( b ) => b.name === clean( name ) ) };

}

function record( who, clip, hips, fps, frames ) {

	const mixer = new AnimationMixer( who.mesh ), bones = who.mesh.skeleton.bones;
	mixer.clipAction( clip ).setLoop( LoopOnce ).play().clampWhenFinished = true;
	const made = { names: bones.map( ( b ) => b.name ), rotations: [], hips: [] };
	for ( let frame = 0; frame < frames; frame ++ ) {

		mixer.setTime( Math.min( frame / fps, clip.duration - 1e-6 ) );
		made.rotations.push( bones.flatMap( ( b ) => b.quaternion.toArray() ) );
		made.hips.push( who.bone( hips ).position.toArray() );

	}

	mixer.stopAllAction();
	return made;

}

for ( const task of JSON.parse( readFileSync( 0, 'utf8' ) ) ) {

	try {

		const source = await character( task.source, task.turn ), target = await character( task.target );
		const there = { names: {}, offsets: {} }, back = { names: {}, offsets: {} };
		for ( const [ theirs, mine ] of Object.entries( task.names ) ) {

			const a = source.bone( mine ), b = target.bone( theirs );
			if ( ! a || ! b ) continue;
			const offset = turnOf( a ).invert().multiply( turnOf( b ) );
			there.names[ b.name ] = a.name;
			back.names[ a.name ] = b.name;
			there.offsets[ b.name ] = new Matrix4().makeRotationFromQuaternion( offset );
			back.offsets[ a.name ] = new Matrix4().makeRotationFromQuaternion( offset.clone().invert() );

		}

		const clip = source.clips.find( ( c ) => c.name === task.clip ).clone();
		clip.tracks = clip.tracks.filter( ( t ) => source.bone( t.name.slice( 0, t.name.lastIndexOf( '.' ) ) ) );
		const frames = Math.floor( clip.duration * task.fps ) + 1;
		const [ mine, theirs ] = task.hips.map( clean );
		const made = retargetClip( target.mesh, source.mesh, clip, { names: there.names, localOffsets: there.offsets, hip: mine, scale: task.scale, fps: task.fps } );
		const moved = record( target, made, theirs, task.fps, frames );
		const again = retargetClip( source.mesh, target.mesh, made, { names: back.names, localOffsets: back.offsets, hip: theirs, scale: 1 / task.scale, fps: task.fps } );
		console.log( JSON.stringify( { frames, there: moved, back: record( source, again, mine, task.fps, frames ) } ) );

	} catch ( error ) {

		console.log( JSON.stringify( { error: String( error ) } ) );

	}

}

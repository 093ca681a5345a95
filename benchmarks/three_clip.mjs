// three.js: an AnimationMixer that plays tracks on a tree of Object3D, stepping on or jumping about.
import { THREE, array, near, serve, settings } from './three_common.mjs';

const { parents, names, tracks, steps, rate, duration, checkTime, size } = settings;
const rest = array( Float64Array, 'rest' ), times = array( Float64Array, 'times' ), values = array( Float64Array, 'values' );
const want = array( Float64Array, 'want' );
const nodes = names.map( ( name, joint ) => {

	const node = new THREE.Object3D();
	node.name = name;
	node.position.fromArray( rest, joint * 10 );
	node.quaternion.fromArray( rest, joint * 10 + 3 );
	node.scale.fromArray( rest, joint * 10 + 7 );
	return node;

} );
const scene = new THREE.Object3D();
nodes.forEach( ( node, joint ) => ( parents[ joint ] < 0 ? scene : nodes[ parents[ joint ] ] ).add( node ) );
const kinds = { rotation: [ 'quaternion', THREE.QuaternionKeyframeTrack, 4 ], translation: [ 'position', THREE.VectorKeyframeTrack, 3 ],
	scale: [ 'scale', THREE.VectorKeyframeTrack, 3 ] };
const made = tracks.map( ( { path, joint, time, count, value } ) => {

	const [ property, Track, width ] = kinds[ path ];
	return new Track( `${ names[ joint ] }.${ property }`, times.slice( time, time + count ), values.slice( value, value + count * width ) );

} );
const mixer = new THREE.AnimationMixer( scene );
mixer.clipAction( new THREE.AnimationClip( 'clip', duration, made ) ).play();
const jumps = Array.from( { length: steps }, ( _, i ) => ( i * 0.6180339887 % 1 ) * duration );

await serve( {
	check() {

		mixer.setTime( checkTime );
		scene.updateMatrixWorld();
		nodes.forEach( ( node, joint ) => [ 0, 1, 2 ].forEach( ( axis ) =>
			near( node.matrixWorld.elements[ 12 + axis ], want[ joint * 3 + axis ], 1e-3 * size, `joint ${ joint }` ) ) );

	},
	update() { for ( let i = 0; i < steps; i ++ ) mixer.update( 1 / rate ); },
	updateMatrices() { for ( let i = 0; i < steps; i ++ ) { mixer.update( 1 / rate ); scene.updateMatrixWorld(); } },
	jump() { for ( const time of jumps ) { mixer.setTime( time ); scene.updateMatrixWorld(); } },
} );

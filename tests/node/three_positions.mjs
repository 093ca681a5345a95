// World positions of every node as three.js sees them.
// Input on stdin: a JSON list of { file, queries: [ { animation: number | null, times: [ ... ] } ] }.
// Output: for each file one JSON line { file, nodes: [ node numbers ], positions: [ per query [ per time [ x, y, z, x, ... ] ] ] }.
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { AnimationMixer, Vector3 } from 'three';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';

globalThis.self = globalThis;
globalThis.ProgressEvent ??= class ProgressEvent extends Event {};

// Pictures cannot be decoded here and do not matter; buffers beside the file become part of it.
function prepared( file ) {

	const bytes = readFileSync( file );
	const isBinary = bytes.toString( 'latin1', 0, 4 ) === 'glTF';
	const jsonLength = isBinary ? bytes.readUInt32LE( 12 ) : 0;
	const text = isBinary ? bytes.toString( 'utf8', 20, 20 + jsonLength ) : bytes.toString( 'utf8' );
	const json = JSON.parse( text.replace( /^\uFEFF/, '' ) );
	const binary = isBinary && bytes.length > 28 + jsonLength ? bytes.subarray( 28 + jsonLength, 28 + jsonLength + bytes.readUInt32LE( 20 + jsonLength ) ) : null;

	( json.buffers ?? [] ).forEach( ( buffer, index ) => {

		if ( buffer.uri?.startsWith( 'data:' ) ) return;
		const content = index === 0 && buffer.uri === undefined ? binary : readFileSync( resolve( dirname( file ), decodeURIComponent( buffer.uri ) ) );
		buffer.uri = 'data:application/octet-stream;base64,' + content.toString( 'base64' );

	} );

	for ( const key of [ 'images', 'textures', 'materials', 'samplers', 'cameras' ] ) delete json[ key ];
	for ( const key of [ 'extensionsUsed', 'extensionsRequired', 'extensions' ] ) delete json[ key ];
	for ( const mesh of json.meshes ?? [] ) for ( const part of mesh.primitives ) delete part.material;
	for ( const node of json.nodes ?? [] ) delete node.camera;
	return JSON.stringify( json );

}

function nodesOf( gltf ) {

	const found = new Map();
	gltf.scene.traverse( ( object ) => {

		const node = gltf.parser.associations.get( object )?.nodes;
		if ( node !== undefined && ! found.has( node ) ) found.set( node, object );

	} );
	return found;

}

function positionsAt( gltf, objects, animation, time ) {

	const mixer = new AnimationMixer( gltf.scene );
	if ( animation !== null ) {

		const action = mixer.clipAction( gltf.animations[ animation ] );
		action.clampWhenFinished = true;
		action.setLoop( 2200, 1 ); // LoopOnce: the last key must not wrap to the first
		action.play();
		mixer.setTime( time );

	}

	gltf.scene.updateMatrixWorld( true );
	const point = new Vector3();
	const flat = [];
	for ( const object of objects ) flat.push( ...point.setFromMatrixPosition( object.matrixWorld ).toArray() );
	mixer.stopAllAction();
	return flat;

}

for ( const { file, queries } of JSON.parse( readFileSync( 0, 'utf8' ) ) ) {

	const gltf = await new GLTFLoader().parseAsync( prepared( file ), '' );
	const found = nodesOf( gltf );
	const objects = [ ...found.values() ];
	const positions = queries.map( ( { animation, times } ) => times.map( ( time ) => positionsAt( gltf, objects, animation, time ) ) );
	console.log( JSON.stringify( { file, nodes: [ ...found.keys() ], positions } ) );

}

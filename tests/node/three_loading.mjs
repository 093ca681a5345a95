// A .glb file as three.js loads it where there is no screen: pictures cannot be decoded here and do not matter.
import { readFileSync } from 'node:fs';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';

globalThis.self = globalThis;
globalThis.ProgressEvent ??= class ProgressEvent extends Event {};

export function withoutPictures( file, alsoWithout = [] ) {

	const bytes = readFileSync( file ), length = bytes.readUInt32LE( 12 );
	const json = JSON.parse( bytes.toString( 'utf8', 20, 20 + length ) );
	const binary = bytes.subarray( 28 + length, 28 + length + bytes.readUInt32LE( 20 + length ) );
	if ( json.buffers?.length ) json.buffers[ 0 ].uri = 'data:application/octet-stream;base64,' + binary.toString( 'base64' );
	for ( const key of [ 'images', 'textures', 'materials', 'samplers', 'cameras', ...alsoWithout ] ) delete json[ key ];
	for ( const mesh of json.meshes ?? [] ) for ( const part of mesh.primitives ) delete part.material;
	return JSON.stringify( json );

}

export async function character( file, alsoWithout = [ 'extensionsUsed', 'extensionsRequired', 'extensions' ] ) {

	return new GLTFLoader().parseAsync( withoutPictures( file, alsoWithout ), '' );

}

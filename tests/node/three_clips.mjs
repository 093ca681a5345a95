// The clips of files as three.js gives them. Input on stdin: a JSON list of .glb files.
// Output: for each one JSON line { clips: [ { name, duration, tracks: [ names ], userData } ] }.
import { readFileSync } from 'node:fs';
import { character } from './three_loading.mjs';

for ( const file of JSON.parse( readFileSync( 0, 'utf8' ) ) ) {

	const { animations } = await character( file );
	const clips = animations.map( ( { name, duration, tracks, userData } ) => ( { name, duration, tracks: tracks.map( ( track ) => track.name ), userData } ) );
	console.log( JSON.stringify( { clips } ) );

}

// three.js: BVHLoader from the file to quaternion tracks.
import fs from 'node:fs';
import { near, serve, settings } from './three_common.mjs';

const { BVHLoader } = await import( new URL( '../examples/jsm/loaders/BVHLoader.js', process.argv[ 3 ] ) );
const load = () => new BVHLoader().parse( fs.readFileSync( settings.file, 'utf8' ) );

await serve( {
	check() { near( load().clip.tracks[ 0 ].times.length, settings.frames, 0, 'the number of frames' ); },
	load,
} );

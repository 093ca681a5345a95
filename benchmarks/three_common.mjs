// Answers each line on stdin with the seconds of one run of the work it names.
import fs from 'node:fs';
import path from 'node:path';
import readline from 'node:readline';

const [ folder, address ] = process.argv.slice( 2 );
export const THREE = await import( address );
export const settings = JSON.parse( fs.readFileSync( path.join( folder, 'settings.json' ) ) );

export function array( Type, name ) {

	const bytes = fs.readFileSync( path.join( folder, `${ name }.bin` ) );
	return new Type( bytes.buffer.slice( bytes.byteOffset, bytes.byteOffset + bytes.length ) );

}

export function near( got, want, tolerance, what ) {

	if ( ! ( Math.abs( got - want ) <= tolerance ) ) throw new Error( `three.js disagrees on ${ what }: ${ got } for ${ want }` );

}

// Each work is repeated until it has run for a fifth of a second.
export async function serve( works ) {

	for await ( const line of readline.createInterface( { input: process.stdin } ) ) {

		const work = works[ line.trim() ];
		let runs = 0;
		const start = performance.now();
		do { work(); runs ++; } while ( performance.now() - start < 200 && line.trim() !== 'check' );
		console.log( ( performance.now() - start ) / 1000 / runs );

	}

}

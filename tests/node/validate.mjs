// Khronos glTF validator over a list of files. Input: a JSON list of paths on stdin. Output: one JSON object a line.
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import validator from 'gltf-validator';

const files = JSON.parse( readFileSync( 0, 'utf8' ) );

for ( const file of files ) {

	const beside = async ( uri ) => new Uint8Array( readFileSync( resolve( dirname( file ), decodeURIComponent( uri ) ) ) );
	let line;

	try {

		const report = await validator.validateBytes( new Uint8Array( readFileSync( file ) ), {
			uri: file,
			maxIssues: 0,
			externalResourceFunction: ( uri ) => beside( uri ).catch( ( error ) => Promise.reject( String( error ) ) ),
		} );
		const wanted = report.issues.messages.filter( ( issue ) => issue.severity < 2 );
		line = {
			file,
			errors: wanted.filter( ( issue ) => issue.severity === 0 ).map( ( { code, message, pointer } ) => ( { code, message, pointer } ) ),
			warnings: wanted.filter( ( issue ) => issue.severity === 1 ).map( ( { code, message, pointer } ) => ( { code, message, pointer } ) ),
		};

	} catch ( error ) {

		line = { file, errors: [ { code: 'UNREADABLE', message: String( error ), pointer: '' } ], warnings: [] };

	}

	console.log( JSON.stringify( line ) );

}

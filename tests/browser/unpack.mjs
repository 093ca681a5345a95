// Unpacks the Chromium that comes as an npm package, with the libraries it needs, into node_modules/.chromium.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';

const modules = join( dirname( fileURLToPath( import.meta.url ) ), 'node_modules' );
const folder = join( modules, '.chromium' );
mkdirSync( folder, { recursive: true } );

const unpacked = ( name ) => brotliDecompressSync( readFileSync( join( modules, '@sparticuz/chromium/bin', `${ name }.br` ) ) );
const program = ( name, content ) => {

	writeFileSync( join( folder, name ), content );
	chmodSync( join( folder, name ), 0o755 );

};

for ( const name of [ 'swiftshader.tar', 'al2023.tar' ] ) execFileSync( 'tar', [ 'x', '-C', folder ], { input: unpacked( name ) } );

program( 'headless_shell', unpacked( 'chromium' ) );
program( 'chromium', [
	'#!/bin/sh',
	'here=$(dirname "$(readlink -f "$0")")',
	'LD_LIBRARY_PATH="$here:$here/lib" exec "$here/headless_shell" "$@"',
	'',
].join( '\n' ) );

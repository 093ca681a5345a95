// three.js: a tree of Object3D, local rotations set, updateMatrixWorld.
import { THREE, array, near, serve, settings } from './three_common.mjs';

const { parents, offsets, frames, checkFrame } = settings;
const turns = array( Float64Array, 'turns' ), roots = array( Float64Array, 'roots' ), want = array( Float64Array, 'want' );
const joints = parents.length;
const nodes = offsets.map( ( offset ) => { const node = new THREE.Object3D(); node.position.fromArray( offset ); return node; } );
parents.forEach( ( parent, joint ) => { if ( parent >= 0 ) nodes[ parent ].add( nodes[ joint ] ); } );
const out = new Float32Array( frames * joints * 3 );

function pose( frame ) {

	nodes[ 0 ].position.fromArray( roots, frame * 3 );
	nodes.forEach( ( node, joint ) => node.quaternion.fromArray( turns, ( frame * joints + joint ) * 4 ) );
	nodes[ 0 ].updateMatrixWorld();

}

function read( frame ) {

	for ( let joint = 0, k = frame * joints * 3; joint < joints; joint ++, k += 3 ) {

		const e = nodes[ joint ].matrixWorld.elements;
		out[ k ] = e[ 12 ]; out[ k + 1 ] = e[ 13 ]; out[ k + 2 ] = e[ 14 ];

	}

}

await serve( {
	check() {

		pose( checkFrame );
		nodes.forEach( ( node, joint ) => [ 0, 1, 2 ].forEach( ( axis ) =>
			near( node.matrixWorld.elements[ 12 + axis ], want[ joint * 3 + axis ], 1e-6, `joint ${ joint }` ) ) );

	},
	single() { for ( let i = 0; i < 1000; i ++ ) pose( checkFrame ); },
	batch() { for ( let frame = 0; frame < frames; frame ++ ) pose( frame ); },
	batchRead() { for ( let frame = 0; frame < frames; frame ++ ) { pose( frame ); read( frame ); } },
} );

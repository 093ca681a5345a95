// three.js on the CPU: the position of every vertex of a SkinnedMesh.
import { THREE, array, near, serve, settings } from './three_common.mjs';

const { vertices, joints, frames, checkFrame } = settings;
const rest = array( Float32Array, 'rest' ), matrices = array( Float32Array, 'matrices' ), want = array( Float32Array, 'want' );
const geometry = new THREE.BufferGeometry();
geometry.setAttribute( 'position', new THREE.BufferAttribute( rest, 3 ) );
geometry.setAttribute( 'skinIndex', new THREE.BufferAttribute( array( Uint16Array, 'indices' ), 4 ) );
geometry.setAttribute( 'skinWeight', new THREE.BufferAttribute( array( Float32Array, 'weights' ), 4 ) );
const bones = Array.from( { length: joints }, () => new THREE.Bone() );
const mesh = new THREE.SkinnedMesh( geometry );
for ( const bone of bones ) { mesh.add( bone ); bone.matrixAutoUpdate = bone.matrixWorldAutoUpdate = false; }
mesh.bind( new THREE.Skeleton( bones, bones.map( () => new THREE.Matrix4() ) ), new THREE.Matrix4() );
const out = new Float32Array( frames * vertices * 3 ), point = new THREE.Vector3();

function skin( frame ) {

	bones.forEach( ( bone, joint ) => {

		const start = ( frame * joints + joint ) * 12;
		bone.matrixWorld.set( ...matrices.subarray( start, start + 12 ), 0, 0, 0, 1 );

	} );
	for ( let i = 0, k = frame * vertices * 3; i < vertices; i ++, k += 3 ) mesh.getVertexPosition( i, point ).toArray( out, k );

}

await serve( {
	check() {

		skin( checkFrame );
		for ( let i = 0; i < vertices * 3; i ++ ) near( out[ checkFrame * vertices * 3 + i ], want[ i ], 1e-4, `vertex ${ i / 3 | 0 }` );

	},
	batch() { for ( let frame = 0; frame < frames; frame ++ ) skin( frame ); },
} );

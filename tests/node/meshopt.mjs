// Compresses what it is given with meshoptimizer. Input: a JSON list of jobs on stdin. Output: one JSON object a line,
// with the compressed bytes and what meshoptimizer itself makes of them.
import { readFileSync } from 'node:fs';
import { MeshoptEncoder } from 'meshoptimizer/encoder';
import { MeshoptDecoder } from 'meshoptimizer/decoder';

await Promise.all( [ MeshoptEncoder.ready, MeshoptDecoder.ready ] );

const filters = {
	OCTAHEDRAL: MeshoptEncoder.encodeFilterOct,
	QUATERNION: MeshoptEncoder.encodeFilterQuat,
	EXPONENTIAL: MeshoptEncoder.encodeFilterExp,
	COLOR: MeshoptEncoder.encodeFilterColor,
};

for ( const { source, count, stride, mode, version, level, filter, bits } of JSON.parse( readFileSync( 0, 'utf8' ) ) ) {

	let bytes = new Uint8Array( Buffer.from( source, 'base64' ) );
	if ( filter !== 'NONE' ) bytes = filters[ filter ]( new Float32Array( bytes.buffer ), count, stride, bits );
	const content = mode === 'ATTRIBUTES'
		? MeshoptEncoder.encodeVertexBufferLevel( bytes, count, stride, level, version )
		: MeshoptEncoder.encodeGltfBuffer( bytes, count, stride, mode );
	const plain = new Uint8Array( count * stride );
	MeshoptDecoder.decodeGltfBuffer( plain, count, stride, content, mode, filter );
	const base64 = ( array ) => Buffer.from( array ).toString( 'base64' );
	console.log( JSON.stringify( { content: base64( content ), plain: base64( plain ) } ) );

}

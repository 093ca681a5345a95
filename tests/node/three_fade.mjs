// Cross-fades from one clip of a file to another as three.js plays them.
// Input on stdin: a JSON list of { file, from, to, node, fade, steps }: names of clips, of a node, and seconds.
// Output: for each one JSON line { weights: [ ... ], fading, first, second }, each a list of [ x, y, z ] of the node in the world.
import { readFileSync } from 'node:fs';
import { AnimationMixer, PropertyBinding, Vector3 } from 'three';
import { character } from './three_loading.mjs';

async function played( task, begin ) {

	const gltf = await character( task.file );
	const mixer = new AnimationMixer( gltf.scene );
	const clip = ( name ) => mixer.clipAction( gltf.animations.find( ( one ) => one.name === name ) );
	const actions = begin( clip( task.from ), clip( task.to ) );
	const node = gltf.scene.getObjectByName( PropertyBinding.sanitizeNodeName( task.node ) );
	const places = [], weights = [];
	for ( let step = 0; step <= task.steps; step ++ ) {

		mixer.update( step ? task.fade / task.steps : 0 );
		gltf.scene.updateMatrixWorld( true );
		places.push( new Vector3().setFromMatrixPosition( node.matrixWorld ).toArray() );
		weights.push( actions.at( - 1 ).getEffectiveWeight() );

	}

	return { places, weights };

}

for ( const task of JSON.parse( readFileSync( 0, 'utf8' ) ) ) {

	const fading = await played( task, ( from, to ) => {

		from.play();
		to.play();
		from.crossFadeTo( to, task.fade, false );
		return [ from, to ];

	} );
	const first = await played( task, ( from ) => [ from.play() ] );
	const second = await played( task, ( from, to ) => [ to.play() ] );
	console.log( JSON.stringify( { weights: fading.weights, fading: fading.places, first: first.places, second: second.places } ) );

}

// VRM animation as three-vrm plays it on an avatar.
// Input on stdin: a JSON list of { avatar, motion, times, bones: [ names ] }.
// Output: for each one JSON line { positions: [ per time [ per bone [ x, y, z ] ] ], expressions: { name: [ per time ] }, looks }.
import { readFileSync } from 'node:fs';
import { AnimationMixer, LoopOnce, Vector3 } from 'three';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';
import { VRMCoreLoaderPlugin } from '@pixiv/three-vrm';
import { VRMAnimationLoaderPlugin, VRMLookAtQuaternionProxy, createVRMAnimationClip } from '@pixiv/three-vrm-animation';
import { withoutPictures } from './three_loading.mjs';

async function avatarOf( file ) {

	const loader = new GLTFLoader();
	loader.register( ( parser ) => new VRMCoreLoaderPlugin( parser ) );
	return ( await loader.parseAsync( withoutPictures( file ), '' ) ).userData.vrmCore;

}

for ( const { avatar, motion, times, bones } of JSON.parse( readFileSync( 0, 'utf8' ) ) ) {

	const vrm = await avatarOf( avatar );
	if ( vrm.lookAt ) {

		const proxy = new VRMLookAtQuaternionProxy( vrm.lookAt );
		proxy.name = 'lookAtQuaternionProxy';
		vrm.scene.add( proxy );

	}

	const loader = new GLTFLoader();
	loader.register( ( parser ) => new VRMAnimationLoaderPlugin( parser ) );
	const [ animation ] = ( await loader.parseAsync( withoutPictures( motion ), '' ) ).userData.vrmAnimations;
	const mixer = new AnimationMixer( vrm.scene );
	const action = mixer.clipAction( createVRMAnimationClip( animation, vrm ) ).setLoop( LoopOnce );
	action.clampWhenFinished = true;
	action.play();
	const names = [ ...animation.expressionTracks.preset.keys(), ...animation.expressionTracks.custom.keys() ];
	const positions = [], expressions = Object.fromEntries( names.map( ( name ) => [ name, [] ] ) );
	for ( const time of times ) {

		mixer.setTime( time );
		vrm.humanoid.update();
		vrm.scene.updateMatrixWorld( true );
		positions.push( bones.map( ( bone ) => vrm.humanoid.getRawBoneNode( bone )?.getWorldPosition( new Vector3() ).toArray() ?? null ) );
		for ( const name of names ) expressions[ name ].push( vrm.expressionManager?.getValue( name ) ?? null );

	}

	console.log( JSON.stringify( { positions, expressions, looks: animation.lookAtTrack !== null } ) );

}

/** The stage: lights, ground, camera, and the picture of them. */
import {
  type Box3, Color, DirectionalLight, GridHelper, HemisphereLight, Mesh, NeutralToneMapping, PCFShadowMap,
  PerspectiveCamera, PlaneGeometry, Scene, ShadowMaterial, Vector3, WebGLRenderer,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { cssValue } from "../dom";

/** Where the camera looks from unless somebody turned it: ahead and to the side of the body, from above. */
const FROM = new Vector3(0.72, 0.36, 1).normalize();

/** One, two or five times a power of ten, near `value`: how many metres the lines of the ground stand apart. */
function roundNumber(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const digit = value / power;
  return power * (digit < 1.5 ? 1 : digit < 3.5 ? 2 : digit < 7.5 ? 5 : 10);
}

export class Stage {
  readonly scene = new Scene();
  readonly camera = new PerspectiveCamera(32, 1, 0.01, 1000);
  readonly renderer: WebGLRenderer;
  readonly orbit: OrbitControls;
  private readonly sun = new DirectionalLight(0xffffff, 2.6);
  private readonly sky = new HemisphereLight(0xffffff, 0xa09488, 2.1);
  private readonly shade = new ShadowMaterial({ opacity: 0.3 });
  private lines: GridHelper | undefined;
  private reach = 1;
  private floor = 0;

  constructor(canvas: HTMLCanvasElement) {
    this.renderer = new WebGLRenderer({ canvas, antialias: true, alpha: true });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.renderer.toneMapping = NeutralToneMapping;
    this.orbit = new OrbitControls(this.camera, canvas);
    this.orbit.enableDamping = true;
    this.orbit.dampingFactor = 0.12;
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sun.shadow.radius = 5;
    const ground = new Mesh(new PlaneGeometry(1, 1).rotateX(-Math.PI / 2), this.shade);
    ground.name = "ground";
    ground.receiveShadow = true;
    this.scene.add(this.sky, this.sun, this.sun.target, ground);
  }

  /** Turn the camera to a body that stays within `box`, and lay the ground at `floor`. */
  frame(box: Box3, floor: number): void {
    const middle = box.getCenter(new Vector3());
    const radius = Math.max(box.getSize(new Vector3()).length() / 2, 1e-3);
    this.reach = radius;
    this.floor = floor;
    const narrow = Math.min(1, this.camera.aspect);
    const away = (radius / Math.sin((this.camera.fov * Math.PI) / 360) / narrow) * 0.92;
    this.camera.near = away / 200;
    this.camera.far = away * 40;
    this.camera.updateProjectionMatrix();
    this.orbit.target.copy(middle);
    this.camera.position.copy(middle).addScaledVector(FROM, away);
    this.orbit.minDistance = radius * 0.3;
    this.orbit.maxDistance = away * 8;
    this.orbit.update();
    this.layGround(middle);
    this.paint();
  }

  /** Move camera and light along with what they look at. */
  follow(place: Vector3): void {
    const step = place.clone().sub(this.orbit.target);
    this.orbit.target.add(step);
    this.camera.position.add(step);
    this.light(this.orbit.target);
  }

  /** Take the colours of the page. */
  paint(): void {
    const dark = cssValue("--is-dark") === "1";
    this.shade.opacity = dark ? 0.55 : 0.28;
    this.sky.intensity = dark ? 1.5 : 2.1;
    this.sky.groundColor = new Color(dark ? 0x50535c : 0xa09488);
    if (!this.lines) return;
    const material = this.lines.material as GridHelper["material"] & { color: Color; opacity: number; transparent: boolean };
    material.color = new Color(cssValue("--ground-line"));
    material.transparent = true;
    material.opacity = 0.7;
  }

  resize(width: number, height: number): void {
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / Math.max(1, height);
    this.camera.updateProjectionMatrix();
  }

  draw(): void {
    this.orbit.update();
    this.renderer.render(this.scene, this.camera);
  }

  dispose(): void {
    this.orbit.dispose();
    this.renderer.dispose();
  }

  private layGround(middle: Vector3): void {
    const ground = this.scene.getObjectByName("ground");
    ground?.scale.setScalar(this.reach * 40);
    ground?.position.set(middle.x, this.floor, middle.z);
    this.lines?.removeFromParent();
    this.lines?.dispose();
    const step = roundNumber(this.reach * 0.4);
    const count = Math.min(200, 2 * Math.ceil((this.reach * 6) / step));
    this.lines = new GridHelper(step * count, count, 0xffffff, 0xffffff);
    this.lines.geometry.deleteAttribute("color");
    (this.lines.material as { vertexColors: boolean }).vertexColors = false;
    this.lines.position.set(Math.round(middle.x / step) * step, this.floor + this.reach * 1e-3, Math.round(middle.z / step) * step);
    this.scene.add(this.lines);
    this.light(middle);
  }

  private light(at: Vector3): void {
    const { reach, sun } = this;
    sun.target.position.copy(at);
    sun.position.set(at.x + reach * 1.4, at.y + reach * 3.2, at.z + reach * 1.8);
    const camera = sun.shadow.camera;
    camera.left = camera.bottom = -reach * 1.8;
    camera.right = camera.top = reach * 1.8;
    camera.near = reach * 0.1;
    camera.far = reach * 9;
    camera.updateProjectionMatrix();
    sun.shadow.normalBias = reach * 0.01;
    sun.shadow.bias = -0.0005;
  }
}

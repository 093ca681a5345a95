/** A stage with a body on it, and the controls to play its motion. */
import { type AnimationAction, type AnimationClip, AnimationMixer, Box3, Vector3 } from "three";
import { element } from "../dom";
import { type Actor, boxOf, dispose, jointsInto } from "./actor";
import { Controls } from "./controls";
import { SkeletonOverlay } from "./skeleton";
import { Stage } from "./stage";

/** Moments of a motion that are looked at to find how much room it takes. */
const LOOKS = 24;

export class Player {
  readonly element: HTMLElement;
  private readonly canvas = element("canvas", { class: "picture", tabindex: 0, "aria-label": "the body in motion; drag to turn it" });
  private readonly note = element("p", { class: "note", role: "status" });
  private readonly controls: Controls;
  private readonly stage: Stage;
  private actor: Actor | undefined;
  private overlay: SkeletonOverlay | undefined;
  private mixer: AnimationMixer | undefined;
  private action: AnimationAction | undefined;
  private room = new Box3();
  private floor = 0;
  private before = 0;
  private request = 0;

  constructor() {
    this.controls = new Controls({
      changed: () => this.apply(),
      fit: () => this.stage.frame(this.room, this.floor),
      chosen: (clip) => this.play(clip),
    });
    this.element = element("section", { class: "player", "aria-label": "viewer" }, this.canvas, this.note, this.controls.element);
    this.stage = new Stage(this.canvas);
    new ResizeObserver(() => this.resize()).observe(this.canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.repaint());
    document.addEventListener("mummer-theme", () => this.repaint());
    this.element.addEventListener("keydown", (event) => this.controls.key(event));
    this.request = requestAnimationFrame((now) => this.tick(now));
  }

  /** Say something instead of showing a body. */
  say(text: string): void {
    this.clear();
    this.note.textContent = text;
    this.controls.element.hidden = true;
  }

  /** Show a body, and let it play the first of `clips`. */
  show(actor: Actor, clips: AnimationClip[]): void {
    this.clear();
    this.note.textContent = "";
    this.actor = actor;
    this.overlay = new SkeletonOverlay(actor.bones);
    this.stage.scene.add(actor.root, this.overlay.group);
    this.mixer = new AnimationMixer(actor.root);
    this.controls.element.hidden = false;
    const bare = new Box3().setFromObject(actor.root).isEmpty();
    this.controls.start(clips, bare);
    this.resize();
    this.play(clips[0]);
  }

  /** Stop at a moment. */
  seek(seconds: number): void {
    this.controls.scrub(seconds);
  }

  private play(clip: AnimationClip | undefined): void {
    if (!this.actor || !this.mixer) return;
    this.mixer.stopAllAction();
    const rest = boxOf(this.actor);
    this.floor = Math.min(0, rest.min.y) > -0.02 * rest.getSize(new Vector3()).y ? 0 : rest.min.y;
    this.room = rest.clone();
    this.action = clip && this.mixer.clipAction(clip).play();
    this.controls.duration = clip?.duration ?? 0;
    if (clip) this.measure(clip.duration, rest);
    this.apply();
    this.stage.frame(this.room, this.floor);
  }

  /** How much room the motion takes, unless it travels so far that the camera had better follow. */
  private measure(duration: number, rest: Box3): void {
    const joints = new Box3();
    for (let look = 0; look <= LOOKS; look += 1) {
      this.mixer?.setTime((0.999 * duration * look) / LOOKS);
      this.actor?.root.updateWorldMatrix(true, true);
      if (this.actor) jointsInto(this.actor, joints);
    }
    const size = rest.getSize(new Vector3()).length();
    const travels = joints.getSize(new Vector3()).length() > 2.2 * size;
    this.controls.following = travels;
    if (!travels) this.room.union(joints);
  }

  private apply(): void {
    // A clip that repeats is at its beginning again when it ends.
    const last = (this.action?.getClip().duration ?? 0) - 1e-4;
    this.mixer?.setTime(Math.max(0, Math.min(this.controls.time, last)));
    if (this.overlay) this.overlay.group.visible = this.controls.showsSkeleton;
    this.actor?.root.updateWorldMatrix(true, true);
    this.overlay?.update();
    if (this.controls.following) this.lookAtBody();
  }

  private lookAtBody(): void {
    const first = this.actor?.bones[0];
    if (!first) return;
    const place = first.getWorldPosition(new Vector3());
    place.y = this.stage.orbit.target.y;
    this.stage.follow(place);
  }

  private tick(now: number): void {
    const seconds = Math.min(0.1, (now - this.before) / 1000);
    this.before = now;
    if (this.actor && this.element.isConnected && this.canvas.clientWidth) {
      if (this.controls.advance(seconds)) this.apply();
      this.stage.draw();
    }
    this.request = requestAnimationFrame((next) => this.tick(next));
  }

  private resize(): void {
    const { clientWidth, clientHeight } = this.canvas;
    if (clientWidth && clientHeight) this.stage.resize(clientWidth, clientHeight);
  }

  private repaint(): void {
    this.stage.paint();
    this.overlay?.paint();
  }

  private clear(): void {
    this.mixer?.stopAllAction();
    if (this.actor) dispose(this.actor);
    this.overlay?.dispose();
    this.actor = this.overlay = this.mixer = this.action = undefined;
  }

  stop(): void {
    cancelAnimationFrame(this.request);
    this.clear();
    this.stage.dispose();
  }
}

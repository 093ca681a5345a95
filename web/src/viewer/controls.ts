/** Play, scrub, speed and what to show: the row under the picture. */
import type { AnimationClip } from "three";
import { button, element, select } from "../dom";

interface Listeners {
  changed: () => void;
  fit: () => void;
  chosen: (clip: AnimationClip | undefined) => void;
}

const SPEEDS = ["0.1", "0.25", "0.5", "1", "2"] as const;
const FRAME = 1 / 60;

export class Controls {
  readonly element: HTMLElement;
  showsSkeleton = false;
  time = 0;
  private playing = true;
  private speed = 1;
  private length = 0;
  private follows = false;
  private clips: AnimationClip[] = [];
  private readonly play = button("", () => this.toggle(), { class: "play" });
  private readonly slider = element("input", { type: "range", min: 0, max: 1, step: FRAME, value: 0, "aria-label": "time" });
  private readonly clock = element("output", { class: "clock" });
  private readonly skeleton = button("Skeleton", () => this.toggleSkeleton(), { title: "Show the joints (S)" });
  private readonly follow = button("Follow", () => this.toggleFollow(), { title: "Keep the body in sight (C)" });
  private readonly which: HTMLSelectElement;
  private readonly pace: HTMLSelectElement;

  constructor(private readonly listeners: Listeners) {
    this.which = select("animation", [], (value) => this.choose(Number(value)));
    this.pace = select("speed", SPEEDS.map((speed) => [speed, `${speed}×`] as const), (value) => {
      this.speed = Number(value);
    });
    this.pace.value = "1";
    this.slider.addEventListener("input", () => this.scrub(Number(this.slider.value)));
    const fit = button("Fit", () => listeners.fit(), { title: "Show all of the body (F)" });
    this.element = element(
      "div", { class: "controls" },
      element("div", { class: "transport" }, this.play, this.slider, this.clock),
      element("div", { class: "options" }, this.which, this.pace, this.skeleton, this.follow, fit),
    );
    this.show();
  }

  get following(): boolean {
    return this.follows;
  }

  set following(value: boolean) {
    this.follows = value;
    this.show();
  }

  set duration(seconds: number) {
    this.length = seconds;
    this.slider.max = String(seconds || 1);
    this.slider.disabled = this.play.disabled = this.pace.disabled = seconds <= 0;
    this.time = 0;
    this.show();
  }

  /** Begin anew with a body that has these clips; one without a surface shows its joints. */
  start(clips: AnimationClip[], bare: boolean): void {
    this.clips = clips;
    this.playing = !matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.showsSkeleton ||= bare;
    this.which.replaceChildren(...clips.map((clip, place) => element("option", { value: place }, clip.name)));
    this.which.hidden = clips.length < 2;
    this.show();
  }

  /** Go on by so many seconds; whether anything changed. */
  advance(seconds: number): boolean {
    if (!this.playing || this.length <= 0) return false;
    this.time = (this.time + seconds * this.speed) % this.length;
    this.show();
    return true;
  }

  key(event: KeyboardEvent): void {
    const inField = event.target instanceof HTMLSelectElement || event.target instanceof HTMLButtonElement;
    const letter = event.key.toLowerCase();
    if (letter === " " && !inField) this.toggle();
    else if (letter === "s" && !inField) this.toggleSkeleton();
    else if (letter === "c" && !inField) this.toggleFollow();
    else if (letter === "f" && !inField) this.listeners.fit();
    else if ((letter === "," || letter === ".") && !inField) this.scrub(this.time + (letter === "." ? FRAME : -FRAME));
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  private choose(place: number): void {
    this.listeners.chosen(this.clips[place]);
  }

  /** Stop at a moment. */
  scrub(time: number): void {
    this.playing = false;
    this.time = Math.min(this.length, Math.max(0, time));
    this.show();
    this.listeners.changed();
  }

  private toggle(): void {
    this.playing = !this.playing;
    this.show();
  }

  private toggleSkeleton(): void {
    this.showsSkeleton = !this.showsSkeleton;
    this.show();
    this.listeners.changed();
  }

  private toggleFollow(): void {
    this.following = !this.following;
    this.listeners.changed();
  }

  private show(): void {
    const playing = this.playing && this.length > 0;
    this.play.textContent = playing ? "❚❚" : "▶";
    this.play.setAttribute("aria-label", playing ? "pause" : "play");
    this.slider.value = String(this.time);
    this.slider.style.setProperty("--done", `${this.length ? (100 * this.time) / this.length : 0}%`);
    this.clock.textContent = `${this.time.toFixed(2)} / ${this.length.toFixed(2)} s`;
    this.skeleton.setAttribute("aria-pressed", String(this.showsSkeleton));
    this.follow.setAttribute("aria-pressed", String(this.follows));
  }
}

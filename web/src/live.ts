/** The page of `mummer serve`: everybody on one stage, as they are now, and a place to tell them what to do. */
import { Box3, Object3D, Vector3 } from "three";
import { button, element } from "./dom";
import { themeButton } from "./theme";
import { type Actor, boxOf, readActor } from "./viewer/actor";
import { Stage } from "./viewer/stage";

interface Member {
  name: string;
  number: number;
  joints: string[];
  morphs: string[];
  body: string;
}

interface Hello {
  type: "hello";
  characters: Member[];
}

interface Feedback {
  type: "feedback";
  reports: Report[];
}

interface Report {
  kind: string;
  block: string;
  behavior: string | null;
  sync: string | null;
  globalTime: number;
  text?: string;
}

interface Reply {
  type: "reply";
  ok: boolean;
  error?: string;
}

const POSES = 1;
const SOUND = 2;
const TURN = 32767;
const WEIGHT = 16384;
/** Lines of feedback that stay on the page. */
const MOST_LINES = 200;
/** Seconds that sound is played late, so that its pieces join. */
const LATE = 0.15;

const EXAMPLE = `<bml xmlns="http://www.bml-initiative.org/bml/bml-1.0" id="hello">
  <speech id="s"><text>Good evening, <sync id="all"/>everybody.</text></speech>
  <gaze id="g" target="camera" start="0"/>
  <head id="nod" lexeme="NOD" stroke="s:all"/>
</bml>`;

export function showLive(app: HTMLElement): void {
  new LivePage(app).connect();
}

class LivePage {
  private readonly canvas = element("canvas", { class: "picture", "aria-label": "the characters as they are now; drag to turn" });
  private readonly note = element("p", { class: "note", role: "status" });
  private readonly lines = element("ol", { class: "lines", "aria-label": "feedback" });
  private readonly text = element("textarea", { rows: 7, spellcheck: "false", "aria-label": "BML" });
  private readonly stage: Stage;
  private readonly actors = new Map<number, Actor>();
  private members = new Map<number, Member>();
  private socket: WebSocket | undefined;
  private audio: AudioContext | undefined;
  private began = 0;
  /** Frames that came while everybody was on the stage. */
  private frames = 0;
  private sent = 0;

  constructor(app: HTMLElement) {
    this.text.value = EXAMPLE;
    const play = button("Play", () => this.play(), { class: "play" });
    const panel = element("aside", { class: "live-panel" }, this.text, play, this.lines);
    const heading = element("header", { class: "bar" }, element("h1", {}, "mummer, live"), themeButton());
    const stage = element("section", { class: "player" }, this.canvas, this.note);
    app.className = "view-page live-page";
    app.append(heading, element("main", { class: "live" }, stage, panel));
    this.stage = new Stage(this.canvas);
    new ResizeObserver(() => this.stage.resize(this.canvas.clientWidth, this.canvas.clientHeight)).observe(this.canvas);
    document.addEventListener("mummer-theme", () => this.stage.paint());
    const tick = (): void => {
      this.stage.draw();
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  connect(): void {
    this.note.textContent = "Connecting …";
    const socket = new WebSocket(address("live", "ws"));
    socket.binaryType = "arraybuffer";
    socket.onmessage = (event) => {
      if (typeof event.data === "string") this.hear(JSON.parse(event.data) as Hello | Feedback | Reply);
      else this.see(event.data as ArrayBuffer);
    };
    socket.onclose = () => {
      this.note.textContent = "The server is gone; trying again …";
      setTimeout(() => this.connect(), 1000);
    };
    this.socket = socket;
  }

  private play(): void {
    this.audio ??= new AudioContext();
    void this.audio.resume();
    this.sent += 1;
    // A block of one name is played once at a time: each press gives it another.
    const text = this.text.value.replace(/(<bml\b[^>]*\bid=")([^"]*)"/, `$1$2_${this.sent}"`);
    this.socket?.send(JSON.stringify({ type: "bml", text }));
  }

  private hear(message: Hello | Feedback | Reply): void {
    if (message.type === "hello") void this.meet(message.characters);
    else if (message.type === "feedback") {
      for (const report of message.reports) this.tell(report);
    } else if (!message.ok) this.line(message.error ?? "refused", "warning");
  }

  private tell(report: Report): void {
    if (report.kind === "prediction") return;
    const name = [report.block, report.behavior, report.sync].filter(Boolean).join(":");
    this.line(`${report.globalTime.toFixed(2)}  ${name}${report.text ? ` ${report.text}` : ""}`, report.kind);
  }

  private line(text: string, kind: string): void {
    this.lines.prepend(element("li", { class: kind }, text));
    while (this.lines.childElementCount > MOST_LINES) this.lines.lastElementChild?.remove();
  }

  private async meet(members: Member[]): Promise<void> {
    this.members = new Map(members.map((member) => [member.number, member]));
    for (const member of members) {
      if (this.actors.has(member.number)) continue;
      const answer = await fetch(address(member.body, "http"));
      const actor = await readActor(await answer.arrayBuffer());
      this.actors.set(member.number, actor);
      this.stage.scene.add(actor.root);
    }
    this.note.textContent = "";
    this.began = 0;
  }

  private see(buffer: ArrayBuffer): void {
    const view = new DataView(buffer);
    const kind = view.getUint8(0);
    if (kind === POSES) this.pose(view);
    else if (kind === SOUND) this.sound(view);
  }

  /** Poses: see `mummer.live.protocol` for how they are stored. */
  private pose(view: DataView): void {
    let place = 16;
    for (let count = view.getUint16(2, true); count > 0; count -= 1) {
      const number = view.getUint16(place, true);
      const joints = view.getUint16(place + 2, true);
      const morphs = view.getUint16(place + 4, true);
      const flags = view.getUint16(place + 6, true);
      const turns = place + 20;
      const moved = turns + 8 * joints;
      const weights = moved + (flags & 1 ? 12 * joints : 0) + (flags & 2 ? 12 * joints : 0);
      const actor = this.actors.get(number);
      if (actor) {
        actor.joints[0]?.position.set(view.getFloat32(place + 8, true), view.getFloat32(place + 12, true), view.getFloat32(place + 16, true));
        for (let joint = 0; joint < joints; joint += 1) turn(actor.joints[joint], view, turns + 8 * joint);
        if (flags & 1) for (let joint = 0; joint < joints; joint += 1) move(actor.joints[joint], view, moved + 12 * joint);
        this.morph(actor, this.members.get(number)?.morphs ?? [], view, weights);
      }
      place = weights + 2 * morphs;
    }
    if (this.actors.size === 0 || this.actors.size < this.members.size) return;
    this.frames += 1;
    this.canvas.dataset.frames = String(this.frames);
    if (this.began === 0) this.look();
  }

  private look(): void {
    this.began = this.frames;
    const box = new Box3();
    for (const actor of this.actors.values()) box.union(boxOf(actor));
    this.stage.frame(box.expandByVector(new Vector3(0.2, 0.1, 0.2)), 0);
  }

  private morph(actor: Actor, names: string[], view: DataView, at: number): void {
    for (const mesh of actor.morphed) {
      names.forEach((name, place) => {
        const target = mesh.morphTargetDictionary?.[name];
        if (target !== undefined && mesh.morphTargetInfluences) mesh.morphTargetInfluences[target] = view.getInt16(at + 2 * place, true) / WEIGHT;
      });
    }
  }

  /** A piece of a sound: it is played where it belongs, a little late. */
  private sound(view: DataView): void {
    if (!this.audio) return;
    const rate = view.getUint32(4, true);
    const before = view.getUint32(20, true);
    const count = (view.byteLength - 24) / 2;
    if (count <= 0) return;
    const piece = this.audio.createBuffer(1, count, rate);
    const samples = piece.getChannelData(0);
    for (let place = 0; place < count; place += 1) samples[place] = view.getInt16(24 + 2 * place, true) / TURN;
    const source = this.audio.createBufferSource();
    source.buffer = piece;
    source.connect(this.audio.destination);
    const number = view.getUint32(16, true);
    if (before === 0) this.heard.set(number, this.audio.currentTime + LATE);
    const start = this.heard.get(number);
    if (start !== undefined) source.start(Math.max(this.audio.currentTime, start + before / rate));
    if (this.heard.size > 100) this.heard.delete(this.heard.keys().next().value as number);
  }

  private readonly heard = new Map<number, number>();
}

function turn(joint: Object3D | undefined, view: DataView, at: number): void {
  joint?.quaternion
    .set(view.getInt16(at, true), view.getInt16(at + 2, true), view.getInt16(at + 4, true), view.getInt16(at + 6, true))
    .normalize();
}

function move(joint: Object3D | undefined, view: DataView, at: number): void {
  joint?.position.set(view.getFloat32(at, true), view.getFloat32(at + 4, true), view.getFloat32(at + 8, true));
}

/** Where something of the server is, with the token that the page was opened with. */
function address(path: string, scheme: "http" | "ws"): string {
  const url = new URL(path, location.href);
  url.protocol = location.protocol === "https:" ? `${scheme}s:` : `${scheme}:`;
  url.search = new URLSearchParams({ token: new URLSearchParams(location.search).get("token") ?? "" }).toString();
  return url.href;
}

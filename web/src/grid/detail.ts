/** The chosen cell: its motion, what every judge says, and how to make it again. */
import { type Body, type Cell, type GridData, STATUS_NAMES } from "../data";
import { button, element } from "../dom";
import { bring } from "../scripts";
import { readActor } from "../viewer/actor";
import { readMotion } from "../viewer/motion";
import { Player } from "../viewer/player";
import { namesOf, short } from "./describe";

/** The moment that a text such as "left_hand at 0.53 s" speaks of. */
function secondsIn(text: string): number {
  return Number(/ at ([\d.]+) s/.exec(text)?.[1] ?? 0);
}

interface Listeners {
  closed: () => void;
  step: (direction: 1 | -1) => void;
}

export class Detail {
  readonly element: HTMLElement;
  private readonly heading = element("h2", {});
  private readonly badge = element("span", { class: "badge" });
  private readonly scores = element("div", { class: "scores" });
  private readonly command = element("code", {});
  private readonly player = new Player();
  private asked = -1;

  constructor(private readonly data: GridData, listeners: Listeners) {
    const steps = [
      button("‹", () => listeners.step(-1), { title: "Previous failure (p)", "aria-label": "previous failure" }),
      button("›", () => listeners.step(1), { title: "Next failure (n)", "aria-label": "next failure" }),
      button("✕", () => listeners.closed(), { title: "Close (Esc)", "aria-label": "close" }),
    ];
    const top = element("div", { class: "detail-head" }, this.heading, this.badge, element("span", { class: "steps" }, ...steps));
    const again = element("p", { class: "again" }, element("span", { class: "faint" }, "Again: "), this.command);
    this.element = element("aside", { class: "detail", "aria-label": "the chosen cell" }, top, this.player.element, this.scores, again);
    this.player.say("Choose a cell to see it play.");
  }

  async show(place: number): Promise<void> {
    const cell = this.data.cells[place];
    const body = this.data.bodies[Math.floor(place / this.data.animations.length)];
    if (!cell || !body) return;
    this.asked = place;
    const { animation } = namesOf(this.data, place);
    this.heading.textContent = `${animation.replaceAll("_", " ")} · ${body.title}`;
    this.badge.textContent = STATUS_NAMES[cell.s];
    this.badge.className = `badge ${cell.s}`;
    this.command.textContent = `mummer grid --animations ${animation} --bodies ${body.spec}`;
    this.scores.replaceChildren(...this.scoreRows(cell));
    await this.play(place, cell, body);
  }

  /** Give back what the picture holds. */
  end(): void {
    this.asked = -1;
    this.player.stop();
  }

  private async play(place: number, cell: Cell, body: Body): Promise<void> {
    if (!cell.f) {
      this.player.say(cell.v ? "This motion passed and was not kept. The command below plays it again." : `${STATUS_NAMES[cell.s]}: ${cell.r ?? ""}`);
      return;
    }
    this.player.say("Reading …");
    try {
      const [surface, motion] = await Promise.all([bring(body.file), bring(cell.f)]);
      const actor = await readActor(surface);
      // Somebody may have gone on to another cell meanwhile.
      if (this.asked === place) this.player.show(actor, [readMotion(motion, actor)]);
    } catch (error) {
      if (this.asked === place) this.player.say(error instanceof Error ? error.message : String(error));
    }
  }

  private scoreRows(cell: Cell): HTMLElement[] {
    const rows = this.data.measures.map((measure, place) => {
      const value = cell.v?.[place];
      const share = value == null ? 0 : value / Math.max(measure.threshold, 1e-9);
      const failed = cell.w?.[measure.name] !== undefined;
      const bar = element("span", { class: "meter" }, element("i", {}));
      bar.style.setProperty("--share", `${Math.min(100, share * 50)}%`);
      const shown = value == null ? "–" : short(value);
      const row = element(
        "div", { class: failed ? "score f" : "score", title: `${measure.question} At most ${measure.threshold} ${measure.unit}. ${measure.reason}` },
        element("span", { class: "name" }, measure.name), bar,
        element("span", { class: "value" }, `${shown} / ${measure.threshold} `, element("small", {}, measure.unit)),
      );
      const where = cell.w?.[measure.name];
      if (where) row.append(button(where, () => this.player.seek(secondsIn(where)), { class: "where", title: "Show that moment" }));
      return { row, rank: value == null ? 2 : failed ? 0 : 1, share };
    });
    rows.sort((one, other) => one.rank - other.rank || (one.rank === 0 ? other.share - one.share : 0));
    return cell.v ? rows.map((each) => each.row) : [];
  }
}

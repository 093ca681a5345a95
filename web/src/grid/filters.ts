/** Counts, and which cells to show: by status, by measure, by name. */
import { type GridData, type Status, STATUS_NAMES } from "../data";
import { button, element, select } from "../dom";
import { failing, namesOf } from "./describe";

export class Filters {
  readonly element: HTMLElement;
  private readonly shown = new Set<Status>();
  private readonly search = element("input", { type: "search", placeholder: "body or animation  /", "aria-label": "search" });
  private measure = "";

  constructor(private readonly data: GridData, private readonly changed: (matches: (place: number) => boolean) => void, sorted: boolean) {
    const counts = (["p", "f", "c", "n"] as const).map((status) => this.chip(status));
    const admitted = data.cells.filter((cell) => cell.s !== "n").length;
    const passed = data.cells.filter((cell) => cell.s === "p").length;
    const share = element("strong", { class: "share", title: "of the cells that a branch admits" }, admitted ? `${((100 * passed) / admitted).toFixed(1)} %` : "–");
    this.search.addEventListener("input", () => this.tell());
    this.element = element("div", { class: "filters" }, share, ...counts, this.measureChoice(), this.order(sorted), this.search);
  }

  focus(): void {
    this.search.focus();
  }

  private chip(status: Status): HTMLElement {
    const count = this.data.cells.filter((cell) => cell.s === status).length;
    const made = button("", () => {
      if (!this.shown.delete(status)) this.shown.add(status);
      made.setAttribute("aria-pressed", String(this.shown.has(status)));
      this.tell();
    }, { class: `chip ${status}`, "aria-pressed": "false" });
    made.append(element("b", {}, String(count)), ` ${STATUS_NAMES[status]}`);
    return made;
  }

  private order(sorted: boolean): HTMLElement {
    const choose = () => document.dispatchEvent(new CustomEvent("mummer-order", { detail: !sorted }));
    return button("Worst first", choose, { "aria-pressed": String(sorted), title: "Rows and columns with most failures first" });
  }

  private measureChoice(): HTMLElement {
    const counts = new Map<string, number>();
    for (const cell of this.data.cells) {
      for (const { place } of failing(this.data, cell)) {
        const name = this.data.measures[place]?.name ?? "";
        counts.set(name, (counts.get(name) ?? 0) + 1);
      }
    }
    const sorted = [...counts].sort((one, other) => other[1] - one[1]);
    const choices = [["", "any measure"] as const, ...sorted.map(([name, count]) => [name, `${name} (${count})`] as const)];
    return select("measure that failed", choices, (value) => {
      this.measure = value;
      this.tell();
    });
  }

  private tell(): void {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const wanted = this.data.measures.findIndex((measure) => measure.name === this.measure);
    this.changed((place) => {
      const cell = this.data.cells[place];
      if (!cell || (this.shown.size && !this.shown.has(cell.s))) return false;
      if (wanted >= 0 && !failing(this.data, cell).some((each) => each.place === wanted)) return false;
      const { animation, body } = namesOf(this.data, place);
      const text = `${animation} ${body}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
  }
}

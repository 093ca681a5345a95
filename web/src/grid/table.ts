/** The cells: one row a body, one column an animation, moved about in with the arrow keys. */
import type { GridData } from "../data";
import { element } from "../dom";
import { describe, failing } from "./describe";

/** What stands in a cell, so that colours are not all that tells. */
const SIGNS = { p: "", f: "×", n: "·", c: "!" } as const;

export class Table {
  readonly element: HTMLElement;
  private readonly cells: HTMLElement[] = [];
  private readonly rows: HTMLElement[] = [];
  private readonly heads: HTMLElement[] = [];
  private readonly line = element("p", { class: "line faint", role: "status" });
  private readonly columns: number;
  private matching: (place: number) => boolean = () => true;
  private chosen: number | undefined;

  constructor(private readonly data: GridData, private readonly opened: (place: number) => void) {
    this.columns = data.animations.length;
    const table = element("div", { class: "table", role: "grid", "aria-label": "animations and bodies" });
    table.style.setProperty("--columns", String(this.columns));
    const longest = Math.max(...data.animations.map((name) => name.length));
    table.style.setProperty("--head", `${Math.min(118, 20 + 5.6 * longest)}px`);
    table.append(this.headRow(), ...data.bodies.map((_, row) => this.bodyRow(row)));
    this.mark();
    table.addEventListener("click", (event) => this.clicked(event));
    table.addEventListener("keydown", (event) => this.key(event));
    for (const kind of ["mouseover", "focusin"]) table.addEventListener(kind, (event) => this.tell(event));
    this.cells[0]?.setAttribute("tabindex", "0");
    this.line.textContent = "Choose a cell to see it play. Arrow keys move, Enter opens, n and p go from failure to failure.";
    this.element = element("div", { class: "table-box" }, element("div", { class: "scroll" }, table), this.line);
  }

  /** Show only the cells that match; rows and columns without any are left out. */
  filter(matching: (place: number) => boolean): void {
    this.matching = matching;
    const shown = new Set<number>();
    this.rows.forEach((row, number) => {
      let any = false;
      for (let column = 0; column < this.columns; column += 1) {
        const place = number * this.columns + column;
        const fits = matching(place);
        this.cells[place]?.classList.toggle("dim", !fits);
        if (fits) shown.add(column);
        any ||= fits;
      }
      row.hidden = !any;
    });
    this.heads.forEach((head, column) => {
      head.hidden = !shown.has(column);
      for (let row = 0; row < this.rows.length; row += 1) {
        const cell = this.cells[row * this.columns + column];
        if (cell) cell.hidden = head.hidden;
      }
    });
  }

  choose(place: number): void {
    const cell = this.cells[place];
    if (!cell) return;
    if (this.chosen !== undefined) this.cells[this.chosen]?.removeAttribute("aria-selected");
    for (const each of this.element.querySelectorAll('[tabindex="0"]')) each.setAttribute("tabindex", "-1");
    cell.setAttribute("aria-selected", "true");
    cell.setAttribute("tabindex", "0");
    // Who goes about with the keyboard stays with what was chosen.
    if (document.activeElement instanceof HTMLElement && document.activeElement.dataset["place"]) cell.focus({ preventScroll: true });
    cell.scrollIntoView({ block: "nearest", inline: "nearest" });
    this.chosen = place;
    this.opened(place);
  }

  /** Go to the next or the previous cell that failed or crashed and is shown. */
  step(direction: 1 | -1): void {
    const count = this.cells.length;
    const start = this.chosen ?? (direction > 0 ? -1 : 0);
    for (let away = 1; away <= count; away += 1) {
      const place = (start + direction * away + count * 2) % count;
      const status = this.data.cells[place]?.s;
      if ((status === "f" || status === "c") && this.matching(place)) return this.choose(place);
    }
  }

  focus(): void {
    if (this.chosen !== undefined) this.cells[this.chosen]?.focus();
  }

  nameOf(place: number): string {
    return `${this.data.animations[place % this.columns]}/${this.data.bodies[Math.floor(place / this.columns)]?.spec}`;
  }

  placeOf(animation: string, spec: string): number | undefined {
    const column = this.data.animations.indexOf(animation);
    const row = this.data.bodies.findIndex((body) => body.spec === spec);
    return column < 0 || row < 0 ? undefined : row * this.columns + column;
  }

  placeNamed(name: string): number | undefined {
    const slash = name.indexOf("/");
    return slash < 0 ? undefined : this.placeOf(name.slice(0, slash), name.slice(slash + 1));
  }

  private headRow(): HTMLElement {
    const row = element("div", { class: "row head", role: "row" }, element("span", { class: "corner", role: "columnheader" }));
    for (const animation of this.data.animations) {
      const head = element("span", { class: "column", role: "columnheader" }, element("span", {}, animation.replaceAll("_", " ")));
      this.heads.push(head);
      row.append(head);
    }
    return row;
  }

  private bodyRow(number: number): HTMLElement {
    const body = this.data.bodies[number];
    const row = element("div", { class: "row", role: "row" }, element("span", { class: "body", role: "rowheader", title: body?.spec }, body?.title ?? ""));
    for (let column = 0; column < this.columns; column += 1) row.append(this.cell(number * this.columns + column));
    this.rows.push(row);
    return row;
  }

  private cell(place: number): HTMLElement {
    const cell = this.data.cells[place];
    const status = cell?.s ?? "n";
    const made = element("span", { class: `cell ${status}`, role: "gridcell", tabindex: -1, "data-place": place }, SIGNS[status]);
    const worst = cell && failing(this.data, cell)[0];
    // What fails by far is darker than what just misses.
    if (worst) made.style.setProperty("--much", String(Math.min(1, 0.35 + 0.3 * Math.log2(worst.times))));
    this.cells[place] = made;
    return made;
  }

  private mark(): void {
    for (const kind of ["better", "worse"] as const) {
      for (const [animation, spec] of this.data[kind]) {
        const place = this.placeOf(animation, spec);
        if (place !== undefined) this.cells[place]?.classList.add(kind);
      }
    }
  }

  private clicked(event: Event): void {
    const place = placeIn(event.target);
    if (place !== undefined) this.choose(place);
  }

  private tell(event: Event): void {
    const place = placeIn(event.target);
    if (place !== undefined) this.line.textContent = describe(this.data, place);
  }

  private key(event: KeyboardEvent): void {
    const place = placeIn(event.target);
    if (place === undefined) return;
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -this.columns, ArrowDown: this.columns }[event.key];
    if (event.key === "Enter" || event.key === " ") this.choose(place);
    else if (step !== undefined) this.move(place, step);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  private move(from: number, step: number): void {
    for (let place = from + step; place >= 0 && place < this.cells.length; place += step) {
      if (Math.abs(step) === 1 && Math.floor(place / this.columns) !== Math.floor(from / this.columns)) return;
      const cell = this.cells[place];
      if (!cell || cell.hidden || cell.parentElement?.hidden) continue;
      this.cells[from]?.setAttribute("tabindex", "-1");
      cell.setAttribute("tabindex", "0");
      cell.focus();
      return;
    }
  }
}

function placeIn(target: EventTarget | null): number | undefined {
  const place = target instanceof HTMLElement ? target.dataset["place"] : undefined;
  return place === undefined ? undefined : Number(place);
}

/** Cells in words. */
import { type Cell, type GridData, STATUS_NAMES } from "../data";

export interface Failing {
  /** Place among the measures. */
  place: number;
  /** How many times the threshold. */
  times: number;
}

/** The measures beyond their thresholds that count, worst first. */
export function failing(data: GridData, cell: Cell): Failing[] {
  const found = (cell.v ?? []).flatMap((value, place) => {
    const measure = data.measures[place];
    if (!measure || value === null || cell.w?.[measure.name] === undefined) return [];
    return [{ place, times: value / Math.max(measure.threshold, 1e-9) }];
  });
  return found.sort((one, other) => other.times - one.times);
}

/** One line on a cell: how it went and why. */
export function describe(data: GridData, place: number): string {
  const cell = data.cells[place];
  if (!cell) return "";
  const { animation, body } = namesOf(data, place);
  const worst = failing(data, cell)[0];
  const measure = worst && data.measures[worst.place];
  const why = measure ? `: ${measure.name} ${short(cell.v?.[worst.place] ?? 0)} > ${measure.threshold} ${measure.unit}` : cell.r ? `: ${cell.r}` : "";
  return `${animation} on ${body}: ${STATUS_NAMES[cell.s]}${why}`;
}

export function namesOf(data: GridData, place: number): { animation: string; body: string } {
  const columns = data.animations.length;
  return {
    animation: data.animations[place % columns] ?? "",
    body: data.bodies[Math.floor(place / columns)]?.title ?? "",
  };
}

/** A number with about three figures. */
export function short(value: number): string {
  if (value === 0) return "0";
  return Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(Math.abs(value) < 0.01 ? 1 : 3).replace(/\.?0+$/, "");
}

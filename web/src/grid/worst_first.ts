/** The same grid with what fails most in front. */
import type { GridData } from "../data";

export function worstFirst(data: GridData): GridData {
  const columns = data.animations.length;
  const bad = data.cells.map((cell) => (cell.s === "c" ? 2 : cell.s === "f" ? 1 : 0));
  const rowOrder = order(data.bodies.length, (row) => sum(columns, (column) => bad[row * columns + column]));
  const columnOrder = order(columns, (column) => sum(data.bodies.length, (row) => bad[row * columns + column]));
  return {
    ...data,
    animations: columnOrder.map((column) => data.animations[column] ?? ""),
    bodies: rowOrder.flatMap((row) => data.bodies[row] ?? []),
    cells: rowOrder.flatMap((row) => columnOrder.flatMap((column) => data.cells[row * columns + column] ?? [])),
  };
}

/** The numbers below `count`, those that count most first. */
function order(count: number, weight: (number: number) => number): number[] {
  const weights = Array.from({ length: count }, (_, number) => weight(number));
  return weights.map((_, number) => number).sort((one, other) => (weights[other] ?? 0) - (weights[one] ?? 0) || one - other);
}

function sum(count: number, value: (number: number) => number | undefined): number {
  let total = 0;
  for (let number = 0; number < count; number += 1) total += value(number) ?? 0;
  return total;
}

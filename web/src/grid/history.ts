/** Former runs, and what changed since the last one. */
import type { GridData, Past } from "../data";
import { button, element } from "../dom";

const MOST = 60;

export function historyPanel(data: GridData, chosen: (animation: string, spec: string) => void): HTMLElement {
  const summary = element("summary", {}, "History");
  if (data.history.length > 1) summary.append(element("span", { class: "faint" }, ` ${data.better.length} better, ${data.worse.length} worse than the run before`));
  else summary.append(element("span", { class: "faint" }, " this is the first run"));
  const panel = element("details", { class: "history" }, summary, runs(data.history));
  for (const kind of ["worse", "better"] as const) {
    if (data[kind].length) panel.append(changed(kind, data[kind], chosen));
  }
  return panel;
}

function runs(history: Past[]): HTMLElement {
  const list = element("ol", { class: "runs" });
  for (const run of [...history].reverse()) {
    const bar = element("span", { class: "stack", role: "img", "aria-label": `${run.passed} passed, ${run.failed} failed, ${run.crashed} crashed` });
    for (const [kind, count] of [["p", run.passed], ["f", run.failed], ["c", run.crashed]] as const) {
      const part = element("i", { class: kind });
      part.style.flexGrow = String(count);
      bar.append(part);
    }
    const admitted = Math.max(1, run.cells - run.not_admitted);
    const when = new Date(run.when).toLocaleString(undefined, { dateStyle: "short", timeStyle: "short" });
    list.append(element("li", {}, element("time", { datetime: run.when }, when), bar, element("span", {}, `${((100 * run.passed) / admitted).toFixed(1)} % of ${admitted}`)));
  }
  return list;
}

function changed(kind: "better" | "worse", cells: [string, string][], chosen: (animation: string, spec: string) => void): HTMLElement {
  const list = element("p", { class: `changes ${kind}` }, element("b", {}, kind === "better" ? "Better: " : "Worse: "));
  for (const [animation, spec] of cells.slice(0, MOST)) {
    list.append(button(`${animation} · ${spec.replace(/^zoo:/, "")}`, () => chosen(animation, spec)), " ");
  }
  if (cells.length > MOST) list.append(`and ${cells.length - MOST} more`);
  return list;
}

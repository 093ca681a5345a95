/** The page of the grid: counts and filters above, cells below, the chosen cell beside them. */
import type { GridData } from "../data";
import { element } from "../dom";
import { themeButton } from "../theme";
import { Detail } from "./detail";
import { Filters } from "./filters";
import { historyPanel } from "./history";
import { Table } from "./table";
import { worstFirst } from "./worst_first";

export function showGrid(app: HTMLElement, given: GridData): void {
  let listening = build(app, given, given);
  document.addEventListener("keydown", (event) => listening.key(event));
  document.addEventListener("mummer-order", (event) => {
    listening.end();
    listening = build(app, (event as CustomEvent<boolean>).detail ? worstFirst(given) : given, given);
  });
}

/** What the page does with keys, and how it ends. */
interface Built {
  key: (event: KeyboardEvent) => void;
  end: () => void;
}

function build(app: HTMLElement, data: GridData, given: GridData): Built {
  const table = new Table(data, (place) => open(place));
  const detail = new Detail(data, {
    closed: () => close(),
    step: (direction) => table.step(direction),
  });
  const filters = new Filters(data, (matches) => table.filter(matches), data !== given);
  const run = data.history.at(-1);
  const when = run ? new Date(run.when).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" }) : "";
  const title = element(
    "header", { class: "bar" },
    element("h1", {}, "The grid"),
    element("span", { class: "faint" }, `${data.animations.length} animations × ${data.bodies.length} bodies · ${when}`),
    themeButton(),
  );
  const history = historyPanel(data, (animation, body) => {
    const place = table.placeOf(animation, body);
    if (place !== undefined) table.choose(place);
  });
  const left = element("main", { class: "left" }, filters.element, table.element, history);
  app.className = "grid-page";
  app.replaceChildren(title, left, detail.element);

  function open(place: number): void {
    app.classList.add("opened");
    void detail.show(place);
    location.replace(`#${encodeURIComponent(table.nameOf(place))}`);
  }

  function close(): void {
    app.classList.remove("opened");
    location.replace("#");
    table.focus();
  }

  function key(event: KeyboardEvent): void {
    if (event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement) return;
    if (event.key === "Escape") close();
    else if (event.key === "n") table.step(1);
    else if (event.key === "p") table.step(-1);
    else if (event.key === "/") filters.focus();
    else return;
    event.preventDefault();
  }

  const asked = table.placeNamed(decodeURIComponent(location.hash.slice(1)));
  if (asked !== undefined) table.choose(asked);
  return { key, end: () => detail.end() };
}

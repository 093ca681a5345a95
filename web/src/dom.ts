/** Elements in one line each. */

type Attributes = Record<string, string | number | boolean | undefined>;

export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    made.setAttribute(name, value === true ? "" : String(value));
  }
  made.append(...children);
  return made;
}

export function button(label: string, pressed: () => void, attributes: Attributes = {}): HTMLButtonElement {
  const made = element("button", { type: "button", ...attributes }, label);
  made.addEventListener("click", pressed);
  return made;
}

export function select(
  label: string,
  choices: readonly (readonly [string, string])[],
  chosen: (value: string) => void,
): HTMLSelectElement {
  const made = element("select", { "aria-label": label });
  for (const [value, text] of choices) made.append(element("option", { value }, text));
  made.addEventListener("change", () => chosen(made.value));
  return made;
}

/** The value of a CSS variable of the page. */
export function cssValue(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

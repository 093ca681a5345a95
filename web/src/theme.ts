/** Dark or light: as the system says, until somebody says otherwise. */
import { button } from "./dom";

export function themeButton(): HTMLButtonElement {
  return button("◐", change, { class: "theme", title: "Dark or light", "aria-label": "dark or light" });
}

function change(): void {
  const root = document.documentElement;
  const dark = root.dataset["theme"] ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  root.dataset["theme"] = dark === "dark" ? "light" : "dark";
  document.dispatchEvent(new Event("mummer-theme"));
}

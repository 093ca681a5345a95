/** The page of `mummer view`: one file on the whole window. */
import type { ViewData } from "./data";
import { element } from "./dom";
import { themeButton } from "./theme";
import { unpack } from "./unpack";
import { readActor } from "./viewer/actor";
import { Player } from "./viewer/player";

export async function showFile(app: HTMLElement, data: ViewData): Promise<void> {
  const player = new Player();
  const heading = element("header", { class: "bar" }, element("h1", {}, data.title), themeButton());
  app.className = "view-page";
  app.append(heading, player.element);
  player.say("Reading …");
  try {
    const actor = await readActor(await unpack(data.file));
    player.show(actor, actor.clips);
  } catch (error) {
    player.say(`This file cannot be shown: ${error instanceof Error ? error.message : String(error)}`);
  }
}

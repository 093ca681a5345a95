// Opens a page from the disk in a real browser and reports what happens there, as one line of JSON.
// usage: node page.mjs BROWSER PAGE [SELECTOR TO CLICK] [SCREENSHOT]
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const [browserPath, page, click, screenshot] = process.argv.slice(2);
// Without a graphics card; the flags that ask for Vulkan report success on a blank page.
const args = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"];
const browser = await chromium.launch({ executablePath: browserPath, args });
const tab = await browser.newPage({ viewport: { width: 1000, height: 700 } });
const errors = [];
const requests = [];
tab.on("pageerror", (error) => errors.push(error.message));
tab.on("console", (message) => message.type() === "error" && errors.push(message.text()));
tab.on("request", (request) => requests.push(request.url()));
await tab.goto(pathToFileURL(page).href);
if (click) await tab.click(click);
// Until the clock runs, or the page says why it does not.
const ended = () => {
  const note = document.querySelector(".note")?.textContent ?? "";
  return Number(document.querySelector("input[type=range]")?.value) > 0.05 || (note && note !== "Reading …");
};
await tab.waitForFunction(ended, null, { timeout: 60_000 }).catch(() => undefined);
const playing = Number(await tab.inputValue("input[type=range]")) > 0.05;
const note = await tab.textContent(".note");
const pictures = [];
for (let look = 0; look < 3; look += 1) {
  pictures.push(await colorsOf(tab));
  await tab.waitForTimeout(700);
}
await tab.setViewportSize({ width: 360, height: 740 });
const overflow = await tab.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
if (screenshot) await tab.screenshot({ path: screenshot });
await browser.close();
const outside = requests.filter((url) => !/^(file|data|blob):/.test(url));
console.log(JSON.stringify({ playing, note, pictures, errors, outside, overflow }));

/** Which part of the picture is drawn on, and a number that changes with what is drawn. */
async function colorsOf(tab) {
  return tab.evaluate(async () => {
    const canvas = document.querySelector("canvas");
    const copy = new OffscreenCanvas(120, 90).getContext("2d");
    // What was drawn is only there within the frame that it was drawn in.
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    copy.drawImage(canvas, 0, 0, 120, 90);
    const pixels = copy.getImageData(0, 0, 120, 90).data;
    let drawn = 0;
    let sum = 0;
    for (let place = 0; place < pixels.length; place += 4) {
      if (pixels[place + 3] > 200) drawn += 1;
      sum = (sum * 31 + pixels[place] + 7 * pixels[place + 1] + 13 * pixels[place + 2]) % 1_000_003;
    }
    return { drawn: drawn / (pixels.length / 4), sum };
  });
}

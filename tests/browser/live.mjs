// Opens the page of a server in a real browser, plays a block there, and reports what happens as one line of JSON.
// usage: node live.mjs BROWSER ADDRESS [SCREENSHOT]
import { chromium } from "playwright-core";

const [browserPath, address, screenshot] = process.argv.slice(2);
const args = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"];
const browser = await chromium.launch({ executablePath: browserPath, args });
const tab = await browser.newPage({ viewport: { width: 1000, height: 640 } });
const errors = [];
const requests = [];
tab.on("pageerror", (error) => errors.push(error.message));
tab.on("console", (message) => message.type() === "error" && errors.push(message.text()));
tab.on("request", (request) => requests.push(request.url()));
await tab.goto(address);
const frames = () => tab.evaluate(() => Number(document.querySelector("canvas")?.dataset.frames ?? 0));
await tab.waitForFunction(() => Number(document.querySelector("canvas")?.dataset.frames ?? 0) > 20, null, { timeout: 60_000 }).catch(() => undefined);
const before = await picture();
await tab.click(".play");
await tab.waitForFunction(() => /:end/.test(document.querySelector(".lines")?.textContent ?? ""), null, { timeout: 60_000 }).catch(() => undefined);
const after = await picture();
if (screenshot) await tab.screenshot({ path: screenshot });
const lines = await tab.evaluate(() => [...document.querySelectorAll(".lines li")].map((line) => line.textContent));
const note = await tab.textContent(".note");
await tab.setViewportSize({ width: 360, height: 740 });
const overflow = await tab.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
const shown = await frames();
await browser.close();
const outside = requests.filter((url) => !url.startsWith(new URL(address).origin) && !/^(data|blob):/.test(url));
console.log(JSON.stringify({ frames: shown, before, after, lines, note, errors, outside, overflow }));

/** Which part of the picture is drawn on, and a number that changes with what is drawn. */
async function picture() {
  return tab.evaluate(async () => {
    const copy = new OffscreenCanvas(120, 90).getContext("2d");
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    copy.drawImage(document.querySelector("canvas"), 0, 0, 120, 90);
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

/** One script for all pages: what the page brings along decides what it shows. */
import "./style.css";
import { showFile } from "./view";
import { showGrid } from "./grid/page";
import { showLive } from "./live";

const app = document.getElementById("app");
if (app && window.mummerGrid) showGrid(app, window.mummerGrid);
else if (app && window.mummerView) void showFile(app, window.mummerView);
else if (app && window.mummerLive) showLive(app);

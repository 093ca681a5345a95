/** One script for both pages: what the page brings along decides what it shows. */
import "./style.css";
import { showFile } from "./view";
import { showGrid } from "./grid/page";

const app = document.getElementById("app");
if (app && window.mummerGrid) showGrid(app, window.mummerGrid);
else if (app && window.mummerView) void showFile(app, window.mummerView);

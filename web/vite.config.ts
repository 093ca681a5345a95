import { defineConfig } from "vite";

// One plain script and one style sheet: pages opened from a disk may not load modules.
export default defineConfig({
  build: {
    outDir: "../src/mummer/grid/page",
    emptyOutDir: true,
    target: "es2022",
    lib: { entry: "src/main.ts", formats: ["iife"], name: "mummer", fileName: () => "viewer.js", cssFileName: "viewer" },
  },
});

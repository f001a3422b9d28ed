import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";
import { recordedRuns } from "./mock/recorded_runs";

// Where no server runs, `ASTRARIUM_RUNS=folder npm run dev` answers from the run folders in it.
const runs = process.env["ASTRARIUM_RUNS"];
const server = process.env["ASTRARIUM_SERVER"];

export default defineConfig({
  // Relative addresses, so that the built files work below any path of any host.
  base: "./",
  plugins: [react(), ...(runs ? [recordedRuns(runs)] : [])],
  server: server ? { proxy: { "/api": { target: server, ws: true } } } : {},
  build: {
    target: "es2022",
    // `assets` is the folder of pictures and sounds.
    assetsDir: "code",
    // Scenes bring their drawing library along; it is loaded only where a world is drawn.
    chunkSizeWarningLimit: 800,
    modulePreload: { polyfill: false },
  },
  test: { include: ["tests/**/*.test.ts", "src/**/*.test.ts"], environment: "node" },
});

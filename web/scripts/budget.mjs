// What a visitor loads before the first page shows: index.html, its scripts and styles, and the
// page's own parts. Scene modules and their drawing library come later and do not count.
import { readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const LIMIT_KB = 300;
const dist = new URL("../dist/", import.meta.url);
const packed = (path) => gzipSync(readFileSync(new URL(path, dist)), { level: 9 }).length;

const html = readFileSync(new URL("index.html", dist), "utf8");
const linked = [...html.matchAll(/(?:src|href)="\.\/([^"]+)"/g)].map((found) => found[1]);
const pages = readdirSync(new URL("code/", dist))
  .filter((name) => /^\w+Page-.*\.(?:js|css)$/.test(name))
  .map((name) => `code/${name}`);

// Static imports of the counted parts count too.
const counted = new Set(["index.html", ...linked, ...pages]);
for (const path of counted) {
  if (!path.endsWith(".js")) continue;
  const text = readFileSync(new URL(path, dist), "utf8");
  for (const found of text.matchAll(/(?:from|import)\s*"\.\/([\w.-]+\.js)"/g)) {
    const inner = `code/${found[1]}`;
    if (!/^code\/(?:webgl|webgpu|pixi)/i.test(inner)) counted.add(inner);
  }
}

let total = 0;
for (const path of [...counted].sort()) {
  const size = packed(path);
  total += size;
  console.log(`${(size / 1024).toFixed(1).padStart(8)} KB  ${path}`);
}
const kb = total / 1024;
console.log(`${kb.toFixed(1).padStart(8)} KB  in all, gzipped; ${LIMIT_KB} KB are allowed`);
if (kb > LIMIT_KB) process.exit(1);

// Bundles the browser console: a script for each page and one for all that pages share, hashed names, each file also compressed by
// brotli and gzip. Each page has a document that names its scripts. The service reads `manifest.json` at its start and serves
// nothing else.
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const TYPES = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".webmanifest": "application/manifest+json",
};
/** What the page and the web app manifest name, by the names that they use for it. */
const ICONS = {
  icon: "icon.svg",
  icon32: "icons/icon-32.png",
  icon192: "icons/icon-192.png",
  icon512: "icons/icon-512.png",
  maskable512: "icons/maskable-512.png",
  touch180: "icons/touch-180.png",
};
/** Browsers that know `light-dark()`, container queries and module workers. */
const TARGETS = ["chrome123", "firefox121", "safari17.5"];
/** The source of a page, and its name. */
const PAGE = /(?<=^console\/)pages\/([\w-]+)\/\1-page\.tsx$/;

export function buildConsole({ root, folder }) {
  const source = (name) => join(root, "console", name);
  const { outputs, graph } = bundle(root, join(folder, "assets"));
  const pathOf = (entry) => {
    const isEntry = ([, { entryPoint }]) => entryPoint === `console/${entry}`;
    const [name] = Object.entries(graph).find(isEntry);
    return toAssetPath(name);
  };
  mkdirSync(join(folder, "assets"), { recursive: true });
  const files = {};
  for (const { path, contents } of outputs) {
    files[toAssetPath(path)] = writeEncoded(folder, toAssetPath(path), contents);
  }
  const icons = Object.fromEntries(
    Object.entries(ICONS).map(([name, file]) => [name, pathOf(file)]),
  );
  const app = fill(readFileSync(source("app.webmanifest"), "utf8"), icons);
  files["/app.webmanifest"] = writeEncoded(folder, "/app.webmanifest", Buffer.from(app));
  files["/service-worker.js"] = writeEncoded(
    folder,
    "/service-worker.js",
    bundleOffline(root, files),
  );
  const main = pathOf("main.tsx");
  const template = readFileSync(source("index.html"), "utf8");
  const toDocument = (page) =>
    fill(template, {
      ...icons,
      main,
      // Otherwise the browser finds them only when it has read the main script.
      chunks: [...new Set([...listStatic(graph, main), ...listStatic(graph, pathOf(page))])]
        .filter((path) => path !== main)
        .map((path) => `<link rel="modulepreload" href="${path}">`)
        .join("\n    "),
      style: pathOf("style.css"),
      theme: pathOf("theme.ts"),
      worker: pathOf("live/worker.ts"),
    });
  const pages = {};
  for (const { entryPoint } of Object.values(graph)) {
    const [page, name] = PAGE.exec(entryPoint) ?? [];
    if (page === undefined) continue;
    pages[name] = `${name}.html`;
    writeFileSync(join(folder, pages[name]), toDocument(page));
  }
  const manifest = { firstView: listStatic(graph, main), pages, files };
  writeFileSync(join(folder, "manifest.json"), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** The built files, and what each was made of and imports. */
function bundle(root, outdir) {
  const { buildSync } = createRequire(import.meta.url)("esbuild");
  const source = (name) => join(root, "console", name);
  const settings = {
    absWorkingDir: root,
    outdir,
    bundle: true,
    minify: true,
    metafile: true,
    write: false,
    target: TARGETS,
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    assetNames: "[name]-[hash]",
    logLevel: "warning",
    tsconfig: source("tsconfig.json"),
  };
  const page = bundlePage(buildSync, {
    ...settings,
    entryPoints: ["main.tsx", "style.css", ...Object.values(ICONS)].map(source),
    loader: { ".svg": "copy", ".png": "copy" },
    format: "esm",
    splitting: true,
  });
  // Scripts of their own: the theme is set before the first paint, and a worker has no page to share modules with.
  const scripts = buildSync({
    ...settings,
    entryPoints: [source("theme.ts"), source("live/worker.ts")],
    entryNames: "[name]-[hash]",
    format: "iife",
  });
  return {
    outputs: [...page.outputFiles, ...scripts.outputFiles],
    graph: { ...page.metafile.outputs, ...scripts.metafile.outputs },
  };
}

/** Keeps all hashed files of the release, so its own name is that of all of them together. */
function bundleOffline(root, files) {
  const { buildSync } = createRequire(import.meta.url)("esbuild");
  const paths = Object.keys(files).filter((path) => path.startsWith("/assets/"));
  const name = createHash("sha256").update(paths.toSorted().join()).digest("hex").slice(0, 12);
  const { outputFiles } = buildSync({
    absWorkingDir: root,
    entryPoints: [join(root, "console", "live", "service-worker.ts")],
    bundle: true,
    minify: true,
    write: false,
    target: TARGETS,
    format: "iife",
    logLevel: "warning",
    tsconfig: join(root, "console", "tsconfig.json"),
    define: { RELEASE: JSON.stringify({ name, files: paths }) },
  });
  return outputFiles[0].contents;
}

/**
 * All that two entries share becomes one chunk. By itself the bundler makes a chunk for each set of entries that share a module,
 * and forty small files cost a browser more than one.
 */
function bundlePage(buildSync, settings) {
  const { metafile } = buildSync(settings);
  const isShared = new Set(
    Object.values(metafile.outputs)
      .filter(({ entryPoint }) => entryPoint === undefined)
      .flatMap(({ inputs }) => Object.keys(inputs)),
  );
  // Every module imports the list, so the list decides what runs first.
  const shared = listInOrder(metafile.inputs, "console/main.tsx").filter(
    (input) => isShared.has(input) && input.startsWith("console/"),
  );
  const folder = mkdtempSync(join(tmpdir(), "assay-build-"));
  const list = join(folder, "shared.js");
  const toImport = (input) => `import ${JSON.stringify(join(settings.absWorkingDir, input))};`;
  try {
    writeFileSync(list, shared.map(toImport).join("\n"));
    return buildSync({ ...settings, inject: [list] });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The modules that this one needs and itself, each after those that it imports. */
function listInOrder(inputs, first) {
  const found = new Set();
  const waiting = new Set();
  const visit = (input) => {
    if (waiting.has(input)) return;
    waiting.add(input);
    for (const { path } of inputs[input]?.imports ?? []) visit(path);
    found.add(input);
  };
  visit(first);
  return [...found];
}

/** The scripts that the browser loads before the first page: the entry and all that it imports statically. */
function listStatic(graph, entry) {
  const byPath = new Map(
    Object.entries(graph).map(([name, output]) => [toAssetPath(name), output]),
  );
  const found = new Set([entry]);
  for (const path of found) {
    for (const { path: imported, kind } of byPath.get(path)?.imports ?? []) {
      if (kind === "import-statement") found.add(toAssetPath(imported));
    }
  }
  return [...found];
}

function toAssetPath(output) {
  return `/assets/${output.split("/").at(-1)}`;
}

function writeEncoded(folder, path, contents) {
  const file = join(folder, path.slice(1));
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11 };
  const br = brotliCompressSync(contents, { params });
  const gzip = gzipSync(contents, { level: 9 });
  writeFileSync(file, contents);
  writeFileSync(`${file}.br`, br);
  writeFileSync(`${file}.gz`, gzip);
  return {
    file: path.slice(1),
    type: TYPES[extname(path)],
    bytes: contents.length,
    brotliBytes: br.length,
    gzipBytes: gzip.length,
  };
}

function fill(template, values) {
  return template.replaceAll(/\{\{(\w+)\}\}/g, (_, name) => {
    if (values[name] === undefined) throw new Error(`a page names the unknown value ${name}`);
    return values[name];
  });
}

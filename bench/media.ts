// Thumbnails over HTTP with 16 callers, against node:http with the same bytes from a file. Each caller asks one picture after the other.
//   node --import tsx bench/media.ts [REQUESTS]      default 4,000
// Uses the demo in ASSAY_DATA_DIR, or loads a new one. Build first.

import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { makeFolder, quantile, readNumbers, round, runBenchmark, serve } from "./support/runner.ts";

const [REQUESTS] = readNumbers(4_000);
const CALLERS = 16;
const PATIENCE_MS = 60_000;

await runBenchmark("media", async (t) => {
  const dataDir = process.env["ASSAY_DATA_DIR"] ?? makeFolder(t);
  const service = await serve(t, { ASSAY_DATA_DIR: dataDir }, ["--demo", "--no-trickle"]);
  const token = readFileSync(join(dataDir, "demo-token"), "utf8").trim();
  const headers = { authorization: `Bearer ${token}` };
  const ids = await listPictures(service.url, headers);
  const urls = ids.map((id) => `${service.url}/v2/media/${id}`);
  const [first = ""] = urls;
  const file = join(makeFolder(t), "thumb.webp");
  writeFileSync(file, Buffer.from(await (await fetch(first, { headers })).arrayBuffer()));
  const server = createServer((_, response) => {
    void readFile(file).then((bytes) =>
      response.writeHead(200, { "content-type": "image/webp" }).end(bytes),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  const plain = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  await ask(urls, headers, REQUESTS / 4);
  const ours = await ask(urls, headers, REQUESTS);
  const theirs = await ask([plain], {}, REQUESTS);
  return {
    pictures: urls.length,
    callers: CALLERS,
    p50_ms: round(quantile(ours, 0.5)),
    p95_ms: round(quantile(ours, 0.95)),
    file_p50_ms: round(quantile(theirs, 0.5)),
    file_p95_ms: round(quantile(theirs, 0.95)),
  };
});

async function listPictures(url: string, headers: Record<string, string>): Promise<string[]> {
  for (const endMs = performance.now() + PATIENCE_MS; ; ) {
    const response = await fetch(`${url}/v2/messages?limit=200`, { headers });
    const { items } = (await response.json()) as { items: { media?: { id: string }[] }[] };
    const ids = items.flatMap(({ media = [] }) => media.map(({ id }) => id));
    if (ids.length > 0 || performance.now() > endMs) return ids;
    await new Promise((settle) => setTimeout(settle, 500));
  }
}

async function ask(
  urls: readonly string[],
  headers: Record<string, string>,
  count: number,
): Promise<number[]> {
  const times: number[] = [];
  const caller = async (): Promise<void> => {
    while (times.length < count) {
      const startedAtMs = performance.now();
      const response = await fetch(urls[times.length % urls.length] ?? "", { headers });
      await response.arrayBuffer();
      if (response.status !== 200) throw new Error(`answered ${response.status}`);
      times.push(performance.now() - startedAtMs);
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
  return times.toSorted((left, right) => left - right);
}

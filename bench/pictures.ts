// What photos cost the market: events with a picture are posted to two services in turns, one with ASSAY_MEDIA=on. Each round ends when the
// pipeline has read them; then the pictures are awaited. The gateway is a local server with two calls.
//   node --import tsx bench/pictures.ts [PICTURES] [ROUNDS]      default 10,000 in 10 rounds
// `ratio` is the time with photos divided by the time without, of each round. Build first.

import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import sharp from "sharp";
import { sleep, systemClock } from "../src/base/clock.ts";
import { createRandom } from "../src/demo/random.ts";
import { findMediaFigures } from "../src/media/media-store.ts";
import { aPictureEvent } from "../test/support/media/pictures.ts";
import { openWebhookClient } from "./support/connection.ts";
import {
  inTurns,
  isBusy,
  measure,
  openStore,
  quantile,
  type Run,
  readNumbers,
  round,
  runBenchmark,
  serve,
} from "./support/runner.ts";

const [PICTURES, ROUNDS] = readNumbers(10_000, 10);
const CONNECTIONS = 16;
const DEALERS = 400;
const LOOK_MS = 20;
const MB = 1_048_576;

await runBenchmark("pictures", async (t) => {
  const gateway = await openGateway(t);
  const off = await openMarket(t, gateway.url, "off");
  const on = await openMarket(t, gateway.url, "on");
  const memory: number[] = [];
  const decoderMemory: number[] = [];
  const count = Math.ceil(PICTURES / ROUNDS);
  const times = await inTurns(ROUNDS, {
    off: (at) => off.post(at, count),
    on: async (at) => {
      const cost = await on.post(at, count);
      const { queued } = await on.awaitPictures();
      if (queued > 0) throw new Error("pictures are left in the queue");
      memory.push(memoryOf(on.servicePid));
      decoderMemory.push(...childrenOf(on.servicePid).map(memoryOf));
      return cost;
    },
  });
  const figures = await on.awaitPictures();
  const ratios = times.on.map((cost, at) => cost.ms / (times.off[at]?.ms ?? 0));
  const us = (costs: typeof times.on, name: "serviceUs" | "serverUs") =>
    Math.round(
      quantile(
        costs.map((cost) => cost[name]),
        0.5,
      ) / count,
    );
  return {
    pictures: figures.stored,
    not_stored: figures.gone + figures.queued,
    files_asked_for: gateway.asked(),
    stored_mb: round(figures.bytes / MB),
    ratio_median: round(quantile(ratios, 0.5)),
    ratios: ratios.map((ratio) => round(ratio)).sort(),
    events_per_s: [times.off, times.on].map((costs) =>
      Math.round(
        count /
          (quantile(
            costs.map(({ ms }) => ms),
            0.5,
          ) /
            1000),
      ),
    ),
    service_us: [us(times.off, "serviceUs"), us(times.on, "serviceUs")],
    server_us: [us(times.off, "serverUs"), us(times.on, "serverUs")],
    service_mb: memory.map((bytes) => Math.round(bytes / MB)),
    decoder_mb_max: Math.round(Math.max(0, ...decoderMemory) / MB),
  };
});

async function openMarket(t: Run, gatewayUrl: string, media: "on" | "off") {
  const store = await openStore(t);
  const environment = {
    DATABASE_URL: store.url,
    ASSAY_MEDIA: media,
    ASSAY_WAHA_URL: gatewayUrl,
  };
  const service = await serve(t, environment);
  return {
    servicePid: service.servicePid,
    /** Until the pipeline has read them. */
    post: async (at: number, count: number) => {
      // Anew in each round, because the service closes connections that are idle.
      const clients = await Promise.all(
        Array.from({ length: CONNECTIONS }, () => openWebhookClient(service.url)),
      );
      const work = async (): Promise<void> => {
        await Promise.all(
          clients.map(async (client, lane) => {
            for (let event = lane; event < count; event += CONNECTIONS) {
              await client.post(bodyOf(`${media}${at}x${event}`, event));
            }
          }),
        );
        while (await isBusy(store.db)) await sleep(LOOK_MS);
      };
      const processes = { serverPid: store.serverPid, servicePid: service.servicePid };
      const cost = await measure(work, processes);
      for (const client of clients) client.close();
      return cost;
    },
    awaitPictures: async () => {
      for (;;) {
        const figures = await findMediaFigures(store.db);
        if (figures.queued === 0) return figures;
        await sleep(10 * LOOK_MS);
      }
    },
  };
}

function bodyOf(rawId: string, at: number): string {
  const dealer = at % DEALERS;
  return JSON.stringify(
    aPictureEvent({
      rawId,
      atS: Math.floor(systemClock.nowMs() / 1000),
      sender: { phone: `4477009${1000 + dealer}`, lid: `1999${dealer}`, name: `Dealer ${dealer}` },
      text: `126610LN 2024 full set, lot ${rawId}, HKD 98,${100 + (at % 900)}`,
    }),
  );
}

/** Each picture has other patches, so that each is decoded and looks different. */
async function openGateway(t: Run) {
  let askedCount = 0;
  const server = createServer((request, response) => {
    const id = /^\/api\/files\/.*\/(.+)\.jpeg$/.exec(request.url ?? "")?.[1];
    askedCount += id === undefined ? 0 : 1;
    if (id === undefined) response.writeHead(200).end("[]");
    else void draw(id).then((file) => response.writeHead(200).end(file));
  });
  server.listen(0, "127.0.0.1");
  await new Promise((settle) => server.once("listening", settle));
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, asked: () => askedCount };
}

function draw(id: string): Promise<Buffer> {
  const random = createRandom(id);
  const patches = Buffer.from(Array.from({ length: 16 * 12 * 3 }, () => random.integer(0, 255)));
  return sharp(patches, { raw: { width: 16, height: 12, channels: 3 } })
    .resize(640, 480)
    .jpeg()
    .toBuffer();
}

function memoryOf(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kilobytes ?? 0) * 1024;
}

function childrenOf(pid: number): readonly number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, "utf8")
      .split(" ")
      .filter(Boolean)
      .map(Number),
  );
}

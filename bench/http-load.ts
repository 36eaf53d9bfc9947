// The client of bench/http.ts, in its own process. It opens the given number of connections and keeps one request in
// progress on each. It uses plain sockets, so that its own cost is small next to what it measures.
import { connect, type Socket } from "node:net";

export interface Load {
  readonly port: number;
  /** Complete requests without a body, sent in turn. */
  readonly requests: readonly string[];
  readonly status: number;
  readonly connections: number;
  readonly seconds: number;
}

export interface Measured {
  readonly per_second: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
}

const HEAD_END = "\r\n\r\n";
const HEAD_BYTES_MAX = 4096;

if (process.send !== undefined) {
  process.on("message", (load: Load) => {
    run(load).then(
      (measured) => process.send?.({ measured }),
      (error: unknown) => process.send?.({ error: String(error) }),
    );
  });
}

async function run(load: Load): Promise<Measured> {
  const times: number[] = [];
  const startedAtMs = performance.now();
  const next = { at: 0 };
  const isOver = () => performance.now() - startedAtMs > load.seconds * 1000;
  await Promise.all(
    Array.from({ length: load.connections }, () => drive({ load, next, times, isOver })),
  );
  const seconds = (performance.now() - startedAtMs) / 1000;
  times.sort((left, right) => left - right);
  const at = (share: number) => Number((times[Math.floor(times.length * share)] ?? 0).toFixed(2));
  return {
    per_second: Math.round(times.length / seconds),
    p50_ms: at(0.5),
    p99_ms: at(0.99),
  };
}

interface Drive {
  readonly load: Load;
  readonly next: { at: number };
  readonly times: number[];
  readonly isOver: () => boolean;
}

function drive({ load, next, times, isOver }: Drive): Promise<void> {
  return new Promise((settle, reject) => {
    const socket = connect({ port: load.port, host: "127.0.0.1", noDelay: true });
    let sentAtMs = 0;
    const send = (): void => {
      sentAtMs = performance.now();
      const request = load.requests[next.at % load.requests.length] ?? "";
      next.at += 1;
      socket.write(request, "latin1");
    };
    socket.on("connect", send);
    socket.on("error", reject);
    socket.on("close", () => reject(new Error("the server closed a connection")));
    readAnswers(socket, (status) => {
      if (status !== load.status) {
        reject(new Error(`answered ${status}, not ${load.status}`));
        socket.destroy();
        return;
      }
      times.push(performance.now() - sentAtMs);
      if (!isOver()) return send();
      socket.removeAllListeners("close");
      socket.end();
      settle();
    });
  });
}

/** Calls back at the end of each response. A response has a Content-Length or no body. */
function readAnswers(socket: Socket, onAnswer: (status: number) => void): void {
  let status = 0;
  let bodyLeft = 0;
  let rest = Buffer.alloc(0);
  socket.on("data", (chunk: Buffer) => {
    let bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    while (bytes.length > 0) {
      if (status === 0) {
        const end = bytes.indexOf(HEAD_END);
        if (end < 0) break;
        const head = bytes.toString("latin1", 0, Math.min(end, HEAD_BYTES_MAX)).toLowerCase();
        status = Number(head.slice(9, 12));
        bodyLeft = Number(/content-length: (\d+)/.exec(head)?.[1] ?? 0);
        bytes = bytes.subarray(end + HEAD_END.length);
      }
      const taken = Math.min(bodyLeft, bytes.length);
      bodyLeft -= taken;
      bytes = bytes.subarray(taken);
      if (bodyLeft > 0) break;
      const answered = status;
      status = 0;
      onAnswer(answered);
    }
    rest = Buffer.from(bytes);
  });
}

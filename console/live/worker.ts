/**
 * One event stream for all tabs: HTTP/1.1 gives a browser six connections for all of them, and a stream holds one.
 *
 * The stream is open while at least one tab is. A tab that crashes never says that it leaves; its port then costs nothing but
 * a message that is not read.
 */
import { createStream, type LiveStatus, type Notice, type Request } from "./stream.ts";

interface SharedWorkerScope {
  onconnect: ((event: MessageEvent) => void) | null;
  readonly location: { readonly origin: string };
}

const scope = globalThis as unknown as SharedWorkerScope;
const ports = new Set<MessagePort>();
let status: LiveStatus = "connecting";
const stream = createStream(scope.location.origin, (notice) => {
  if (notice.kind === "status") status = notice.status;
  for (const port of ports) tell(port, notice);
});

scope.onconnect = ({ ports: [port] }) => {
  if (port === undefined) return;
  port.onmessage = ({ data }: MessageEvent<Request>) => {
    if (data === "leave") ports.delete(port);
    else {
      ports.add(port);
      tell(port, { kind: "status", status });
    }
    if (ports.size === 0) stream.close();
    else stream.open();
  };
};

function tell(port: MessagePort, notice: Notice): void {
  port.postMessage(notice);
}

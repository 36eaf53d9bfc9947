import type { Socket } from "node:net";
import type { Readable } from "node:stream";

/** A pipelined response that waits for an earlier one gets no event when the connection closes, so this ends its body. */
export function endWithSocket(body: Readable, socket: Socket): void {
  const end = () => body.destroy();
  socket.setMaxListeners(socket.getMaxListeners() + 1);
  socket.once("close", end);
  body.once("close", () => {
    socket.off("close", end);
    socket.setMaxListeners(socket.getMaxListeners() - 1);
  });
  if (socket.destroyed) setImmediate(end);
}

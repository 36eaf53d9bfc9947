import type { Readable } from "node:stream";
import { AppError } from "../../base/errors.ts";
import { startSignatureCheck } from "../../intake/sender-rule.ts";
import { overloaded } from "./admission.ts";
import type { RequestSlots, Slot } from "./request-slots.ts";

export interface EventBody {
  readonly bytes: Buffer;
  /** True also if events need no signature. */
  readonly isSigned: boolean;
}

interface EventBodyOptions {
  readonly slots: RequestSlots;
  /** The slot of the request. It holds the bytes until the request leaves. */
  readonly slot: Slot;
  /** True if the sender is not known yet. Then the request gives way to newer ones while its body arrives. */
  readonly isStranger: boolean;
  readonly bytesMax: number;
  /** Absent: the body needs no signature. */
  readonly signed?: { readonly key: string; readonly signature: string };
}

/** Reads a whole body. Rejects as soon as it is too large, or when there is no room for its bytes. */
export function readEventBody(payload: Readable, options: EventBodyOptions): Promise<EventBody> {
  const { slots, slot, bytesMax, signed } = options;
  const check = signed === undefined ? undefined : startSignatureCheck(signed.key);
  const chunks: Buffer[] = [];
  let byteCount = 0;
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      slot.giveWay = undefined;
      payload.off("data", onData).off("end", onEnd).off("error", onError);
    };
    const fail = (error: Error): void => {
      stop();
      // The response closes the connection, and until then nothing more is read.
      payload.on("error", () => undefined).pause();
      chunks.length = 0;
      reject(error);
    };
    const onData = (chunk: Buffer): void => {
      byteCount += chunk.byteLength;
      if (byteCount > bytesMax) fail(tooLarge());
      else if (!slots.tryHold(slot, chunk.byteLength)) fail(overloaded());
      else {
        check?.add(chunk);
        chunks.push(chunk);
      }
    };
    // The client disconnected, which is not our failure.
    const onError = (cause: Error): void => {
      fail(new AppError("invalid_payload", "the body did not arrive completely", cause));
    };
    const onEnd = (): void => {
      stop();
      const bytes = chunks.length === 1 ? (chunks[0] ?? Buffer.alloc(0)) : Buffer.concat(chunks);
      resolve({ bytes, isSigned: check?.isSignedBy(signed?.signature ?? "") ?? true });
    };
    if (options.isStranger) slot.giveWay = () => fail(overloaded());
    payload.on("data", onData).on("end", onEnd).on("error", onError);
  });
}

export function tooLarge(): AppError {
  return new AppError("payload_too_large", "the body is too large");
}

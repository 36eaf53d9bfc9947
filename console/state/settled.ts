import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";

/** The value once it has stayed the same for a while: what is typed is then asked for once. */
export function useSettled<Value>(value: Value, pauseMs: number): Value {
  const settled = useSignal(value);
  useEffect(() => {
    if (value === settled.peek()) return undefined;
    const timer = setTimeout(() => {
      settled.value = value;
    }, pauseMs);
    return () => clearTimeout(timer);
  }, [value]);
  return settled.value;
}

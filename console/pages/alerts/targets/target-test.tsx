import { useSignal } from "@preact/signals";
import type { TestResult } from "../../../../client/assay-client.ts";
import { api, toFailure } from "../../../api.ts";
import { Button } from "../../../parts/button.tsx";
import { targetsWords } from "../../../words/targets.ts";

/** The service itself takes up to ten seconds. */
const TIMEOUT_MS = 20_000;

/** Sends a test message and says what became of it. */
export function TargetTest(props: { readonly targetId: string; readonly onArrived: () => void }) {
  const result = useSignal<TestResult | undefined>(undefined);
  const isBusy = useSignal(false);
  const send = async (): Promise<void> => {
    isBusy.value = true;
    result.value = undefined;
    try {
      const input = { target_id: props.targetId };
      result.value = await api.testWebhookTarget(input, { timeoutMs: TIMEOUT_MS });
      if (result.value.is_delivered) props.onArrived();
    } catch (error) {
      result.value = { is_delivered: false, result: toFailure(error).message };
    }
    isBusy.value = false;
  };
  return (
    <div class="target-test">
      <Button isWrite isBusy={isBusy.value} onPress={() => void send().catch(reportError)}>
        {isBusy.value ? targetsWords.testing : targetsWords.test}
      </Button>
      <div role="status">{result.value === undefined ? null : <Result {...result.value} />}</div>
    </div>
  );
}

function Result({ is_delivered, result, help }: TestResult) {
  return (
    <div class={is_delivered ? "arrived" : "problem"}>
      <bdi>{is_delivered ? targetsWords.arrived(result) : targetsWords.failed(result)}</bdi>
      {help === undefined ? null : (
        <p>
          <bdi>{help}</bdi>
        </p>
      )}
    </div>
  );
}

import type { Configuration } from "../../../client/assay-client.ts";
import { api, toFailure } from "../../api.ts";
import { Button } from "../../parts/button.tsx";
import { doLater, showToast } from "../../state/toasts.ts";
import { referenceWords } from "../../words/reference.ts";

/** Deletes a configuration that was made here, after a time to think. What it has matched stays. */
export function UnwatchButton(props: {
  readonly configuration: Configuration;
  readonly onChanged: () => void;
}) {
  const { id } = props.configuration;
  const remove = async (): Promise<void> => {
    try {
      await api.deleteConfiguration({ id });
    } catch (error) {
      showToast(toFailure(error).message, { isBad: true });
    }
    props.onChanged();
  };
  return (
    <Button
      isWrite
      onPress={() =>
        doLater({
          text: referenceWords.unwatched,
          run: () => {
            remove().catch(reportError);
          },
          undo: () => undefined,
        })
      }
    >
      {referenceWords.unwatch}
    </Button>
  );
}

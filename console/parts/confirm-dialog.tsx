import type { Failure } from "../api.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";

/** A question before something is lost. What the service says against it stands below. */
export function ConfirmDialog(props: {
  readonly title: string;
  readonly hint: string;
  readonly action: string;
  readonly cancel: string;
  readonly failure?: Failure | undefined;
  readonly onConfirm: () => Promise<void> | void;
  readonly onClose: () => void;
}) {
  return (
    <Dialog label={props.title} onClose={props.onClose}>
      <div class="question">
        <h2>
          <bdi>{props.title}</bdi>
        </h2>
        <p class="soft">{props.hint}</p>
        {props.failure === undefined ? null : (
          <p class="problem" role="alert">
            <bdi>{props.failure.message}</bdi>
          </p>
        )}
        <div class="row">
          <Button isMain onPress={props.onClose}>
            {props.cancel}
          </Button>
          <Button onPress={() => void Promise.resolve(props.onConfirm()).catch(reportError)}>
            {props.action}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

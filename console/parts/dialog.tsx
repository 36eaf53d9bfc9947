import { type ReadonlySignal, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { guardLeaving, navigate } from "../router.ts";
import { useProblem } from "../state/load.ts";
import { showToast } from "../state/toasts.ts";
import { words } from "../words/words.ts";
import { settleAmounts } from "./amounts.ts";
import { Button } from "./button.tsx";
import { FieldProblem } from "./form.tsx";

/**
 * A modal dialog: the browser keeps the focus inside, and Escape or a click beside it closes it. Once something was typed or chosen in a
 * form, a click beside it closes nothing.
 */
export function Dialog(props: {
  readonly label: string;
  readonly class?: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const isChanged = useRef(false);
  const beganBeside = useRef(false);
  useEffect(() => dialog.current?.showModal(), []);
  // What lies behind the dialog counts as the dialog, and so does its padding. A selection of text may end behind it.
  const isBeside = ({ target, clientX: x, clientY: y }: MouseEvent): boolean => {
    if (target !== dialog.current || dialog.current === null) return false;
    const { left, right, top, bottom } = dialog.current.getBoundingClientRect();
    return x < left || x > right || y < top || y > bottom;
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it too.
    <dialog
      ref={dialog}
      class={`dialog ${props.class ?? ""}`}
      aria-label={props.label}
      onClose={props.onClose}
      onInput={({ target }) => {
        if (target instanceof Element && target.closest("form") !== null) isChanged.current = true;
      }}
      onPointerDown={(event) => {
        beganBeside.current = isBeside(event);
      }}
      onClick={(event) => {
        if (beganBeside.current && isBeside(event) && !isChanged.current) dialog.current?.close();
      }}
    >
      {props.children}
    </dialog>
  );
}

/** Says what an action means and asks. What the service says against it stands above the buttons. */
export function ConfirmDialog(props: {
  readonly title: string;
  readonly action: string;
  readonly cancel?: string;
  /** True if something is lost by it: then the button that keeps it comes first. */
  readonly isLoss?: boolean;
  readonly class?: string;
  readonly onConfirm: () => Promise<void> | void;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}) {
  const { problem, fail, isGone } = useProblem();
  const isBusy = useSignal(false);
  /** What is said about an amount holds until something else is typed. */
  const isOfAmount = useRef(false);
  const confirm = async (form: Element): Promise<void> => {
    if (isBusy.value) return;
    isBusy.value = true;
    problem.value = undefined;
    try {
      isOfAmount.current = true;
      await settleAmounts(form);
      isOfAmount.current = false;
      await props.onConfirm();
      if (!isGone.current) props.onClose();
    } catch (error) {
      fail(error);
    }
    isBusy.value = false;
  };
  const isLoss = props.isLoss === true;
  const buttons = [
    <Button key="action" isMain={!isLoss} isSubmit isBusy={isBusy.value}>
      {props.action}
    </Button>,
    <Button key="cancel" isMain={isLoss} onPress={props.onClose}>
      {props.cancel ?? words.cancel}
    </Button>,
  ];
  return (
    <Dialog label={props.title} class={props.class ?? ""} onClose={props.onClose}>
      <form
        class="stack"
        onInput={() => {
          if (isOfAmount.current) problem.value = undefined;
        }}
        onSubmit={(event) => {
          event.preventDefault();
          confirm(event.currentTarget).catch(reportError);
        }}
      >
        <h2>
          <bdi>{props.title}</bdi>
        </h2>
        {props.children}
        <FieldProblem>{problem.value}</FieldProblem>
        <div class="row">{isLoss ? buttons.toReversed() : buttons}</div>
      </form>
    </Dialog>
  );
}

/** Deletes something after a question, then leaves its page. What the service says against it stands in the question. */
export function DeleteButton(props: {
  readonly name: string;
  /** What is lost with it. */
  readonly hint: string;
  readonly remove: () => Promise<unknown>;
  /** Called before the page is left. */
  readonly onDelete: () => void;
  /** Where to go then. */
  readonly path: string;
}) {
  const isOpen = useSignal(false);
  const remove = async (): Promise<void> => {
    await props.remove();
    showToast(words.remove.done(props.name));
    props.onDelete();
    navigate(props.path);
  };
  return (
    <>
      <Button
        isWrite
        onPress={() => {
          isOpen.value = true;
        }}
      >
        {words.remove.action}
      </Button>
      {isOpen.value ? (
        <ConfirmDialog
          title={words.remove.title(props.name)}
          action={words.remove.action}
          isLoss
          onConfirm={remove}
          onClose={() => {
            isOpen.value = false;
          }}
        >
          <p class="soft">{props.hint}</p>
        </ConfirmDialog>
      ) : null}
    </>
  );
}

/** Asks before unsaved changes are lost: here on the way to another page, and as the browser does on the way out of it. */
export function LeaveQuestion({ isDirty }: { readonly isDirty: ReadonlySignal<boolean> }) {
  const leave = useSignal<(() => void) | undefined>(undefined);
  const hasChanges = isDirty.value;
  useEffect(() => {
    if (!hasChanges) return undefined;
    const onUnload = (event: Event): void => event.preventDefault();
    addEventListener("beforeunload", onUnload);
    const end = guardLeaving((go) => {
      // They may have been saved since the page was last drawn.
      if (isDirty.peek()) leave.value = go;
      else go();
    });
    return () => {
      removeEventListener("beforeunload", onUnload);
      end();
    };
  }, [hasChanges]);
  if (leave.value === undefined) return null;
  return (
    <ConfirmDialog
      title={words.leave.title}
      action={words.leave.leave}
      cancel={words.leave.stay}
      isLoss
      onConfirm={leave.value}
      onClose={() => {
        leave.value = undefined;
      }}
    >
      <p class="soft">{words.leave.hint}</p>
    </ConfirmDialog>
  );
}

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { controlWords } from "../../words/filter-controls.ts";

/** The controls where there is no room beside what they filter: a button that opens them over the page. */
export function FilterSheet(props: {
  /** How many parts of the filter are chosen. */
  readonly count: number;
  readonly done: string;
  readonly children: ComponentChildren;
}) {
  const isOpen = useSignal(false);
  const close = (): void => {
    isOpen.value = false;
  };
  return (
    <>
      <Button
        onPress={() => {
          isOpen.value = true;
        }}
      >
        {controlWords.filtersCount(props.count)}
      </Button>
      {isOpen.value ? (
        <Dialog label={controlWords.filters} class="sheet" onClose={close}>
          {props.children}
          <div class="sheet-foot">
            <Button isMain onPress={close}>
              {props.done}
            </Button>
          </div>
        </Dialog>
      ) : null}
    </>
  );
}

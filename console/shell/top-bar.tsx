import { Kbd } from "../parts/kbd.tsx";
import { Tag } from "../parts/tag.tsx";
import { isPresenting } from "../state/preferences.ts";
import { words } from "../words/words.ts";
import { LiveLight } from "./live-light.tsx";
import { isPaletteOpen } from "./open-dialogs.ts";

export function TopBar() {
  return (
    <header class="top">
      <a class="brand" href="/">
        {words.product}
      </a>
      <button
        type="button"
        class="find"
        aria-haspopup="dialog"
        onClick={() => {
          isPaletteOpen.value = true;
        }}
      >
        <span class="find-words">{words.top.find}</span>
        <Kbd name="Ctrl K" />
      </button>
      {isPresenting.value ? <Tag tone="warn">{words.presenter.on}</Tag> : null}
      <LiveLight />
    </header>
  );
}

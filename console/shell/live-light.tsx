import { lastEventAtMs, liveStatus } from "../live/live.ts";
import { Age } from "../parts/age.tsx";
import { words } from "../words/words.ts";

/** Whether the page hears of new matches by itself. The words say it, not only the colour. */
export function LiveLight() {
  const isOpen = liveStatus.value === "open";
  return (
    <div class={isOpen ? "live" : "live is-off"}>
      <span class="live-words">{describe()}</span>
      {isOpen && lastEventAtMs.value !== undefined ? (
        <span class="live-age" aria-hidden="true">
          {words.live.last} <Age atMs={lastEventAtMs.value} />
        </span>
      ) : null}
    </div>
  );
}

function describe(): string {
  switch (liveStatus.value) {
    case "open":
      return words.live.open;
    case "connecting":
      return words.live.connecting;
    case "off":
      return words.live.off;
    default:
      return words.live.lost;
  }
}

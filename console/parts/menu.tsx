import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

/** A button that opens a panel below it. A press beside it, on one of its entries, or Escape closes it. */
export function Menu(props: {
  readonly label: ComponentChildren;
  readonly class?: string;
  /** True if it stays open while its entries are pressed, as a list of switches does. */
  readonly isSticky?: boolean;
  /** True for a button without a border, as in a bar. */
  readonly isQuiet?: boolean;
  readonly children: ComponentChildren;
}) {
  const menu = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const close = (): void => menu.current?.removeAttribute("open");
    const onPress = (event: Event): void => {
      const isInside =
        event.target instanceof Node && menu.current?.contains(event.target) === true;
      if (!isInside) close();
    };
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== "Escape" || menu.current?.open !== true) return;
      close();
      menu.current.querySelector("summary")?.focus();
    };
    document.addEventListener("pointerdown", onPress);
    document.addEventListener("keydown", onKey);
    return () => {
      document.removeEventListener("pointerdown", onPress);
      document.removeEventListener("keydown", onKey);
    };
  }, []);
  return (
    <details ref={menu} class={`menu ${props.class ?? ""}`}>
      <summary class={props.isQuiet === true ? "nav-item" : "button"}>{props.label}</summary>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the entries are buttons and links, which turn keys into clicks. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it only closes the menu after one of them. */}
      <div
        class="menu-panel"
        onClick={(event) => {
          const isEntry =
            event.target instanceof Element && event.target.closest("a, button") !== null;
          if (isEntry && props.isSticky !== true) menu.current?.removeAttribute("open");
        }}
      >
        {props.children}
      </div>
    </details>
  );
}

import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { visitCount } from "../router.ts";
import { pageTitle } from "../state/title.ts";

/** The heading of a page: it names the tab, and has the focus after a change of page, so that a screen reader starts here. */
export function PageHeading(props: {
  readonly title: string;
  /** Only for screen readers, where the page's navigation already says it. */
  readonly isHidden?: boolean;
  readonly children?: ComponentChildren;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    pageTitle.value = props.title;
  }, [props.title]);
  useEffect(() => {
    if (visitCount.peek() > 0) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <h1 ref={heading} tabIndex={-1} class={props.isHidden === true ? "sr" : ""}>
      {props.children ?? props.title}
    </h1>
  );
}

/** The page of a reference. Two brands may use the same one, so the brand is in the address too, where it is known. */
export function referencePath(watch: {
  readonly reference: string;
  readonly brand?: string | undefined;
}): string {
  const path = `/references/${encodeURIComponent(watch.reference)}`;
  return watch.brand === undefined
    ? path
    : `${path}?${new URLSearchParams({ brand: watch.brand })}`;
}

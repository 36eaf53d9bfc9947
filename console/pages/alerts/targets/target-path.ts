/** The address of a target, or of all of them. */
export function targetPath(id?: string): string {
  return `/alerts?show=targets${id === undefined ? "" : `&target=${id}`}`;
}

/** Returns an amount in minor units as people write it: `12,500.50`. */
export function showAmount(minor: number): string {
  const [whole = "", fraction = ""] = (Math.abs(minor) / 100).toFixed(2).split(".");
  return `${minor < 0 ? "-" : ""}${whole.replace(/\B(?=(\d{3})+$)/g, ",")}.${fraction}`;
}

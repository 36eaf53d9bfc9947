import { isPresenting } from "../state/preferences.ts";
import { numbers } from "../words/formats.ts";

const formatShare = numbers({
  style: "percent",
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});

/** How much of the market's average the profit is. Not there in presenter mode, as the profit itself. */
export function ProfitShare(props: {
  readonly profitMinor: number | undefined;
  readonly averageMinor: number | undefined;
}) {
  const { profitMinor, averageMinor } = props;
  if (profitMinor === undefined || averageMinor === undefined || averageMinor <= 0) return null;
  return isPresenting.value ? null : <span>{formatShare(profitMinor / averageMinor)}</span>;
}

/** Anyone can send a link, so the link of another token replaces a session only if the person at the browser agrees. Loaded when it is needed. */
import { signIn } from "../api.ts";
import { ConfirmDialog } from "../parts/dialog.tsx";
import { swap } from "../state/session.ts";
import { swapWords } from "../words/swap.ts";

export function SwapDialog() {
  if (swap.value === undefined) return null;
  const { proof, tokenName, formerName } = swap.value;
  return (
    <ConfirmDialog
      title={swapWords.title(formerName, tokenName)}
      action={swapWords.action(tokenName)}
      cancel={swapWords.stay(formerName)}
      isLoss
      onConfirm={async () => {
        await signIn(proof, { isReplacing: true });
        // Nothing that the other one has read stays on the page.
        location.reload();
      }}
      onClose={() => {
        swap.value = undefined;
      }}
    >
      <p>{swapWords.means(formerName)}</p>
    </ConfirmDialog>
  );
}

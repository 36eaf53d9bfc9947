import { useSignal } from "@preact/signals";
import { type Failure, signIn, toFailure } from "../api.ts";
import { Button } from "../parts/button.tsx";
import { PageHeading } from "../parts/layout.tsx";
import { codeFailure } from "../start-session.ts";
import { words } from "../words/words.ts";

export function SignInPage({ hasExpired }: { readonly hasExpired: boolean }) {
  return (
    <main class="sign-in">
      <div class="brand">{words.product}</div>
      <p class="soft">{words.session.about}</p>
      <PageHeading title={words.session.signIn} />
      {hasExpired ? <p>{words.session.expired}</p> : null}
      {codeFailure.value === undefined ? (
        <p class="soft">{words.session.intro}</p>
      ) : (
        <p class="problem" role="alert">
          {codeFailure.value.kind === "offline" ? words.states.offline : words.session.badCode}
        </p>
      )}
      <TokenForm />
      <details>
        <summary>{words.session.engineers}</summary>
        <p class="soft">{words.session.commands}</p>
      </details>
    </main>
  );
}

function TokenForm() {
  const failure = useSignal<Failure | undefined>(undefined);
  const isBusy = useSignal(false);
  const isShown = useSignal(false);
  const submit = async (form: HTMLFormElement): Promise<void> => {
    const token = String(new FormData(form).get("token") ?? "").trim();
    if (token === "" || isBusy.value) return;
    isBusy.value = true;
    try {
      await signIn({ token });
      codeFailure.value = undefined;
    } catch (error) {
      failure.value = toFailure(error);
    } finally {
      isBusy.value = false;
    }
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit(event.currentTarget).catch(reportError);
      }}
    >
      <label for="token">{words.session.token}</label>
      <div class="token-field">
        <input
          id="token"
          name="token"
          {...(isShown.value ? { type: "text" } : { type: "password" })}
          autocomplete="current-password"
          spellcheck={false}
          required
          aria-describedby="token-hint"
          aria-invalid={failure.value !== undefined}
        />
        <Button
          onPress={() => {
            isShown.value = !isShown.value;
          }}
        >
          {isShown.value ? words.session.hide : words.session.show}
        </Button>
      </div>
      <p id="token-hint" class="sub">
        {words.session.tokenHint}
      </p>
      {failure.value === undefined ? null : (
        <p class="problem" role="alert">
          {describe(failure.value)}
        </p>
      )}
      <Button isSubmit isMain isBusy={isBusy.value}>
        {isBusy.value ? words.session.signingIn : words.session.signIn}
      </Button>
    </form>
  );
}

function describe({ kind, message }: Failure): string {
  if (kind === "offline") return words.states.offline;
  if (kind === "busy") return words.states.busy;
  return kind === "signed_out" || kind === "refused" ? words.session.badToken : message;
}

import { Component, type ComponentChildren } from "preact";
import { toFailure } from "../api.ts";
import { words } from "../words/words.ts";
import { Broken } from "./broken.tsx";
import { Button } from "./button.tsx";

interface Props {
  readonly children: ComponentChildren;
}

/** A bug in one page leaves the rest of the console usable. The shell gives each address a boundary of its own. */
export class ErrorBoundary extends Component<Props, { readonly error?: unknown }> {
  static override getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override componentDidCatch(error: unknown): void {
    reportError(error);
  }

  override render() {
    if (this.state.error === undefined) return this.props.children;
    return (
      <div class="page">
        <Broken failure={toFailure(this.state.error)} />
        <div class="row">
          <Button onPress={() => location.reload()}>{words.states.reload}</Button>
        </div>
      </div>
    );
  }
}

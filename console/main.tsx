import { render } from "preact";
import { App } from "./app.tsx";
import { startSession } from "./start-session.ts";
import "./state/theme.ts";
import "./state/title.ts";

const root = document.querySelector("#root");
if (root !== null) render(<App />, root);
startSession().catch(reportError);

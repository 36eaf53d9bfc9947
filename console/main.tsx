import { render } from "preact";
import { App } from "./app.tsx";
import { path } from "./router.ts";
import { loadEarly } from "./shell/load-page.ts";
import { startSession } from "./start-session.ts";
import "./state/theme.ts";
import "./state/title.ts";

loadEarly(path.value);
startSession().catch(reportError);
const root = document.querySelector("#root");
if (root !== null) render(<App />, root);

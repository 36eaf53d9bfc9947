// Runs before the first paint, so that a chosen theme never flashes the other one. `state/preferences.ts` has the rest.
try {
  const theme = JSON.parse(localStorage.getItem("assay.theme") ?? '"system"') as unknown;
  if (theme === "light" || theme === "dark") document.documentElement.dataset["theme"] = theme;
} catch {
  // Without storage the theme is the system's.
}

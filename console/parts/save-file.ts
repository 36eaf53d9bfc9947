/** The browser reads the file after the click, at its own time. */
const READ_MS = 60_000;

/** Saves a file where the browser puts downloads. */
export function saveFile(content: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), READ_MS);
}

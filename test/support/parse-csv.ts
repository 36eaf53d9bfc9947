/** Reads CSV by RFC 4180, character by character, and throws if the text ends inside of a line. */
export function parseCsv(text: string): string[][] {
  const lines: string[][] = [];
  let line: string[] = [];
  let at = 0;
  while (at < text.length) {
    const { cell, end } = text[at] === '"' ? readQuoted(text, at + 1) : readPlain(text, at);
    line.push(cell);
    if (text[end] === ",") {
      at = end + 1;
      if (at === text.length) throw new Error("the text ends after a comma");
      continue;
    }
    if (text.slice(end, end + 2) !== "\r\n") throw new Error(`no line break at ${end}`);
    lines.push(line);
    line = [];
    at = end + 2;
  }
  return lines;
}

function readPlain(text: string, start: number) {
  let end = start;
  while (end < text.length && text[end] !== "," && text.slice(end, end + 2) !== "\r\n") end += 1;
  return { cell: text.slice(start, end), end };
}

function readQuoted(text: string, start: number) {
  let cell = "";
  for (let at = start; at < text.length; at += 1) {
    if (text[at] !== '"') cell += text[at];
    else if (text[at + 1] === '"') {
      cell += '"';
      at += 1;
    } else return { cell, end: at + 1 };
  }
  throw new Error("a quoted cell does not end");
}

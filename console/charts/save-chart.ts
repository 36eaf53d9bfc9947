import { saveFile } from "../parts/save-file.ts";

const PROPERTIES = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-width",
  "stroke-dasharray",
  "opacity",
  "font-family",
  "font-size",
  "font-weight",
];
const SVG = "http://www.w3.org/2000/svg";

/** Saves a chart as it looks now. The file needs no style sheet: what it got from ours stands in its attributes. */
export function saveChart(chart: SVGSVGElement, name: string): void {
  saveFile(new Blob([toSvgText(chart)], { type: "image/svg+xml" }), name);
}

function toSvgText(chart: SVGSVGElement): string {
  const copy = chart.cloneNode(true) as SVGSVGElement;
  const originals = [chart, ...chart.querySelectorAll("*")];
  const copies = [copy, ...copy.querySelectorAll("*")];
  for (const [at, element] of copies.entries()) {
    const original = originals[at];
    if (original !== undefined) inscribe(original, element);
  }
  const ground = document.createElementNS(SVG, "rect");
  ground.setAttribute("width", "100%");
  ground.setAttribute("height", "100%");
  ground.setAttribute("fill", getComputedStyle(document.body).backgroundColor);
  copy.prepend(ground);
  return new XMLSerializer().serializeToString(copy);
}

function inscribe(original: Element, copy: Element): void {
  const style = getComputedStyle(original);
  for (const name of ["class", "tabindex", "href", "role"]) copy.removeAttribute(name);
  for (const property of PROPERTIES) {
    const value = style.getPropertyValue(property);
    if (value !== "") copy.setAttribute(property, value);
  }
}

// The table of bins, with a field for every cut.

import { dataText, make, makeTable, shareCell, warning } from "./elements.js";
import { breachesOf } from "./limits.js";
import { evidence } from "./measures.js";
import { chanceText, grouped, intervalLabel, intervalText, numberText, percent, rowsText, signed } from "./numbers.js";

// If a cut has a longer text, the names of the bins have shorter ones that part the same rows; the fields are exact.
const LONGEST = 10;

/** Return the table; `act` has what a person may do: type(place, text) and remove(place). */
export function binsTable(attribute, groups, act) {
  const { cuts, source, page } = attribute;
  const counts = attribute.bins();
  const all = attribute.withMissing(counts);
  const total = all.flat().reduce((sum, count) => sum + count, 0);
  const weights = page.event === null ? null : evidence(all, page.event).bins;
  const texts = cutTexts(attribute);
  const breaches = breachesOf(attribute);
  const rows = all.map((row, b) => {
    const size = row.reduce((sum, count) => sum + count, 0);
    const isMissing = b === counts.length;
    const name = isMissing ? "missing" : grouped(binName(b, texts, source.special_values));
    const title = isMissing || b > cuts.length ? null : intervalLabel(cuts[b - 1] ?? null, cuts[b] ?? null);
    const code = isMissing && page.missing === "code" ? -1 : b;
    return [
      String(code),
      make(
        "td",
        { class: isMissing ? "text absent" : "text interval", title },
        name,
        b <= cuts.length && breaches[b].length > 0 ? warning(breaches[b], noteName(attribute, b)) : null,
      ),
      b < cuts.length ? cutField(attribute, b, breaches[b], act) : make("td", { class: "edit" }),
      ...(attribute.isTested ? [chanceCell(attribute, b)] : []),
      rowsText(size),
      shareCell(percent(size, total), total ? size / total : 0, "soft"),
      ...groups.map((group) => rateCell(row, size, group)),
      ...(weights ? weightCells(weights[b], size) : []),
    ];
  });
  const heads = [
    "Code",
    "Bin",
    "Upper cut",
    ...(attribute.isTested ? ["p of upper cut"] : []),
    "Rows",
    "Share of rows",
    ...groups.map(classHead),
    ...(weights ? ["WoE", "IV"] : []),
  ];
  return makeTable("Bins, and the share of each class in them", heads, rows, "bins editable");
}

/** The p-value of the upper cut of a bin; nothing is known of those that were set by hand. */
function chanceCell(attribute, b) {
  if (b >= attribute.cuts.length) return "";
  const chance = attribute.chanceOf(attribute.cuts[b]);
  return chance === null ? "not tested" : chanceText(chance);
}

function cutTexts(attribute) {
  const exact = attribute.cuts.map(numberText);
  return exact.every((text) => text.length <= LONGEST) ? exact : attribute.cutTexts();
}

const noteName = (attribute, b) => `limits-${attribute.index}-${b}`;

function binName(b, texts, special) {
  if (b > texts.length) return numberText(special[b - texts.length - 1]);
  return intervalText(texts[b - 1] ?? null, texts[b] ?? null);
}

function cutField(attribute, place, breaches, act) {
  const cut = attribute.cuts[place];
  const text = numberText(cut);
  const typed = attribute.typed.get(cut);
  const field = make("input", {
    type: "text",
    inputmode: "decimal",
    value: text,
    size: Math.min(Math.max(6, text.length), 18),
    autocomplete: "off",
    "data-key": `field-${place}`,
    "aria-label": `Upper cut of bin ${place} of ${attribute.label}`,
    "aria-describedby": breaches.length > 0 ? noteName(attribute, place) : null,
    onchange: (event) => act.type(place, event.target),
  });
  const button = make(
    "button",
    {
      type: "button",
      class: "remove",
      "data-key": `remove-${place}`,
      title: "Remove this cut",
      "aria-label": `Remove the cut ${text} of ${attribute.label}`,
      onclick: () => act.remove(place),
    },
    "×",
  );
  const words = `typed ${typed}, where this page has no counts`;
  return make("td", { class: "edit" }, field, button, typed ? make("span", { class: "typed" }, words) : null);
}

export function rateCell(row, size, group) {
  const count = group.places.reduce((sum, place) => sum + row[place], 0);
  return shareCell(percent(count, size), size ? count / size : 0, group.colour);
}

export function weightCells(bin, size) {
  return size ? [signed(bin.weight, 3), bin.value.toFixed(4)] : ["-", "-"];
}

export function classHead(group) {
  return make("span", {}, make("span", { class: `swatch tint-${group.colour}` }), dataText(group.label));
}

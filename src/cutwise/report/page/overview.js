// The table of all attributes: what the edits changed, and a filter for long tables.

import { make, warning } from "./elements.js";
import { brokenBins } from "./limits.js";
import { makeSearch, makeSortable } from "./long_tables.js";
import { counted, signed } from "./numbers.js";

const MANY = 5;

export class Overview {
  constructor(attributes, order) {
    this.table = document.querySelector("table.overview");
    this.rows = new Map();
    [...this.table.tBodies[0].rows].forEach((row, rank) => {
      const note = make("span", { class: "edits" });
      row.cells[1].append(note);
      this.rows.set(attributes[order[rank]], { row, note });
    });
    this.best = Math.max(...attributes.map((attribute) => attribute.before.relevance), 1e-12);
    if (attributes.length > MANY) this.addFilter();
    if (attributes.length > 1) makeSortable(this.table);
    attributes
      .filter((attribute) => attribute.isEdited || brokenBins(attribute) > 0)
      .forEach((attribute) => this.update(attribute));
  }

  addFilter() {
    const rows = [...this.rows.values()].map(({ row }) => row);
    const name = (row) => row.cells[1].querySelector("a").textContent;
    this.table.closest(".scroll").before(makeSearch("filter", "Show attributes with", rows, name));
  }

  /** Show the scores of an attribute as they are now, and what the edits changed. */
  update(attribute) {
    const { row, note } = this.rows.get(attribute);
    const now = attribute.judge();
    const put = (key, text) => {
      const place = [...row.cells].find((other) => other.dataset.key === key);
      if (place) place.textContent = text;
      return place;
    };
    const bar = put("relevance", now.relevance.toFixed(4));
    const share = Math.min(Math.max(now.relevance / this.best, 0), 1);
    bar.className = `bar part-${Math.round(100 * share)} tint-1`;
    for (const [key, value] of [["iv", now.value], ["gini", now.gini], ["ks", now.ks]])
      put(key, value === null ? "-" : value.toFixed(3));
    put("trend", now.trend ?? "-");
    put("bins", attribute.bins().length.toLocaleString("en-US"));
    put("divergence", now.divergence === null ? "-" : now.divergence.toFixed(4));
    put("score", now.score === null ? "-" : now.score.toFixed(4));
    row.classList.toggle("edited", attribute.isEdited);
    note.textContent = attribute.isChanged ? changes(attribute, now) : attribute.isEdited ? "edited by hand" : "";
    const broken = brokenBins(attribute);
    if (broken) note.append(warning([`${counted(broken, "bin")} beyond a limit`]));
  }
}

function changes(attribute, now) {
  const { now: after, before, noun } = attribute.tally;
  const parts = [
    `${before} → ${counted(after, noun)}`,
    `I ${signed(now.relevance - attribute.before.relevance, 4)}`,
  ];
  const name = attribute.page.criterion;
  if (now.score !== null && name !== "relevance")
    parts.push(`${name} ${signed(now.score - attribute.before.score, 4)}`);
  return parts.join(", ");
}

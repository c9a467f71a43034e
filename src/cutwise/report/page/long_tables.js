// Tables that a person sorts by a column or searches.

import { make } from "./elements.js";

/** Give the heads of a table buttons that sort its rows: once ascending or descending, again the other way. */
export function makeSortable(table) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, place) => {
    const button = make("button", { type: "button", class: "sort", onclick: () => sortBy(table, heads, place) });
    button.append(...head.childNodes);
    head.append(button);
  });
}

function sortBy(table, heads, place) {
  const rows = [...table.tBodies[0].rows];
  const keys = new Map(rows.map((row) => [row, keyOf(row.cells[place])]));
  const areNumbers = [...keys.values()].every((key) => key === null || typeof key === "number");
  // Numbers begin with the largest, texts and ranks with the first.
  const first = areNumbers && place > 0 ? "descending" : "ascending";
  const now = heads[place].getAttribute("aria-sort");
  const way = now === null ? first : now === "ascending" ? "descending" : "ascending";
  const sign = way === "ascending" ? 1 : -1;
  for (const head of heads) head.removeAttribute("aria-sort");
  heads[place].setAttribute("aria-sort", way);
  table.tBodies[0].append(...rows.sort((one, other) => compare(keys.get(one), keys.get(other), sign, areNumbers)));
}

/** Return what a cell sorts by: a number where its text is one, null where there is nothing. */
function keyOf(cell) {
  const text = (cell.querySelector("a, bdi") ?? cell).textContent.trim();
  if (text === "" || text === "-") return null;
  const number = Number(text.replaceAll(",", "").replace(/%$/, ""));
  return Number.isNaN(number) ? text : number;
}

/** What has no value comes last either way. */
function compare(one, other, sign, areNumbers) {
  if (one === null || other === null) return (one === null) - (other === null);
  return sign * (areNumbers ? one - other : String(one).localeCompare(String(other), "en", { numeric: true }));
}

/** Return a field that shows only the rows that hold what is typed; `textOf` tells what a row holds. */
export function makeSearch(id, words, rows, textOf) {
  const field = make("input", { id, type: "search", autocomplete: "off", placeholder: "part of a name" });
  const found = make("span", { class: "found", role: "status" });
  field.addEventListener("input", () => {
    const wanted = field.value.trim().toLocaleLowerCase();
    let shown = 0;
    for (const row of rows) {
      row.hidden = !textOf(row).toLocaleLowerCase().includes(wanted);
      shown += row.hidden ? 0 : 1;
    }
    found.textContent = wanted ? `${shown.toLocaleString("en-US")} of ${rows.length.toLocaleString("en-US")} shown` : "";
  });
  return make("p", { class: "filter" }, make("label", { for: id }, words), " ", field, " ", found);
}

/** Give every long table of bins a field to search it. */
export function searchLongTables(sections) {
  sections.forEach((section, place) => {
    section.querySelectorAll("table.many").forEach((table, number) => {
      const rows = [...table.tBodies[0].rows];
      const name = table.classList.contains("check") ? 0 : 1;
      const search = makeSearch(`bins-${place}-${number}`, "Show bins with", rows, (row) => row.cells[name].textContent);
      table.closest(".scroll").before(search);
    });
  });
}

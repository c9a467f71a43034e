// The editor of one attribute of categories, which takes the place of its picture and table.

import { classHead, rateCell, weightCells } from "./bins.js";
import { makeBoard, targetOf } from "./board.js";
import { drawGroups } from "./chart.js";
import { dataText, make, makeTable, replaceKept, shareCell, warning } from "./elements.js";
import { moveCategories } from "./groups.js";
import { breachesOf } from "./limits.js";
import { evidence } from "./measures.js";
import { chanceText, percent, rowsText } from "./numbers.js";
import { Panel } from "./panel.js";

// So many pixels make a press a drag; this near to the edges of the window it scrolls, so fast.
const FAR = 4;
const NEAR_EDGE = 70;
const SPEED = 14;

export class GroupPanel extends Panel {
  makeControls() {
    this.movedLast = new Set();
    this.board = make("div");
    const name = `find-category-${this.attribute.index}`;
    this.field = make("input", { id: name, type: "search", autocomplete: "off", placeholder: "part of a name" });
    this.field.addEventListener("input", () => this.showBoard());
    this.foundWords = make("span", { class: "found", role: "status" });
    this.reset = this.resetButton("Back to the found groups");
    const label = make("label", { for: name }, "Find a category");
    this.path.append(make("p", { class: "filter find" }, label, " ", this.field, " ", this.foundWords), this.board);
    const hint =
      "Drag a category to another group, by its handle on a touch screen, or choose its group in the list beside it.";
    return make("div", { class: "controls" }, this.reset, make("p", { class: "hint" }, hint));
  }

  note() {
    return null;
  }

  listen() {
    this.board.addEventListener("pointerdown", (event) => this.startDrag(event));
    this.board.addEventListener("pointermove", (event) => this.moveDrag(event));
    this.board.addEventListener("pointerup", () => this.endDrag());
    this.board.addEventListener("pointercancel", () => this.cancelDrag());
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.cancelDrag();
    });
  }

  update() {
    this.drawnWidth = this.width();
    this.figure.replaceChildren(drawGroups(this.attribute, this.groups.drawn, this.attribute.order(), this.drawnWidth));
    this.table.replaceChildren(groupTable(this.attribute, this.groups.listed));
    this.showBoard();
    this.showScores();
  }

  showBoard() {
    const typed = this.field.value.trim();
    const found = this.attribute.search(typed);
    const act = { move: (members, target) => this.move(members, target) };
    const scrolled = new Map(this.lists().map((list) => [list.parentElement.dataset.group, list.scrollTop]));
    replaceKept(this.board, makeBoard(this.attribute, found, this.movedLast, typed !== "", act));
    for (const list of this.lists()) list.scrollTop = scrolled.get(list.parentElement.dataset.group) ?? 0;
    const many = found.reduce((total, group) => total + group.length, 0);
    this.foundWords.textContent = typed ? `${rowsText(many)} of ${rowsText(this.attribute.texts.length)} found` : "";
  }

  lists() {
    return [...this.board.querySelectorAll(".categories")];
  }

  move(members, target) {
    this.movedLast = new Set(members);
    if (!this.take(moveCategories(this.attribute, members, target))) this.showBoard();
  }

  take({ chosen, words, error }) {
    this.message.hidden = !error;
    this.message.textContent = error ?? "";
    if (error || chosen === this.attribute.groups) return false;
    this.history.edit(this.attribute, chosen, words);
    return true;
  }

  resetBins() {
    if (!this.attribute.isChanged) return;
    this.take({ chosen: this.attribute.original, words: `${this.attribute.label} has the found groups again` });
  }

  /** A mouse takes a category anywhere but at its list, a finger takes its handle and else scrolls. */
  startDrag(event) {
    const item = event.target.closest("[data-category]");
    const isHeld = event.pointerType === "mouse" ? !event.target.closest("select") : event.target.closest(".handle");
    if (!item || !isHeld || event.button !== 0) return;
    const { clientX: x, clientY: y, pointerId: id } = event;
    this.drag = { item, id, start: [x, y], at: [x, y], target: null, isFar: false };
    this.board.setPointerCapture(id);
    event.preventDefault();
  }

  moveDrag(event) {
    if (!this.drag || event.pointerId !== this.drag.id) return;
    const { drag } = this;
    drag.at = [event.clientX, event.clientY];
    if (!drag.isFar) {
      drag.isFar = Math.hypot(drag.at[0] - drag.start[0], drag.at[1] - drag.start[1]) > FAR;
      if (!drag.isFar) return;
      drag.ghost = make("div", { class: "ghost", "aria-hidden": "true" }, drag.item.querySelector("bdi").textContent);
      document.body.append(drag.ghost);
      drag.item.classList.add("dragged");
      this.scrollAtEdges(drag);
    }
    this.point(drag);
  }

  /** Show what is dragged beside the pointer, and the group under it. */
  point(drag) {
    const [x, y] = drag.at;
    drag.ghost.style.transform = `translate(${x + 12}px, ${y + 8}px)`;
    const under = document.elementFromPoint(x, y)?.closest("[data-group]");
    const target = under && this.board.contains(under) ? under : null;
    if (target === drag.target) return;
    drag.target?.classList.remove("target");
    target?.classList.add("target");
    drag.target = target;
  }

  scrollAtEdges(drag) {
    if (this.drag !== drag) return;
    const y = drag.at[1];
    const step = y < NEAR_EDGE ? -SPEED : y > innerHeight - NEAR_EDGE ? SPEED : 0;
    if (step) {
      scrollBy(0, step);
      this.point(drag);
    }
    requestAnimationFrame(() => this.scrollAtEdges(drag));
  }

  endDrag() {
    const { drag } = this;
    this.cancelDrag();
    if (!drag?.target) return;
    this.move([Number(drag.item.dataset.category)], targetOf(drag.target.dataset.group));
  }

  cancelDrag() {
    if (!this.drag) return;
    this.drag.ghost?.remove();
    this.drag.item.classList.remove("dragged");
    this.drag.target?.classList.remove("target");
    this.drag = null;
  }
}

/** Return the table of groups, by the rate of the event. */
function groupTable(attribute, classes) {
  const { page, source } = attribute;
  const counts = attribute.bins();
  const all = attribute.withMissing(counts);
  const total = all.flat().reduce((sum, count) => sum + count, 0);
  const weights = page.event === null ? null : evidence(all, page.event).bins;
  const breaches = breachesOf(attribute);
  const isTested = attribute.isTested && !attribute.isChanged;
  const order = [...attribute.order(), ...(all.length > counts.length ? [counts.length] : [])];
  const rows = order.map((b) => {
    const size = all[b].reduce((sum, count) => sum + count, 0);
    const isMissing = b === counts.length;
    const name = isMissing ? "missing" : dataText(attribute.groupName(b));
    const note = !isMissing && breaches[b].length > 0 ? warning(breaches[b]) : null;
    return [
      String(isMissing && page.missing === "code" ? -1 : b),
      make("td", { class: isMissing ? "text absent" : "text" }, name, note),
      ...(isTested ? [b > 0 && !isMissing ? chanceText(source.p_values[b - 1]) : ""] : []),
      rowsText(size),
      shareCell(percent(size, total), total ? size / total : 0, "soft"),
      ...classes.map((group) => rateCell(all[b], size, group)),
      ...(weights ? weightCells(weights[b], size) : []),
    ];
  });
  const heads = ["Code", "Bin", ...(isTested ? ["p of the parting"] : []), "Rows", "Share of rows"];
  heads.push(...classes.map(classHead), ...(weights ? ["WoE", "IV"] : []));
  const caption = `Bins, and the share of each class in them${weights ? ", by the rate of the event" : ""}`;
  return makeTable(caption, heads, rows, "bins");
}

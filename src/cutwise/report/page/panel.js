// The editor of one attribute, which takes the place of its picture and tables.

import { binsTable } from "./bins.js";
import { drawChart, legend } from "./chart.js";
import { addCut, moveCut, removeCut, typeCut } from "./edits.js";
import { findKey, make, replaceKept, setUsable, warning } from "./elements.js";
import { factNodes } from "./facts.js";
import { breachWords } from "./limits.js";
import { counted, rowsText } from "./numbers.js";
import { drawPath } from "./path.js";
import { gapAt } from "./scale.js";

const WIDEST = 1000;
const NARROWEST = 300;
const STEPS = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, Home: -Infinity, End: Infinity };
const PAGES = { PageUp: 1, PageDown: -1 };
// This many pages lead through all gaps; a page has at least ten.
const N_PAGES = 60;

export class Panel {
  constructor(section, attribute, groups, history) {
    Object.assign(this, { section, attribute, groups, history });
    this.view = firstView(attribute);
    this.drag = null;
    this.facts = make("dl", { class: "facts" });
    this.figure = make("div", { class: "chart-frame" });
    this.table = make("div");
    this.message = make("p", { class: "problem", role: "alert", hidden: true });
    // The toolbar speaks the notes too, so they are plain texts here.
    this.moved = make("p", { class: "notice", hidden: true });
    this.limits = make("div", { class: "limits", hidden: true });
    this.path = make("div");
    this.controls = this.makeControls();
    this.mount();
  }

  mount() {
    const { page } = this.attribute;
    const place = this.section.querySelector("dl");
    const steps = this.section.querySelector(".steps")?.closest(".scroll");
    const note = this.note();
    const stop = make("p", { class: "note" }, `The search stopped: ${this.section.dataset.stop}.`);
    const kept = steps
      ? make("details", { class: "steps-frame" }, make("summary", {}, "The steps as a table"), steps)
      : null;
    for (const old of this.section.querySelectorAll(":scope > dl, :scope > figure, :scope > .scroll, :scope > .note")) {
      if (old.previousElementSibling?.matches(".filter")) old.previousElementSibling.remove();
      if (old !== place) old.remove();
    }
    const nodes = [
      this.facts,
      legend(this.groups.drawn, page.event === null ? null : page.classes[page.event]),
      this.controls,
      this.message,
      this.moved,
      this.figure,
      note,
      this.limits,
      this.table,
      this.path,
      stop,
      kept,
    ];
    place.replaceWith(...nodes.filter((node) => node !== null));
    this.listen();
    new ResizeObserver(() => this.resize()).observe(this.section);
    this.update();
  }

  note() {
    return thinningNote(this.attribute);
  }

  listen() {
    this.figure.addEventListener("pointerdown", (event) => this.startDrag(event));
    // A finger on a cut drags it and does not scroll, though the picture is drawn anew under the finger.
    this.figure.addEventListener("touchstart", (event) => this.holdTouch(event), { passive: false });
    this.figure.addEventListener("pointermove", (event) => this.moveDrag(event));
    this.figure.addEventListener("pointerup", () => this.endDrag());
    this.figure.addEventListener("pointercancel", () => this.cancelDrag());
    this.figure.addEventListener("dblclick", (event) => this.addAt(event));
    this.figure.addEventListener("keydown", (event) => this.press(event));
  }

  makeControls() {
    const name = `new-cut-${this.attribute.index}`;
    this.field = make("input", { id: name, type: "text", inputmode: "decimal", size: "10", autocomplete: "off" });
    const form = make(
      "div",
      { class: "add" },
      make("label", { for: name }, "Add a cut at"),
      this.field,
      make("button", { type: "button", class: "add-cut", onclick: () => this.add() }, "Add"),
    );
    this.field.addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.add();
    });
    this.reset = this.resetButton("Back to the found cuts");
    const views = make(
      "div",
      { class: "views", role: "group", "aria-label": "What the picture shows" },
      this.viewButton("values", "Values"),
      this.attribute.data.log_bars ? this.viewButton("log", "Log scale") : null,
      this.viewButton("rows", "Rows"),
    );
    const hint = make(
      "p",
      { class: "hint" },
      "Drag a cut, or move it with the arrow keys; Delete removes it. Double-click the picture to add one.",
    );
    return make("div", { class: "controls" }, form, this.reset, this.attribute.data.bars ? views : null, hint);
  }

  resetButton(words) {
    return make("button", { type: "button", class: "reset", onclick: () => this.resetBins() }, words);
  }

  viewButton(view, words) {
    const press = () => {
      this.view = view;
      this.update();
    };
    return make("button", { type: "button", "data-view": view, "aria-pressed": "false", onclick: press }, words);
  }

  resize() {
    const width = this.width();
    if (width !== this.drawnWidth) this.update();
  }

  width() {
    return Math.min(Math.max(Math.floor(this.figure.clientWidth), NARROWEST), WIDEST);
  }

  /** Show the cuts as they are now. */
  update() {
    this.drawnWidth = this.width();
    const { picture, scale } = drawChart(this.attribute, this.groups.drawn, this.view, this.drawnWidth);
    this.scale = scale;
    replaceKept(this.figure, picture);
    replaceKept(
      this.table,
      binsTable(this.attribute, this.groups.listed, {
        type: (place, field) => this.type(place, field),
        remove: (place) => this.remove(place),
      }),
    );
    this.path.replaceChildren(...[drawPath(this.attribute, this.drawnWidth)].filter((node) => node !== null));
    this.showScores();
    for (const button of this.controls.querySelectorAll("[data-view]"))
      button.setAttribute("aria-pressed", String(button.dataset.view === this.view));
  }

  /** Show what the bins are worth, and whether they were edited. */
  showScores() {
    this.showLimits();
    this.facts.replaceChildren(...factNodes(this.attribute));
    setUsable(this.reset, this.attribute.isChanged);
    this.section.classList.toggle("edited", this.attribute.isEdited);
    this.section.classList.toggle("changed", this.attribute.isChanged);
  }

  /** Keep in view that the bins break a limit, as long as they do. */
  showLimits() {
    const words = breachWords(this.attribute);
    this.limits.hidden = !words;
    const advice = "See the table. The scheme can be downloaded all the same.";
    this.limits.replaceChildren(...(words ? [warning([`${words} of the fit. ${advice}`])] : []));
  }

  /** Take an edit over, or say why not. */
  take({ cuts, words, error, moved }) {
    this.message.hidden = !error;
    this.message.textContent = error ?? "";
    this.moved.hidden = !moved;
    this.moved.textContent = moved ? `${moved.note}.` : "";
    const { typed, cuts: before } = this.attribute;
    if (error || cuts === before) return false;
    cuts.filter((cut) => !before.includes(cut)).forEach((cut) => typed.delete(cut));
    if (moved) typed.set(moved.cut, moved.typed);
    this.history.edit(this.attribute, cuts, words);
    return true;
  }

  add() {
    if (this.take(typeCut(this.attribute, this.field.value))) this.field.value = "";
  }

  type(place, field) {
    const typed = field.value;
    // The browser moves the focus after this event; the table is renewed when it has.
    setTimeout(() => {
      if (!this.take(typeCut(this.attribute, typed, place))) this.update();
    });
  }

  remove(place) {
    this.take(removeCut(this.attribute, place));
    this.focusCut(Math.min(place, this.attribute.cuts.length - 1));
  }

  resetBins() {
    if (!this.attribute.isChanged) return;
    this.take({ cuts: this.attribute.original, words: `${this.attribute.label} has the found cuts again` });
  }

  focusCut(place) {
    (findKey(this.figure, `cut-${place}`) ?? this.field).focus({ preventScroll: true });
  }

  press(event) {
    const slider = event.target.closest("[data-place]");
    if (event.key === "Escape") this.cancelDrag();
    if (!slider || event.ctrlKey || event.metaKey || event.altKey) return;
    const place = Number(slider.dataset.place);
    const { cuts, gaps } = this.attribute;
    const steps = STEPS[event.key] ?? PAGES[event.key] * Math.max(10, Math.round(gaps.cuts.length / N_PAGES));
    if (!Number.isNaN(steps)) {
      this.take(moveCut(this.attribute, place, this.attribute.gapOf(cuts[place]) + steps));
    } else if (event.key === "Delete" || event.key === "Backspace") this.remove(place);
    else return;
    event.preventDefault();
  }

  /** Return where a pointer is in the picture. */
  pointed(event) {
    return event.clientX - this.figure.getBoundingClientRect().left + this.figure.scrollLeft;
  }

  addAt(event) {
    if (event.target.closest("[data-place]") || this.attribute.gaps.cuts.length === 0) return;
    this.take(addCut(this.attribute, gapAt(this.scale, this.pointed(event))));
  }

  startDrag(event) {
    const slider = event.target.closest("[data-place]");
    if (!slider || event.button !== 0) return;
    this.drag = { place: Number(slider.dataset.place), start: this.attribute.cuts, words: "" };
    this.figure.setPointerCapture(event.pointerId);
    slider.focus({ preventScroll: true });
    event.preventDefault();
  }

  holdTouch(event) {
    if (event.target.closest("[data-place]")) event.preventDefault();
  }

  moveDrag(event) {
    if (!this.drag) return;
    const { place, start } = this.drag;
    const [first, last] = this.attribute.rangeOf(place, start);
    const { cuts, words } = moveCut(this.attribute, place, gapAt(this.scale, this.pointed(event), first, last), start);
    if (cuts[place] === this.attribute.cuts[place]) return;
    this.drag.words = words;
    this.attribute.cuts = cuts;
    this.update();
  }

  endDrag() {
    if (!this.drag) return;
    const { start, words } = this.drag;
    const { cuts } = this.attribute;
    this.drag = null;
    this.attribute.cuts = start;
    if (words && cuts !== start) this.take({ cuts, words });
  }

  cancelDrag() {
    if (!this.drag) return;
    this.attribute.cuts = this.drag.start;
    this.drag = null;
    this.update();
  }
}

/** Return what the picture shows at first: values, unless they are so skewed that other axes show more. */
function firstView(attribute) {
  const { bars, log_bars: logBars } = attribute.data;
  if (logBars) return "log";
  return bars && !isSkewed(attribute) ? "values" : "rows";
}

/** Return whether most rows lie in a small part of the range, so that a histogram shows little. */
function isSkewed(attribute) {
  const rows = attribute.data.bars.counts.map((row) => row.reduce((a, b) => a + b, 0));
  const total = rows.reduce((a, b) => a + b, 0);
  return rows.length > 5 && Math.max(...rows) > total / 2;
}

function thinningNote(attribute) {
  const { n_gaps: all, gaps } = attribute.data;
  if (all === null) {
    const words = "This page was made without the rows: cuts can be removed and put back, and nothing finer.";
    return make("p", { class: "note" }, words);
  }
  if (gaps.cuts.length >= all) return null;
  const held = `This page holds ${rowsText(gaps.cuts.length)} of ${counted(all, "gap")} between values`;
  const which = "those of round numbers, and others at about equal numbers of rows";
  const words = `${held}: ${which}. Cuts can lie in these; their counts are exact.`;
  return make("p", { class: "note" }, words);
}

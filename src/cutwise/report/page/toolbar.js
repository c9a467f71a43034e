// The bar at the top: undo, redo, download.

import { make, setUsable, warning } from "./elements.js";
import { brokenBins } from "./limits.js";
import { counted } from "./numbers.js";
import { schemeText } from "./scheme.js";

export class Toolbar {
  constructor(page, attributes, history) {
    Object.assign(this, { page, attributes, history });
    this.saved = attributes.map((attribute) => attribute.chosen);
    this.state = make("span", { class: "state" });
    this.undo = make("button", { type: "button", id: "undo", title: "Ctrl+Z", onclick: () => history.undo() }, "Undo");
    this.redo = make("button", { type: "button", id: "redo", title: "Ctrl+Y", onclick: () => history.redo() }, "Redo");
    this.save = make("button", { type: "button", id: "download", onclick: () => this.download() }, "Download scheme");
    this.spoken = make("p", { class: "spoken", role: "status", id: "spoken" });
    const bar = make(
      "div",
      { class: "toolbar", role: "group", "aria-label": "Edits" },
      this.undo,
      this.redo,
      this.save,
      this.state,
    );
    document.querySelector("main").before(bar, this.spoken);
    document.addEventListener("keydown", (event) => this.press(event));
    this.update();
  }

  update() {
    setUsable(this.undo, this.history.done.length > 0);
    setUsable(this.redo, this.history.undone.length > 0);
    const edited = this.attributes.filter((attribute) => attribute.isChanged).length;
    const words = this.isSaved ? "downloaded" : "not downloaded yet";
    this.state.textContent = edited ? `${counted(edited, "attribute")} edited, ${words}` : "No edits";
    const broken = this.attributes.filter((attribute) => brokenBins(attribute) > 0).length;
    if (broken) this.state.append(warning([`${counted(broken, "attribute")} beyond a limit of the fit`]));
  }

  /** Whether the edits are in the last downloaded scheme, or there are none. */
  get isSaved() {
    return this.attributes.every((attribute, i) => attribute.chosen === this.saved[i]);
  }

  say(words) {
    this.spoken.textContent = words;
  }

  press(event) {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.target instanceof HTMLInputElement) return;
    const key = event.key.toLowerCase();
    if (key === "z" && !event.shiftKey) this.history.undo();
    else if (key === "y" || (key === "z" && event.shiftKey)) this.history.redo();
    else return;
    event.preventDefault();
  }

  download() {
    const file = new Blob([schemeText(this.page, this.attributes)], { type: "application/json" });
    const link = make("a", { href: URL.createObjectURL(file), download: "scheme.json" });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
    this.saved = this.attributes.map((attribute) => attribute.chosen);
    this.update();
    this.say("The scheme was downloaded as scheme.json");
  }
}

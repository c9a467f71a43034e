// Elements of the page. Texts from the data only ever become text nodes.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (value !== null && value !== false) node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== null));
  return node;
}

export function make(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

export function draw(name, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

/** Return a text from the data, whose direction does not touch what is around it. */
export function dataText(text) {
  return make("bdi", {}, text);
}

/** Replace the children of a node; what had the focus has it again afterwards. */
export function replaceKept(node, ...children) {
  const active = node.contains(document.activeElement) ? document.activeElement : null;
  const key = active?.dataset.key;
  const isText = active instanceof HTMLInputElement;
  const typed = isText ? [active.value, active.selectionStart, active.selectionEnd] : null;
  const isUnsent = isText && active.value !== active.defaultValue;
  node.replaceChildren(...children);
  const again = key ? findKey(node, key) : null;
  if (!again) return;
  again.focus({ preventScroll: true });
  if (isUnsent && again instanceof HTMLInputElement) {
    again.value = typed[0];
    again.setSelectionRange(typed[1], typed[2]);
  }
}

/** Say whether a button does anything; it keeps the focus either way. */
export function setUsable(button, isUsable) {
  button.setAttribute("aria-disabled", String(!isUsable));
}

export function findKey(node, key) {
  return [...node.querySelectorAll("[data-key]")].find((other) => other.dataset.key === key) ?? null;
}

/** Return a table in a frame that scrolls; cells are nodes or texts. */
export function makeTable(caption, heads, rows, style) {
  const head = make("tr", {}, ...heads.map((cell) => make("th", { scope: "col" }, cell)));
  const body = rows.map((cells) =>
    make("tr", {}, make("th", { scope: "row" }, cells[0]), ...cells.slice(1).map(asCell)),
  );
  const table = make(
    "table",
    { class: style },
    make("caption", {}, caption),
    make("thead", {}, head),
    make("tbody", {}, ...body),
  );
  const label = "Table, may scroll sideways";
  return make("div", { class: "scroll", role: "region", "aria-label": label, tabindex: "0" }, table);
}

/** Return texts that warn, each after a sign; colour is not all that tells. */
export function warning(texts, id = null) {
  const lines = texts.map((text) => make("span", { class: "warning-line" }, warningSign(), make("bdi", {}, text)));
  return make("span", { class: "warning", id }, ...lines);
}

function warningSign() {
  return draw(
    "svg",
    { class: "sign", viewBox: "0 0 16 16", width: 14, height: 14, "aria-hidden": "true" },
    draw("path", { d: "M8 1.6 15.2 14.4H.8z" }),
    draw("path", { class: "mark", d: "M8 6v4M8 11.6v1.2" }),
  );
}

function asCell(cell) {
  return cell instanceof HTMLTableCellElement ? cell : make("td", {}, cell);
}

/** Return a cell with a bar of that share behind its text. */
export function shareCell(text, share, colour) {
  return make("td", { class: `bar part-${Math.round(100 * share)} tint-${colour}` }, text);
}

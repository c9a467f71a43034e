// The categories of an attribute in their groups: each can be dragged to another group, or sent there by a list.

import { dataText, make } from "./elements.js";
import { percent, rowsText } from "./numbers.js";

// So many categories are shown at a time, the others are found by search; each group shows a few.
const MOST_SHOWN = 300;
const FEWEST_SHOWN = 3;
const NEW = "new";

/** Return the code of a group from the text that stands for it; null for a new group. */
export function targetOf(text) {
  return text === NEW ? null : Number(text);
}

/** Return the groups; `found` are the categories of each that are looked for, `moved` those that moved last.
 *  Groups without any of them come last, to move others to them. */
export function makeBoard(attribute, found, moved, isSearch, act) {
  const each = Math.max(FEWEST_SHOWN, Math.floor(MOST_SHOWN / attribute.groups.length));
  const order = attribute.order();
  const isFound = (code) => found[code].length > 0;
  const cards = [...order.filter(isFound), ...order.filter((code) => !isFound(code))]
    .map((code) => card(attribute, code, shownFirst(found[code], moved, each), found[code], isSearch, act));
  const fresh = make("div", { class: "group fresh", "data-group": NEW }, "Drop a category here for a new group");
  const none = order.some(isFound) ? null : make("p", { class: "note" }, "No category has this in its name.");
  const label = `Groups of ${attribute.label}`;
  return make("div", { class: "board", role: "group", "aria-label": label }, none, fresh, ...cards);
}

/** Return at most so many categories, the ones that moved last before the others. */
function shownFirst(found, moved, most) {
  const first = found.filter((one) => moved.has(one)).slice(0, most);
  const rest = [];
  for (const one of found) {
    if (first.length + rest.length >= most) break;
    if (!moved.has(one)) rest.push(one);
  }
  return [...first, ...rest];
}

function card(attribute, code, shown, found, isSearch, act) {
  const more = found.length - shown.length;
  const words = isSearch ? "more found: type more of the name" : "more: search for them";
  const label = `Group ${code} of ${attribute.label}`;
  return make(
    "div",
    { class: "group", "data-group": code, role: "group", "aria-label": label },
    make("p", { class: "group-head" }, make("strong", {}, `Group ${code}`), " ", soft(sizeText(attribute, code))),
    make("div", { class: "group-acts" }, ...groupActs(attribute, code, found, isSearch, act)),
    shown.length > 0 ? make("ul", { class: "categories" }, ...shown.map((one) => chip(attribute, one, code, act))) : null,
    more > 0 ? make("p", { class: "more" }, `${rowsText(more)} ${words}`) : null,
  );
}

/** Return what can be done with a whole group, and with those of its categories that were found. */
function groupActs(attribute, code, found, isSearch, act) {
  const group = attribute.groups[code];
  const isPart = isSearch && found.length > 0 && found.length < group.length;
  const split = make(
    "button",
    { type: "button", class: "split", "data-key": `split-${code}`, onclick: () => act.move(found, null) },
    `Split off the ${rowsText(found.length)} found`,
  );
  const join = moveList(attribute, {
    key: `join-${code}`,
    label: `Join group ${code} of ${attribute.label} with`,
    code: null,
    first: "Join with…",
    take: (target) => act.move(group, target),
    without: code,
  });
  return [...(isPart ? [split] : []), ...(attribute.groups.length > 1 ? [join] : [])];
}

/** A category: a handle for fingers, its name and rows, and a list of the groups. */
function chip(attribute, category, code, act) {
  const rows = attribute.rowsOf(category);
  const size = rows.reduce((total, count) => total + count, 0);
  const { event } = attribute.page;
  const rate = event === null ? "" : `, ${percent(rows[event], size)}`;
  const name = attribute.nameOf(category);
  const list = moveList(attribute, {
    key: `category-${category}`,
    label: `Group of ${name}`,
    code,
    first: null,
    take: (target) => act.move([category], target),
    without: null,
  });
  return make(
    "li",
    { class: "category", "data-category": category, title: attribute.texts[category].slice(0, 400) },
    make("span", { class: "handle", "aria-hidden": "true" }, "⠿"),
    make("span", { class: "category-name" }, dataText(name), " ", soft(`${rowsText(size)}${rate}`)),
    list,
  );
}

/** Return a list of the groups to move to; it is filled when it is first used, as there may be hundreds of lists. */
function moveList(attribute, { key, label, code, first, take, without }) {
  const now = first ?? `Group ${code}`;
  const list = make("select", { "data-key": key, "aria-label": label }, make("option", { value: "" }, now));
  const fill = () => {
    if (list.options.length > 1) return;
    const codes = [...attribute.groups.keys()].filter((one) => one !== without);
    const options = codes.map((one) => make("option", { value: one }, `Group ${one}: ${attribute.groupName(one)}`));
    if (first === null) {
      list.replaceChildren(...options, make("option", { value: NEW }, "A new group"));
      list.value = String(code);
    } else list.append(...options);
  };
  for (const type of ["focus", "pointerdown"]) list.addEventListener(type, fill);
  list.addEventListener("change", () => {
    if (list.value !== "") take(targetOf(list.value));
  });
  return list;
}

function sizeText(attribute, code) {
  const row = attribute.bins()[code];
  const size = row.reduce((total, count) => total + count, 0);
  const { event, classes } = attribute.page;
  const many = attribute.groups[code].length;
  const words = `${rowsText(many)} ${many === 1 ? "category" : "categories"}, ${rowsText(size)} rows`;
  return event === null ? words : `${words}, ${percent(row[event], size)} ${classes[event]}`;
}

const soft = (text) => make("span", { class: "soft" }, text);

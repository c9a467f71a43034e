// Bring the page to life: panels are made when they come into view.

import { EditableAttribute } from "./attribute.js";
import { GroupPanel } from "./group_panel.js";
import { GroupedAttribute } from "./groups.js";
import { History } from "./history.js";
import { breachWords } from "./limits.js";
import { counted } from "./numbers.js";
import { searchLongTables } from "./long_tables.js";
import { Overview } from "./overview.js";
import { Panel } from "./panel.js";
import { Toolbar } from "./toolbar.js";

const MOST_CLASSES = 12;
const MOST_PRINTED = 100;
// An attribute with more cuts is shown, not edited.
const MOST_CUTS = 200;

function start() {
  const page = JSON.parse(document.getElementById("data").textContent);
  const attributes = page.attributes.map(
    (data, index) => new (data.categories ? GroupedAttribute : EditableAttribute)(data, index, page),
  );
  const panels = new Map();
  const history = new History((changed, words) => {
    for (const attribute of changed) {
      panels.get(attribute)?.update();
      overview.update(attribute);
    }
    toolbar.update();
    toolbar.say([words, scores(changed[0]), breachWords(changed[0])].filter(Boolean).join(". "));
  });
  const toolbar = new Toolbar(page, attributes, history);
  const overview = new Overview(attributes, page.order);
  const groups = classGroups(page);
  const open = (section) => {
    const attribute = attributes[page.order[Number(section.dataset.rank) - 1]];
    if (!attribute.hasCounts || attribute.original.length > MOST_CUTS || panels.has(attribute)) return;
    const Kind = attribute.groups ? GroupPanel : Panel;
    panels.set(attribute, new Kind(section, attribute, groups, history));
  };
  watch(open);
  searchLongTables(document.querySelectorAll("section[data-rank]"));
  addEventListener("beforeunload", (event) => {
    if (!toolbar.isSaved) event.preventDefault();
  });
}

function watch(open) {
  const sections = document.querySelectorAll("section[data-rank]");
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        observer.unobserve(target);
        open(target);
      }
    },
    { rootMargin: "600px" },
  );
  for (const section of sections) observer.observe(section);
  addEventListener("beforeprint", () => {
    if (sections.length <= MOST_PRINTED) sections.forEach(open);
  });
}

function scores(attribute) {
  const { relevance, divergence, score } = attribute.judge();
  const parts = [`Relevance ${relevance.toFixed(4)} bits`];
  if (attribute.page.psi && divergence !== null)
    parts.push(`divergence ${divergence.toFixed(4)}`, `Psi ${score.toFixed(4)}`);
  return parts.join(", ");
}

/** Return the classes as the picture draws them, those that share a colour together, and as tables list them. */
function classGroups(page) {
  const all = page.classes.map((label, place) => ({ label, places: [place], colour: page.colours[place] }));
  const rest = all.filter((group) => group.colour === "other").flatMap((group) => group.places);
  const own = all.filter((group) => group.colour !== "other");
  const drawn = rest.length
    ? [...own, { label: `other (${counted(rest.length, "class")})`, places: rest, colour: "other" }]
    : all;
  return { drawn, listed: all.length <= MOST_CLASSES ? all : drawn };
}

start();

"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const at = (id) => document.getElementById(id);
const make = (name, text, kind) => {
  const element = document.createElement(name);
  if (text !== undefined) element.textContent = text;  // never as HTML
  if (kind) element.className = kind;
  return element;
};
const breakable = (text) => text.replace(/[(_]|(?<=[a-z])(?=[A-Z])/g, "$&\u200b");  // lines end between words
const steps = data.steps, items = [], texts = [];
let current = 0;

/* The timeline */

function buildTimeline() {
  document.documentElement.style.setProperty("--lanes", Math.max(1, data.lanes.length));
  at("heads").append(make("span", "step"), ...data.lanes.map((name) => make("span", name)));
  const list = make("ol");
  let group = "";
  list.append(buildStep(0, { label: "before the first step", lane: data.lanes[0], also: [] }));
  steps.forEach((step, index) => {
    if (step.group !== group) { group = step.group; list.append(make("li", group, "group")); }
    if (data.loop === index) list.append(make("li", "from here on for ever", "group"));
    list.append(buildStep(index + 1, step));
  });
  at("steps").append(...list.childNodes);
}

function buildStep(number, step) {
  const item = make("li", undefined, "lane-row" + (step.is_wrong ? " broken" : ""));
  const own = data.lanes.indexOf(step.lane), others = step.also.map((name) => data.lanes.indexOf(name));
  const label = make("button", breakable(step.label)), right = Math.min(...others.filter((lane) => lane > own), data.lanes.length);
  label.type = "button";
  label.dataset.step = number;
  if (number) label.dataset.lane = step.lane;
  label.tabIndex = -1;
  label.style.gridColumn = own + 2 + " / " + (right < data.lanes.length ? right + 2 : -1);
  const who = number ? number + ", " + (step.lane || "") + ": " : "";
  label.setAttribute("aria-label", who + step.label + (step.is_wrong ? ", here it broke" : ""));
  item.append(make("span", number ? String(number) : "", "number"), label);
  if (others.length) {
    const reach = make("b");
    reach.style.gridColumn = Math.min(own, ...others) + 2 + " / " + (Math.max(own, ...others) + 2);
    item.append(reach);
  }
  others.forEach((lane, index) => {
    const dot = make("i");
    dot.title = step.also[index];
    dot.style.gridColumn = String(lane + 2);
    item.append(dot);
  });
  items.push(item);
  return item;
}

function show(number, keep) {
  const before = items[current].querySelector("button");
  before.removeAttribute("aria-current");
  before.tabIndex = -1;
  current = Math.min(Math.max(0, number), steps.length);
  const label = items[current].querySelector("button");
  label.setAttribute("aria-current", "step");
  label.tabIndex = 0;
  bringIntoSight(items[current], label);
  at("where").textContent = "Step " + current + " of " + steps.length;
  at("detail").replaceChildren(...describe(current));
  if (!keep) { remember(); bringDetailIntoSight(); }
}

function bringDetailIntoSight() {  // on a narrow page it stands below the timeline
  if (at("detail").getBoundingClientRect().top < innerHeight - 80) return;
  const above = at("nav").offsetHeight;
  scrollTo({ top: at("story").getBoundingClientRect().top + scrollY - above, behavior: "instant" });
}

function bringIntoSight(item, label) {
  const pane = at("timeline"), margin = 48;
  const top = item.offsetTop, bottom = top + item.offsetHeight;
  if (top < pane.scrollTop + margin || bottom > pane.scrollTop + pane.clientHeight - margin) {
    pane.scrollTo({ top: top - pane.clientHeight / 3, behavior: "instant" });
  }
  const left = label.offsetLeft, right = left + Math.min(label.offsetWidth, pane.clientWidth);
  if (left < pane.scrollLeft || right > pane.scrollLeft + pane.clientWidth) {
    pane.scrollTo({ left: Math.max(0, left - 64), behavior: "instant" });
  }
}

/* The step */

function describe(number) {
  const step = steps[number - 1], parts = [];
  parts.push(make("h2", number ? number + ". " + step.label : "Before the first step"));
  if (step) {
    parts.push(make("p", [step.lane, step.at, step.group].filter(Boolean).join(" · "), "dim"));
    if (step.is_wrong) parts.push(make("p", data.wrong, "wrong"));
    step.notes.forEach((note) => parts.push(make("p", note)));
    if (step.changes.length) parts.push(make("h3", "Changed by this step"), changesTable(step.changes));
  }
  const world = worldAfter(number), first = new Map(data.first);
  const changed = new Set(step ? step.changes.map((one) => one.name) : []);
  const moved = [...world].filter(([name, value]) => value !== first.get(name) || changed.has(name));
  const rest = [...world].filter(([name, value]) => value === first.get(name) && !changed.has(name));
  if (moved.length) parts.push(make("h3", "Changed since the first world"), worldTable(moved, changed));
  if (rest.length) {
    const more = make("details");
    more.open = !number;
    more.append(make("summary", rest.length + (rest.length === 1 ? " field" : " fields") + " as at first"), worldTable(rest, changed));
    parts.push(make("h3", "The world then"), more);
  }
  return parts;
}

function changesTable(changes) {
  const table = make("table"), body = make("tbody");
  changes.forEach((one) => {
    const row = make("tr"), name = make("th", one.name);
    name.scope = "row";
    row.append(name, make("td", one.old), make("td", "\u2192"), make("td", one.new, "new"));
    body.append(row);
  });
  table.append(body);
  return table;
}

function worldAfter(number) {
  const world = new Map(data.first);
  for (const step of steps.slice(0, number)) for (const one of step.changes) world.set(one.name, one.new);
  return world;
}

function worldTable(fields, changed) {
  const table = make("table"), body = make("tbody");
  fields.forEach(([name, value]) => {
    const row = make("tr", undefined, changed.has(name) ? "changed" : ""), head = make("th", name);
    head.scope = "row";
    row.append(head, make("td", value));
    body.append(row);
  });
  table.append(body);
  return table;
}

/* Searching, and links that lead back */

function textOf(step) {
  return [step.label, step.lane, ...step.also, step.group, step.at, ...step.notes,
    ...step.changes.flatMap((one) => [one.name, one.old, one.new])].join("\n").toLowerCase();
}

function search() {
  const wanted = at("search").value.trim().toLowerCase();
  let count = 0;
  if (wanted && !texts.length) texts.push(...steps.map(textOf));
  steps.forEach((step, index) => {
    const fits = wanted !== "" && texts[index].includes(wanted);
    items[index + 1].classList.toggle("match", fits);
    count += fits ? 1 : 0;
  });
  at("to-match").hidden = !count;
  at("matches").textContent = wanted ? count + (count === 1 ? " match" : " matches") : "";
}

function goToMatch(direction) {
  for (let ahead = 1; ahead <= items.length; ahead += 1) {
    const index = (current + direction * ahead + items.length * ahead) % items.length;
    if (items[index].classList.contains("match")) return show(index);
  }
}

function readAddress() {
  const parts = new URLSearchParams(location.hash.slice(1).replace(/^step-(\d+)/, "step=$1"));
  return { step: Number(parts.get("step")) || 0, find: parts.get("find") || "" };
}

function remember() {
  const find = at(steps.length ? "search" : "filter").value.trim();
  const parts = [steps.length ? "step-" + current : "", find ? "find=" + encodeURIComponent(find) : ""];
  const hash = parts.filter(Boolean).join("&");
  try { history.replaceState(null, "", hash ? "#" + hash : location.pathname + location.search); }
  catch (refused) { console.info("a frame without an address keeps no link", refused.name); }
}

/* Tables */

function filterRows() {
  const wanted = at("filter").value.trim().toLowerCase();
  let count = 0, all = 0;
  document.querySelectorAll(".part").forEach((part) => {
    let inPart = 0;
    part.querySelectorAll("tbody tr").forEach((line) => {
      line.hidden = !line.textContent.toLowerCase().includes(wanted);
      inPart += line.hidden ? 0 : 1;
      all += 1;
    });
    part.hidden = wanted !== "" && !inPart;
    count += inPart;
  });
  at("shown").textContent = wanted ? count + " of " + all : all + (all === 1 ? " row" : " rows");
}

function buildParts() {
  at("parts").hidden = false;
  document.querySelectorAll(".part").forEach((part) => {
    const link = make("a", part.querySelector("h2").textContent);
    link.href = "#" + part.id;
    if (document.querySelectorAll(".part").length <= 8) at("links").append(link);
  });
  document.querySelectorAll("td[data-share]").forEach((cell) => {
    cell.style.setProperty("--share", Math.abs(Number(cell.dataset.share)) * 100 + "%");
  });
  at("filter").addEventListener("input", () => { filterRows(); remember(); });
  at("filter").value = readAddress().find;
  filterRows();
}

/* Keys */

const moves = {
  first: () => show(0), previous: () => show(current - 1), next: () => show(current + 1),
  last: () => show(steps.length), match: () => goToMatch(1), back: () => goToMatch(-1),
  wrong: () => show(steps.findIndex((step) => step.is_wrong) + 1 || current),
  graph: () => pickTab(at("tab-picture").getAttribute("aria-selected") !== "true"),
};
const keys = {
  ArrowLeft: "previous", ArrowUp: "previous", k: "previous", ArrowRight: "next", ArrowDown: "next", j: "next",
  Home: "first", End: "last", n: "match", p: "back", w: "wrong", g: "graph",
};

function pressed(event) {
  const box = at(steps.length ? "search" : "filter");
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target === box) {
    if (event.key === "Enter" && steps.length) goToMatch(event.shiftKey ? -1 : 1);
    if (event.key === "Escape") { box.value = ""; box.dispatchEvent(new Event("input")); box.blur(); }
    return;
  }
  if (event.key === "/") { event.preventDefault(); return box.focus(); }
  const move = steps.length && keys[event.key];
  if (!move || (event.target.getAttribute("role") === "tab" && event.key.startsWith("Arrow"))) return;
  event.preventDefault();
  moves[move]();
  if (event.target.closest("#steps")) items[current].querySelector("button").focus({ preventScroll: true });
}

function pickTab(isPicture) {
  if (at("tabs").hidden) return;
  [["tab-detail", "detail", !isPicture], ["tab-picture", "picture", isPicture]].forEach(([tab, panel, isOn]) => {
    at(tab).setAttribute("aria-selected", String(isOn));
    at(tab).tabIndex = isOn ? 0 : -1;
    at(panel).hidden = !isOn;
  });
}

function buildTabs() {
  const picture = at("picture");
  at("place-of-picture").replaceWith(picture);  // beside the steps, where there are steps
  picture.setAttribute("role", "tabpanel");
  picture.setAttribute("aria-labelledby", "tab-picture");
  picture.tabIndex = 0;
  at("tabs").hidden = false;
  at("tab-detail").addEventListener("click", () => pickTab(false));
  at("tab-picture").addEventListener("click", () => pickTab(true));
  at("tabs").addEventListener("keydown", (event) => {
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    moves.graph();
    at("tabs").querySelector('[aria-selected="true"]').focus();
  });
  pickTab(false);
}

function measure() {
  const above = document.querySelector("header").offsetHeight + at("nav").offsetHeight;
  document.documentElement.style.setProperty("--above", Math.min(above, innerHeight / 2) + "px");
}

function beginStory() {
  at("nav").hidden = at("story").hidden = false;
  at("to-wrong").hidden = !steps.some((step) => step.is_wrong);
  measure();
  addEventListener("resize", measure);
  if (!at("picture").hidden) buildTabs();
  buildTimeline();
  at("steps").addEventListener("click", (event) => {
    const label = event.target.closest("button");
    if (label) show(Number(label.dataset.step));
  });
  document.querySelectorAll("[data-go]").forEach((one) => one.addEventListener("click", () => moves[one.dataset.go]()));
  at("search").addEventListener("input", () => { search(); remember(); });
  addEventListener("hashchange", () => show(readAddress().step, true));
  const asked = readAddress();
  at("search").value = asked.find;
  search();
  show(asked.step, true);
}

at("picture").hidden = at("picture").textContent.trim() === "" && !at("picture").querySelector("img");
at("picture").addEventListener("click", (event) => {
  if (event.target.tagName === "IMG") event.target.classList.toggle("large");
});
document.addEventListener("keydown", pressed);
at("as-text").open = !steps.length && !document.querySelector(".part");
if (document.querySelector(".part")) buildParts();
if (steps.length) beginStory();

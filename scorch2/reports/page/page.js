
"use strict";
const all = (what, where = document) => [...where.querySelectorAll(what)];
const one = id => document.getElementById(id);
const find = one("find");

const kinds = all(".switch[id^='f-']");
const views = all(".switch[id^='v-']");
const pairs = all(".pair");
const wrong = all(".switch[id^='o-']");

for (const id of ["tools", "keys", "all-kinds"]) one(id)?.removeAttribute("hidden");
for (const button of all(".only")) button.hidden = false;

// A click on a mention shows its entity on that side.
let lit;
const light = () => { if (lit) all(...lit).forEach(its => its.classList.add("on")); };
const clear = () => { lit = undefined; all(".on").forEach(mention => mention.classList.remove("on")); };

// Parts of texts that are packed: zlib in base 64. What was opened is kept as markup until it is near the window.
const markup = new WeakMap();
const readPart = async box => {
  if (markup.has(box) || !box.matches(".packed")) return;
  const bytes = Uint8Array.from(atob(box.querySelector("script").textContent), sign => sign.charCodeAt());
  const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  markup.set(box, await new Response(plain).text());
};
const showPart = box => {
  if (!box.matches(".packed") || !markup.has(box)) return;
  box.innerHTML = markup.get(box);
  box.classList.remove("packed");
  box.style.minHeight = "";
  light();
};
const packed = (where = document) => all(".packed", where);
const unpack = async boxes => { await Promise.all(boxes.map(readPart)); boxes.forEach(showPart); };
const near = new IntersectionObserver(seen => unpack(seen.filter(one => one.isIntersecting).map(one => one.target)), { rootMargin: "1000px" });
if (window.DecompressionStream) {
  one("packed")?.remove();
  for (const box of packed()) { box.style.minHeight = `${box.dataset.rows * 4}rem`; near.observe(box); }
  // What is open is read beforehand: printing does not wait.
  const open = box => box.open && packed(box).forEach(readPart);
  for (const box of all("details.document")) { box.addEventListener("toggle", () => open(box)); open(box); }
  addEventListener("beforeprint", () => packed().filter(box => box.closest("details").open).forEach(showPart));
}

// The address: a place on the page, and then the filters.
const FILTERS = ["kind", "view", "find", "pair", "other", "pattern", "star"];
// The name inside a file stays when the file is renamed: addresses have it, where only one document has it.
const insides = all("[data-name]").filter(box => !one(box.dataset.name) && all("[data-name]").filter(other => other.dataset.name === box.dataset.name).length === 1);
const inFile = new Map(insides.map(box => [box.id, box.dataset.name])), ofFile = new Map(insides.map(box => [box.dataset.name, box.id]));
const renamed = (id, names) => id.replace(/^doc=[^&]*/, name => names.get(name) ?? name);
const plain = value => { try { return decodeURIComponent(value); } catch { return value; } };
const read = () => {
  const place = [], given = {};
  for (const part of location.hash.slice(1).split("&").filter(Boolean)) {
    const [key, value] = part.split(/=(.*)/s);
    if (FILTERS.includes(key)) given[key] = plain(value ?? ""); else place.push(part);
  }
  return { place: renamed(place.join("&"), ofFile), given };
};
let place = "", pattern;  // that of errors which are shown, as the link that chose it

// Stars on cards, and copies of those that have one, or else of all that are shown.
const cards = all(".card");
const starred = () => cards.filter(card => card.matches(".starred"));
const star = (card, on) => {
  card.classList.toggle("starred", on);
  card.querySelector(".star").setAttribute("aria-pressed", on);
};
for (const card of cards) {
  const button = document.createElement("button");
  Object.assign(button, { type: "button", className: "star", ariaLabel: "star", ariaPressed: "false" });
  button.addEventListener("click", () => { star(card, !card.matches(".starred")); write(); });
  if (card.querySelector("a")) button.tabIndex = -1;
  card.querySelector("p").prepend(button);
}
const wordsOf = element => element.textContent.replace(/\s+/g, " ").trim();
const exampleOf = card => ({
  kind: wordsOf(card.closest("details").querySelector("h3")).replace(/^\S+ \d+ /, ""),
  document: wordsOf(card.querySelector("p bdi")),
  sentences: all(".in", card).map(line => [
    wordsOf(line.querySelector("small")),
    [...line.querySelector("bdi").childNodes].map(part => part.nodeName === "MARK" ? `[${part.textContent}]` : part.textContent).join(""),
  ]),
  did: wordsOf(card.lastElementChild),
});
const LATEX = { "\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}" };
const latex = words => words.replace(/[\\{}$&#%_^~]/g, sign => LATEX[sign] ?? `\\${sign}`);
const markdown = words => words.replace(/[\\`*_[\]<>|#&]/g, sign => `\\${sign}`);
const tsv = words => words.replace(/[\t\r\n]/g, " ");
const COPIES = {
  Markdown: its => its.map(one => [`* **${markdown(one.kind)}**, ${markdown(one.document)}`,
    ...one.sentences.map(pair => pair.map(markdown).join(": ")), markdown(one.did)].join("  \n  ")).join("\n"),
  TSV: its => [["kind", "document", "sentences", "did"],
    ...its.map(one => [one.kind, one.document, one.sentences.map(([, words]) => words).join(" / "), one.did])]
    .map(row => row.map(tsv).join("\t")).join("\n"),
  LaTeX: its => ["% \\usepackage{gb4e}", "\\begin{exe}",
    ...its.map(one => `\\ex ${[`\\textit{${latex(one.kind)}}, ${latex(one.document)}`,
      ...one.sentences.map(([, words]) => latex(words)), latex(one.did)].join("\\\\{}\n    ")}`), "\\end{exe}"].join("\n"),
};
const copy = async form => {
  const chosen = starred().length ? starred() : cards.filter(card => card.checkVisibility());
  const words = `${COPIES[form](chosen.map(exampleOf))}\n`;
  try { await navigator.clipboard.writeText(words); } catch {
    const area = document.createElement("textarea");
    area.value = words;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  one("found").value = `${counted(chosen.length, "example")} copied as ${form}`;
};
for (const button of all(".copy")) button.addEventListener("click", () => copy(button.value));
const shownKinds = () => kinds.filter(box => box.checked).map(box => box.id.slice(2));
const whoIsWrong = () => wrong.find(box => box.checked && box.id !== "o-all")?.id.slice(2);
const chosenPair = () => pairs.find(box => box.checked && box.value);
const write = () => {
  const parts = place ? [renamed(place, inFile)] : [];
  const add = (key, value) => parts.push(`${key}=${encodeURIComponent(value).replaceAll("%2C", ",")}`);
  const shown = shownKinds(), view = views.find(box => box.checked)?.id.slice(2), pair = chosenPair();
  if (shown.length < kinds.length) add("kind", shown.join());
  if (view && view !== "both") add("view", view);
  if (whoIsWrong()) add("other", whoIsWrong());
  if (find?.value) add("find", find.value);
  if (pair) add("pair", pair.value);
  if (pattern) add("pattern", pattern.title);
  if (starred().length) add("star", starred().map(card => renamed(card.dataset.c, inFile)).join());
  history.replaceState(null, "", parts.length ? `#${parts.join("&")}` : location.href.split("#")[0]);
};

// Filters: words of the search, and a pair of mentions. Kinds and views are switched by the style alone.
const counted = (number, what) => `${number} ${what}${number === 1 ? "" : "s"}`;
let narrowed = false;
// Whole words, and phrases; scripts without blanks between words, and Korean with its endings, have them inside.
const INSIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const LETTER = /[\p{L}\p{N}\p{M}]/u;
const wordPattern = words => {
  const bound = (sign, edge) => LETTER.test(sign) && !INSIDE.test(sign) ? edge : "";
  const signs = [...words], inside = words.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&").replace(/\s+/g, " ");
  return new RegExp(`${bound(signs[0], "(?<![\\p{L}\\p{N}\\p{M}])")}${inside}${bound(signs.at(-1), "(?![\\p{L}\\p{N}\\p{M}])")}`, "iu");
};
const TYPING = 200;  // milliseconds without a key: the end of a word
const filter = async () => {
  const words = [...(find?.value ?? "").matchAll(/"([^"]+)"|[^\s"]+/g)].map(found => wordPattern(found[1] ?? found[0]));
  const pair = chosenPair(), shown = new Set(shownKinds()), who = whoIsWrong();
  const common = item => !pattern || item.dataset.t?.split(" ").includes(pattern.dataset.t);
  for (const card of all(".card")) card.classList.toggle("met", Boolean(pattern) && Boolean(common(card)));
  for (const box of all("details.kind")) box.classList.toggle("common", Boolean(pattern && box.contains(pattern)));
  const narrows = words.length > 0 || pair !== undefined || pattern !== undefined;
  if (!narrows && !narrowed) return;
  narrowed = narrows;
  if (narrows) await unpack(packed());
  let rows = 0, documents = 0;
  for (const box of all("details.document")) {
    let here = 0;
    const fitting = new Set();
    for (const item of all(".error", box)) {
      const text = words.length ? all("p:first-child bdi", item).map(wordsOf).join("\n") : "";
      const fits = words.every(word => word.test(text)) && common(item)
        && (!pair || item.dataset.p === pair.value && item.classList.contains(pair.dataset.kind));
      item.classList.toggle("unmatched", !fits);
      if (fits) fitting.add(item.closest("tr"));
      here += fits && shown.has(item.classList[1]) && (!who || item.classList.contains(`x-${who}`));
    }
    for (const row of all(".text tbody tr", box)) row.classList.toggle("other", narrows && !fitting.has(row));
    box.classList.toggle("unmatched", narrows && !here);
    rows += here;
    documents += here > 0;
  }
  one("found").value = narrows ? `${counted(rows, "error")} in ${counted(documents, "document")}; Enter goes there` : "";
};
const changed = () => { filter(); write(); };
const choose = chosen => kinds.forEach(box => { box.checked = chosen.includes(box.id.slice(2)); });
const mark = link => {
  pattern?.removeAttribute("aria-current");
  pattern = link;
  pattern?.setAttribute("aria-current", "true");
};
const dropPairs = kept => { mark(); dropOthers(kept); };
const dropOthers = kept => pairs.forEach(box => { if (!box.value && box.name !== kept?.name) box.checked = true; });
for (const box of kinds) box.addEventListener("change", () => { dropPairs(); changed(); });
for (const box of views) box.addEventListener("change", write);
for (const box of wrong) box.addEventListener("change", changed);
for (const box of pairs) {
  box.addEventListener("change", () => {
    dropPairs(box);
    if (box.value) choose([box.dataset.kind]);
    changed();
  });
}
for (const button of all(".only")) button.addEventListener("click", () => { dropPairs(); choose([button.value]); changed(); });
one("all-kinds")?.addEventListener("click", () => { dropPairs(); choose(kinds.map(box => box.id.slice(2))); changed(); });
let typed;
const searched = () => { clearTimeout(typed); changed(); };
find?.addEventListener("input", () => { clearTimeout(typed); typed = setTimeout(searched, TYPING); });

// Links set filters, open what is closed, and go there.
const placeOf = id => {
  const [, box, mention] = /^(doc=[^&]*)&m=([^&]*)/.exec(id) ?? [];
  return one(id) ?? (box && all("[data-m]", one(box) ?? undefined).find(its => its.dataset.m === plain(mention))) ?? null;
};
const findPlace = async id => {
  const found = placeOf(id), [box] = /^doc=[^&]*/.exec(id) ?? [];
  const parts = found || !one(box) ? [] : packed(one(box));
  await Promise.all(parts.map(readPart));
  const mention = `"${id.replaceAll("&", "&amp;")}"`;
  const part = parts.find(its => markup.get(its).includes(mention));
  (part ? [part] : parts).forEach(showPart);
  return found ?? placeOf(id);
};
const arrive = async () => {
  const { place: there, given } = read();
  if (given.kind !== undefined) { dropPairs(); choose(given.kind.split(",")); }
  const view = views.find(box => box.id === `v-${given.view}`);
  if (view) view.checked = true;
  const who = wrong.find(box => box.id === `o-${given.other}`);
  if (who) who.checked = true;
  if (find && given.find !== undefined) find.value = given.find;
  if (given.star !== undefined) {
    const stars = new Set(given.star.split(",").map(its => renamed(its, ofFile)));
    cards.forEach(card => star(card, stars.has(card.dataset.c)));
  }
  const pair = pairs.find(box => box.value && box.value === given.pair && shownKinds().includes(box.dataset.kind));
  if (pair) { dropPairs(pair); pair.checked = true; }
  if (given.pattern) mark(all(".patterns a").find(link => link.title === given.pattern));
  place = there;
  const target = await findPlace(place || (given.kind ? `kind=${given.kind}` : ""));
  for (let box = target?.closest("details"); box; box = box.parentElement.closest("details")) box.open = true;
  await filter();
  if (target && !target.checkVisibility()) {  // a filter of before, which the address does not have, hides it
    if (given.pattern === undefined) mark();
    if (given.pair === undefined) dropOthers();
    if (find && given.find === undefined) find.value = "";
    if (given.kind === undefined) choose(kinds.map(box => box.id.slice(2)));
    if (given.other === undefined) wrong.filter(box => box.id === "o-all").forEach(box => { box.checked = true; });
    await filter();
  }
  write();
  all(".here").forEach(its => its.classList.remove("here"));
  if (!target?.closest("#main") || target.id === "main") return;
  target.classList.add("here");
  target.scrollIntoView({ block: target.matches("section, details") ? "start" : "center" });
};
addEventListener("hashchange", arrive);
document.addEventListener("click", event => {
  const link = event.target.closest("a[href^='#']");
  if (link && link.getAttribute("href") === location.hash) setTimeout(arrive);
});
arrive();
one("open-all")?.addEventListener("click", () => all("details").forEach(box => { box.open = true; }));
one("close-all")?.addEventListener("click", () => all("details").forEach(box => { box.open = false; }));
const showFound = () => {
  all("details.document:not(.unmatched)").forEach(box => { box.open = true; });
  all(".document .error:not(.unmatched)").find(item => item.checkVisibility())?.scrollIntoView({ block: "center" });
};

// Sorting by the columns of a table, once up and once down.
for (const head of all(".sortable thead th")) {
  const button = document.createElement("button");
  button.type = "button";
  button.append(...head.childNodes);
  if (head.cellIndex) button.tabIndex = -1;
  head.append(button);
  button.addEventListener("click", () => {
    const up = head.getAttribute("aria-sort") === "descending" || !head.hasAttribute("aria-sort") && !head.classList.contains("n");
    for (const other of head.parentElement.cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", up ? "ascending" : "descending");
    const body = head.closest("table").tBodies[0];
    const key = row => row.cells[head.cellIndex].textContent;
    const number = row => head.classList.contains("n") ? parseFloat(key(row)) : NaN;
    const compare = (a, b) => {
      const difference = number(a) - number(b);
      if (!Number.isNaN(difference)) return difference;
      return key(a).localeCompare(key(b), "en", { numeric: true });
    };
    body.append(...[...body.rows].sort((a, b) => (up ? 1 : -1) * compare(a, b)));
  });
}

// Errors along the texts: a part of the bars is counted alone.
for (const chart of all(".places")) {
  const svg = chart.querySelector("svg"), bars = all("[data-n]", svg), reset = chart.querySelector("button");
  const [part, ...numbers] = all("output", chart).reverse();
  let from, moved = false;
  const count = (one, other) => {
    const is = one !== undefined, low = is ? Math.min(one, other) : 0, high = is ? Math.max(one, other) : bars.length - 1;
    bars.forEach((bar, i) => bar.classList.toggle("in", is && low <= i && i <= high));
    const each = bars.slice(low, high + 1).map(bar => bar.dataset.n.split(",").reverse());
    numbers.forEach((output, kind) => { output.value = each.reduce((sum, its) => sum + Number(its[kind]), 0); });
    part.value = is ? `${bars[low].dataset.at} … ${bars[high].dataset.at}` : "";
    reset.hidden = !is;
  };
  const at = event => bars.indexOf(document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-n]"));
  svg.addEventListener("dragstart", event => event.preventDefault());
  svg.addEventListener("pointerdown", event => { from = at(event); moved = false; });
  svg.addEventListener("pointermove", event => {
    const to = at(event);
    if (!event.buttons || from === undefined || from < 0 || to < 0 || to === from && !moved) return;
    moved = true;
    count(from, to);
  });
  svg.addEventListener("click", event => { if (moved) { event.preventDefault(); event.stopPropagation(); } });
  svg.addEventListener("keydown", event => {
    const here = bars.indexOf(document.activeElement), to = here + ({ ArrowRight: 1, ArrowLeft: -1 }[event.key] ?? NaN);
    if (!bars[to]) return;
    event.stopPropagation();
    if (event.shiftKey) { from ??= here; count(from, to); } else from = undefined;
    bars[to].focus();
  });
  reset.addEventListener("click", () => { from = undefined; count(); });
}

// The score if the kinds that are ticked were right: a number for each set of them.
const ifRight = one("what-if");
if (ifRight) {
  const told = ifRight.querySelector("output"), after = told.dataset.after.split(",");
  const ticked = () => all("input:checked", ifRight).reduce((sum, box) => sum + Number(box.value), 0);
  const tell = () => { told.value = told.dataset.metric + [...new Set([after[0], after[ticked()]])].join(" → "); };
  ifRight.hidden = false;
  ifRight.addEventListener("change", tell);
  tell();
}

// Boxes that scroll sideways are stops of the keyboard.
const reach = () => {
  const wide = all(".box").map(box => [box, box.scrollWidth > box.clientWidth]);
  for (const [box, scrolls] of wide) if (scrolls) box.tabIndex = 0; else box.removeAttribute("tabindex");
};
addEventListener("resize", reach);
reach();

document.addEventListener("click", event => {
  const mention = event.target.closest(".m");
  if (!mention?.closest("td") || event.target.closest("a")) return;
  const was = mention.classList.contains("on");
  clear();
  if (was) return;
  lit = [`td.${mention.closest("td").className} .m[data-e="${mention.dataset.e}"]`, mention.closest("table")];
  light();
});

// Keys: n and p to the next and previous mark, also after a look at its row; / to the search, Esc clears.
let last;
const step = async by => {
  const marks = all("details[open] :is(.text a.mark, .packed)"), shown = new Set(shownKinds());
  const here = marks.indexOf(document.activeElement.matches("a.mark") ? document.activeElement : last);
  const from = here < 0 && by < 0 ? marks.length : here;
  // In a book most rows are not laid out: to ask where all marks are takes seconds.
  const next = marks.map((_, i) => marks[(from + by * (i + 1) + marks.length) % marks.length])
    .find(mark => mark.matches(".packed") || shown.has(mark.classList[1]) && mark.checkVisibility());
  if (!next) return;
  if (next.matches(".packed")) {
    await unpack([next]);
    step(by);
    return;
  }
  last = next;
  next.focus({ preventScroll: true });
  next.scrollIntoView({ block: "center" });
};
document.addEventListener("keydown", event => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape") {
    clear();
    if (find) { find.value = ""; searched(); find.blur(); }
  } else if (event.target === find) {
    if (event.key === "Enter" && find.value) { searched(); showFound(); }
  } else if (event.key === "n" || event.key === "p") {
    step(event.key === "n" ? 1 : -1);
  } else if (event.key === "ArrowRight" || event.key === "ArrowLeft") {
    // A row of a table, or a card, is one stop: arrows go from link to link in it
    const row = document.activeElement.closest("tr, .card");
    const links = row ? all("a, button", row).filter(link => link.checkVisibility()) : [];
    links[links.indexOf(document.activeElement) + (event.key === "ArrowRight" ? 1 : -1)]?.focus();
  } else if (event.key === "/" && find) {
    event.preventDefault();
    find.focus();
  }
});

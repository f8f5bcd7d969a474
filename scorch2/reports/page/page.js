
"use strict";
const all = (what, where = document) => [...where.querySelectorAll(what)];
const one = id => document.getElementById(id);
const find = one("find");

for (const id of ["tools", "keys"]) one(id)?.removeAttribute("hidden");

// Links into what is closed open it.
const opened = () => {
  const target = one(location.hash.slice(1));
  for (let box = target?.closest("details"); box; box = box.parentElement.closest("details")) box.open = true;
  const block = target?.matches("section, details") ? "start" : "center";
  if (target?.closest("main") && target.id !== "main") target.scrollIntoView({ block });
};
addEventListener("hashchange", opened);
document.addEventListener("click", event => {
  const link = event.target.closest("a[href^='#']");
  if (link && link.getAttribute("href") === location.hash) setTimeout(opened);
});
opened();
one("open-all")?.addEventListener("click", () => all("details").forEach(box => { box.open = true; }));
one("close-all")?.addEventListener("click", () => all("details").forEach(box => { box.open = false; }));

// Search: rows of errors that have all the words.
const counted = (number, what) => `${number} ${what}${number === 1 ? "" : "s"}`;
const search = () => {
  const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
  let rows = 0, documents = 0;
  for (const box of all("details")) {
    let here = 0;
    for (const row of all(".errors tbody tr", box)) {
      const text = row.textContent.toLowerCase();
      const fits = words.every(word => text.includes(word));
      row.classList.toggle("unmatched", !fits);
      here += fits;
    }
    box.classList.toggle("unmatched", words.length > 0 && !here);
    rows += here;
    documents += here > 0;
  }
  one("found").value = words.length ? `${counted(rows, "error")} in ${counted(documents, "document")}; Enter goes there` : "";
};
find?.addEventListener("input", search);
const showFound = () => {
  all("details:not(.unmatched)").forEach(box => { box.open = true; });
  all(".errors tbody tr").find(row => row.getClientRects().length)?.scrollIntoView({ block: "center" });
};

// Sorting by the columns of a table, once up and once down.
for (const head of all(".sortable thead th")) {
  const button = document.createElement("button");
  button.type = "button";
  button.append(...head.childNodes);
  head.append(button);
  button.addEventListener("click", () => {
    const up = head.getAttribute("aria-sort") === "descending" || !head.hasAttribute("aria-sort") && !head.classList.contains("n");
    for (const other of head.parentElement.cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", up ? "ascending" : "descending");
    const body = head.closest("table").tBodies[0];
    const key = row => row.cells[head.cellIndex].textContent;
    const number = row => Number(key(row) || NaN);
    const compare = (a, b) => {
      const difference = number(a) - number(b);
      if (!Number.isNaN(difference)) return difference;
      return key(a).localeCompare(key(b), "en", { numeric: true });
    };
    body.append(...[...body.rows].sort((a, b) => (up ? 1 : -1) * compare(a, b)));
  });
}

// A click on a mention shows its entity on that side.
const clear = () => all(".on").forEach(mention => mention.classList.remove("on"));
document.addEventListener("click", event => {
  const mention = event.target.closest(".m");
  if (!mention || event.target.closest("a")) return;
  const was = mention.classList.contains("on");
  clear();
  if (was) return;
  const side = mention.closest("td").className;
  all(`td.${side} .m[data-e="${mention.dataset.e}"]`, mention.closest("table")).forEach(its => its.classList.add("on"));
});

// Keys: n and p to the next and previous mark, also after a look at its row; / to the search, Esc clears.
let last;
const step = by => {
  const marks = all("details[open] .text a.mark").filter(mark => mark.getClientRects().length);
  if (!marks.length) return;
  const here = marks.indexOf(document.activeElement.matches("a.mark") ? document.activeElement : last);
  const next = marks[here < 0 ? (by > 0 ? 0 : marks.length - 1) : (here + by + marks.length) % marks.length];
  last = next;
  next.focus({ preventScroll: true });
  next.scrollIntoView({ block: "center" });
};
document.addEventListener("keydown", event => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape") {
    clear();
    if (find) { find.value = ""; search(); find.blur(); }
  } else if (event.target === find) {
    if (event.key === "Enter" && find.value) showFound();
  } else if (event.key === "n" || event.key === "p") {
    step(event.key === "n" ? 1 : -1);
  } else if (event.key === "/" && find) {
    event.preventDefault();
    find.focus();
  }
});

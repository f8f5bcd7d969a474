// The page: it takes files, hands words to the command line in a worker, and shows what comes back.

const one = id => document.getElementById(id);
const all = (what, where = document) => [...where.querySelectorAll(what)];
const LARGEST = 300e6;  // bytes of all files: one document of 436 MB as CoNLL was scored, of 654 MB not

/** Return an element with properties and content. */
function element(name, properties = {}, ...content) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...content);
  return made;
}

// What can be done: its sides, what its button says, its words for the command line, how it is explained.
const COMMANDS = {
  score: {
    sides: { gold: "Gold", system: "System" }, button: "Score",
    words: () => [...chosen("profile"), ...metrics(), ...typed(), REPORT, "{gold}", "{system}"],
    explained: "Every metric of the system's entities against gold: the table, and the report as JSON.",
  },
  errors: {
    sides: { gold: "Gold", system: "System" }, button: "Show the errors",
    words: () => ["errors", ...chosen("profile"), ...typed(), "{gold}", "{system}", "errors.html"],
    explained: "Why the score is what it is: the errors by kind, what each costs, and every one in its text.",
  },
  agreement: {
    sides: { gold: "First annotator", system: "Second annotator" }, button: "Compare",
    words: () => ["agreement", ...chosen("profile"), ...typed(), "-o", "agreement.html", "{gold}", "{system}"],
    explained: "How far two annotators agree, and where they do not.",
  },
  validate: {
    sides: { gold: "Files to check" }, button: "Check",
    words: () => ["validate", ...typed(), "{gold}"],
    explained: "Can these files be scored, and do they follow the rules of their format?",
  },
  convert: {
    sides: { gold: "Files to convert" }, button: "Convert",
    words: () => ["convert", `--to=${one("to").value}`, ...typed(), "{gold}", CONVERTED],
    explained: "The same annotation in another format.",
  },
  explain: {
    sides: { gold: "Gold", system: "System" }, button: "Explain",
    words: () => ["explain", ...chosen("profile"), ...typed(), one("number").value.trim(), "{gold}", "{system}"],
    explained: "Which settings give a number that somebody printed?",
  },
};
const REPORT = "--report=json:report.json";
const CONVERTED = "converted";  // a folder, or a file that gets the name of its input
const command = () => COMMANDS[one("command").value];
const chosen = id => one(id).value ? [`--${id}=${one(id).value}`] : [];
const metrics = () => {
  const names = all("#metrics :checked").map(box => box.value);
  return names.length ? [`--metric=${names.join()}`] : [];
};

/** Return the words of the field of options, as a shell parts them. */
function typed() {
  const parts = one("options").value.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? [];
  return parts.map(part => part.replace(/"([^"]*)"|'([^']*)'/g, (_, double, single) => double ?? single));
}

// The address has what was chosen, never the files, so that a link leads to a page that is set up.
const FIELDS = ["command", "profile", "number", "to", "options"];
function readAddress() {
  const given = new URLSearchParams(location.hash.slice(1));
  const first = field => field.options?.[0].value ?? "";
  const unknown = new Set((given.get("metric") ?? "").split(",").filter(Boolean));
  for (const box of all("#metrics input")) box.checked = unknown.delete(box.value);
  for (const id of FIELDS) {
    one(id).value = given.get(id) ?? first(one(id));
    if (one(id).selectedIndex !== -1) continue;
    unknown.add(given.get(id));
    one(id).value = first(one(id));
  }
  show();
  if (unknown.size) showProblem(`The link asks for what is not here: ${[...unknown].join(", ")}.`);
}
function writeAddress() {
  const given = new URLSearchParams();
  for (const id of FIELDS) {
    const field = one(id);
    const isShown = !field.closest("[data-for]") || isFor(field.closest("[data-for]"));
    if (isShown && field.value && !(id === "command" && field.value === "score")) given.set(id, field.value);
  }
  const names = all("#metrics :checked").map(box => box.value).join();
  if (names && one("command").value === "score") given.set("metric", names);
  const text = given.toString().replaceAll("%2C", ",");
  history.replaceState(null, "", text ? `#${text}` : location.pathname + location.search);
}
const isFor = part => part.dataset.for.split(" ").includes(one("command").value);

// The files of the two sides.
const SHOWN = 3;  // names of files
const held = { gold: [], system: [] };

const PASTE = "… or paste a text: an answer of a language model, CoNLL, JSON";

/** Make a place to drop files: it takes files, folders, archives and pasted text. */
function side(name) {
  const title = element("h2", { id: `${name}-title` });
  const list = element("p", { className: "files" });
  const problem = element("p", { className: "problem", id: `${name}-problem`, hidden: true });
  const pick = (label, folder) => {
    const input = element("input", { type: "file", multiple: true, webkitdirectory: folder, className: "unseen" });
    const picked = file => ({ path: file.webkitRelativePath || file.name, file });
    input.addEventListener("change", () => take(name, [...input.files].map(picked)));
    return element("label", { className: "button" }, input, label);
  };
  const text = element("textarea", { rows: 3, ariaLabel: "Pasted text", placeholder: PASTE });
  Object.assign(text, { spellcheck: false, autocomplete: "off" });  // nothing keeps it
  const pasted = () => text.value.trim() ? [{ path: "pasted.txt", file: new Blob([text.value]) }] : [];
  text.addEventListener("input", () => take(name, pasted(), text));
  const clear = element("button", { type: "button", className: "clear", hidden: true }, "Remove");
  clear.addEventListener("click", () => take(name, []));
  const picks = [pick("choose files", false), pick("choose a folder", true)];
  const buttons = element("div", { className: "row" }, ...picks, clear);
  const asked = element("p", { className: "pale" }, "Drop files, a folder or an archive, or");
  const box = element("section", { id: name, className: "side" }, title, asked, buttons, text, list, problem);
  box.setAttribute("aria-labelledby", title.id);
  for (const kind of ["dragenter", "dragover"]) box.addEventListener(kind, () => box.classList.add("over"));
  for (const kind of ["dragleave", "drop"]) box.addEventListener(kind, () => box.classList.remove("over"));
  box.addEventListener("drop", async event => {
    take(name, await dropped(event.dataTransfer));
  });
  return box;
}

/** Return what was dropped, folders with all that is in them. */
async function dropped(transfer) {
  const found = [];
  const walk = async (entry, path) => {
    const asked = (way, from) => new Promise((done, failed) => from[way](done, failed));
    if (entry.isFile) {
      found.push({ path, file: await asked("file", entry) });
      return;
    }
    const reader = entry.createReader();
    let inside = await asked("readEntries", reader);
    while (inside.length) {  // up to 100 at a time
      for (const one of inside) await walk(one, `${path}/${one.name}`);
      inside = await asked("readEntries", reader);
    }
  };
  const entries = [...transfer.items].map(item => item.webkitGetAsEntry?.()).filter(Boolean);
  for (const entry of entries) await walk(entry, entry.name);
  return found;
}

/** Hold files for a side instead of those before. */
function take(name, files, from = null) {
  held[name] = files.filter(({ path }) => !path.split("/").some(part => part.startsWith(".")));
  held[name].sort((one, other) => one.path < other.path ? -1 : 1);  // a dropped folder has no order
  const box = one(name), bytes = held[name].reduce((sum, { file }) => sum + file.size, 0);
  const names = held[name].slice(0, SHOWN).map(({ path }) => path).join(", ");
  const more = held[name].length > SHOWN ? ` and ${held[name].length - SHOWN} more` : "";
  box.querySelector(".files").textContent = names && `${names}${more} (${size(bytes)})`;
  box.querySelector(".clear").hidden = !held[name].length;
  const text = box.querySelector("textarea");
  if (text !== from) text.value = "";
  for (const input of all("input", box)) input.value = "";
  complain(name);
  show();
}
const size = bytes => bytes < 1e6 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;

/** Show the errors of a side, one per line. */
function complain(name, ...messages) {
  const place = one(`${name}-problem`);
  place.textContent = messages.join("\n");
  place.hidden = !messages.length;
}

// Python, in a worker that can be ended.
let worker = null, isReady = false, waiting = null;
const say = message => { one("state").textContent = message; };
const showProblem = message => one("result").replaceChildren(element("p", { className: "problem" }, message));
function warn(message) {
  say("This cannot be done here.");
  showProblem(message);
}
function start(message = "Python is starting …") {
  isReady = false;
  show();
  if (typeof WebAssembly === "undefined") {
    warn(`This browser has no WebAssembly, which Python needs here. ${inTerminal()}`);
    return;
  }
  say(message);
  const script = new URL("worker.js", import.meta.url).href;
  const begin = new Blob([`import ${JSON.stringify(script)};`], { type: "text/javascript" });
  worker = new Worker(URL.createObjectURL(begin), { type: "module" });  // from a blob: the policy of the page holds
  worker.onmessage = ({ data }) => heard[data.kind](data);
  worker.onerror = event => heard.died({ reason: event.message ?? "" });
}
const heard = {
  ready() {
    isReady = true;
    say("Ready.");
    show();
    navigator.serviceWorker?.register("offline.js", { scope: "score.html", updateViaCache: "none" }).catch(() => {});  // then only online
  },
  progress({ done, total }) {
    const bar = one("progress");
    bar.hidden = false;
    if (total) Object.assign(bar, { max: total, value: done }); else bar.removeAttribute("value");
    say(`${done}${total ? ` of ${total}` : ""} documents`);
  },
  done(result) { answer(result); },
  died({ reason }) {
    const isFull = /memory|allocat/i.test(reason), isDeep = /call stack|recursion/i.test(reason);
    const why = isFull ? "The files are too large for the memory that a page may have."
      : isDeep ? "The files are nested too deep for the browser." : `Python stopped: ${reason || "no start"}.`;
    end(`${why} ${inTerminal()}`);
  },
};
const inTerminal = () => `In a terminal: ${shown(wanted())}`;

/** Give the run that waits its result, or null if it was ended. */
function answer(result) {
  waiting?.(result);
  waiting = null;
  show();
}

/** End the worker, say why, and start another if it had started. */
function end(message) {
  worker.terminate();
  answer(null);
  if (isReady) start(`${message} Python starts again …`); else say(message);
  showProblem(message);
}

/** Run words on the files, and return what the command line gave, or null if it was ended. */
async function run(words) {
  const ended = new Promise(resolve => { waiting = resolve; });
  show();
  one("progress").removeAttribute("value");  // nothing is known before the first document
  one("progress").hidden = false;
  const mine = worker, sides = {};
  for (const name of Object.keys(command().sides)) {
    const bytes = async ({ path, file }) => ({ path, bytes: new Uint8Array(await file.arrayBuffer()) });
    sides[name] = await Promise.all(held[name].map(bytes));
  }
  const moved = Object.values(sides).flat().map(({ bytes }) => bytes.buffer);
  if (mine === worker) mine.postMessage({ sides, words }, moved);
  return ended;
}

/** Return the name of what a side was given: of its one file, folder or archive, which a terminal has unpacked. */
function nameOf(name) {
  const tops = new Set(held[name].map(({ path }) => path.split("/")[0]));
  return tops.size === 1 ? [...tops][0].replace(/\.(zip|tgz|tar(\.\w+)?)$/, "") : name;
}

/** Return the words of the command in a terminal, with the names that the files have. */
function wanted() {
  const isSame = Object.keys(command().sides).length > 1 && nameOf("gold") === nameOf("system");
  const place = name => isSame ? `${name}/${nameOf(name)}` : nameOf(name);
  const words = command().words().filter(word => word !== REPORT);
  return ["scorch2", ...words.map(word => word.replace(/^\{(\w+)\}$/, (_, name) => place(name)))];
}
const quoted = word => /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
const shown = words => words.map(quoted).join(" ");

async function go() {
  const bytes = Object.values(held).flat().reduce((sum, { file }) => sum + file.size, 0);
  if (bytes > LARGEST) {
    warn(`${size(bytes)} are too much for a browser. ${inTerminal()}`);
    return;
  }
  writeAddress();
  forget();
  for (const name of Object.keys(held)) complain(name);
  const said = shown(wanted());
  const isLong = one("command").value === "errors" && bytes > 3e6, seconds = 5 * Math.ceil(bytes / 4e6);
  say(isLong ? `Working … The page of errors of ${size(bytes)} takes about ${seconds} seconds.` : "Working …");
  const result = await run(command().words());
  if (result) tell(result, said);
}

// The result.
const STATUS = { 0: "Done.", 1: "Done: it found something.", 2: "This cannot be done: see the text in red." };
function tell({ status, out, err, files }, said) {
  say(STATUS[status] ?? `It ended with status ${status}.`);
  const left = atSides(err.split("\n").filter(Boolean)).map(notice);
  if (err.includes("not enough memory")) left.push(notice(inTerminal()));
  const report = files.find(([path]) => path === "report.json");
  const whole = files.find(([path]) => path === CONVERTED);
  if (whole) {
    const [stem, suffix] = converted();
    for (const file of files) file[0] = file === whole ? stem + suffix : file[0].replace(CONVERTED, stem);
    said = said.replace(new RegExp(`${CONVERTED}$`), () => quoted(whole[0]));
  }
  const kept = [...files, ...(report ? [["report.txt", new TextEncoder().encode(out)]] : [])];
  const parts = left.length ? [element("div", { className: status === 2 ? "problem" : "notices" }, ...left)] : [];
  if (report) parts.push(...tables(JSON.parse(new TextDecoder().decode(report[1]))), further());
  else if (out) parts.push(element("pre", { tabIndex: 0 }, out));
  parts.push(...pages(files));
  if (status !== 2) parts.push(element("h2", {}, "The same in a terminal"), copied(said));
  const links = element("p", { className: "row" }, ...kept.map(download));
  if (kept.length) parts.push(element("h2", {}, "To keep"), links);
  one("result").replaceChildren(...parts);
}
const notice = line => element("p", {}, line.replace(/^scorch2: /, ""));

/** Return the button that goes on from the scores to the errors. */
function further() {
  const button = element("button", { type: "button", id: "further" }, "Read the errors");
  button.addEventListener("click", () => {
    one("command").value = "errors";
    show();
    go();
  });
  return element("p", {}, button);
}

/** Return the side that an error is about: whose path it begins with, that lacks something, or that it names. */
function sideOf(error) {
  const ways = [/^(gold|system)\/[^ ]*: /, /\bno (gold|system) /, /\b(gold|system)\//];
  return ways.map(way => error.match(way)?.[1]).find(Boolean);
}

/** Show errors at the sides that they are about, and return the other lines. */
function atSides(lines) {
  const told = lines.map(line => {
    const [, error] = line.match(/^scorch2: error: (.*)/) ?? [];
    return { line, error, side: error && sideOf(error) };
  });
  for (const name of Object.keys(held)) {
    complain(name, ...told.filter(one => one.side === name).map(one => one.error.replace(`${name}/`, "")));
  }
  return told.filter(one => !one.side).map(one => one.line);
}

const percent = value => value === null || value === undefined ? "–" : (100 * value).toFixed(2);
const label = name => one("metrics").querySelector(`[value="${name}"]`)?.parentElement.textContent.trim() ?? name;
function tables({ scores, documents, signature }) {
  const rows = Object.entries(scores).map(([name, one]) => [label(name), one.recall, one.precision, one.f1]);
  const columns = ["metric", "recall", "precision", "F1"];
  const made = [element("h2", {}, "Scores in percent"), table("Scores", columns, rows)];
  if (signature) made.push(element("p", {}, element("code", {}, signature)));
  if (documents?.length > 1) {
    const names = Object.keys(documents[0].scores ?? {});
    const head = ["document", "gold mentions", "system mentions", ...names.map(label)];
    const parts = documents.map(({ id, gold_mentions: gold, system_mentions: system, scores: own }) =>
      [id, gold, system, ...names.map(name => own[name]?.f1 ?? own[name]?.recall)]);
    const summary = element("summary", {}, `${documents.length} documents`);
    made.push(element("details", {}, summary, table("Documents: mentions, and F1 in percent", head, parts)));
  }
  return made;
}

/** Return a table whose heads sort it, names from A, numbers from the highest; shares are shown as percent. */
function table(caption, head, rows) {
  const body = element("tbody"), isCount = head.map(name => name.endsWith("mentions"));
  const cell = (value, i) => i ? element("td", {}, isCount[i] ? String(value) : percent(value))
    : element("th", { scope: "row" }, value);
  const fill = () => body.replaceChildren(...rows.map(row => element("tr", {}, ...row.map(cell))));
  const compared = i => i ? (a, b) => (b[i] ?? -1) - (a[i] ?? -1) : (a, b) => a[0].localeCompare(b[0]);
  const heads = head.map((name, i) => {
    const button = element("button", { type: "button" }, name), made = element("th", { scope: "col" }, button);
    button.addEventListener("click", () => {
      const [first, second] = i ? ["descending", "ascending"] : ["ascending", "descending"];
      const isTurned = made.ariaSort === first;
      rows.sort(compared(i));
      if (isTurned) rows.reverse();
      for (const other of heads) other.ariaSort = null;
      made.ariaSort = isTurned ? second : first;
      fill();
    });
    return made;
  });
  fill();
  const top = element("thead", {}, element("tr", {}, ...heads));
  const made = element("table", {}, element("caption", { className: "unseen" }, caption), top, body);
  return element("div", { className: "wide", tabIndex: 0, role: "region", ariaLabel: caption }, made);
}

const blobs = [];
const address = (content, type) => blobs[blobs.push(URL.createObjectURL(new Blob([content], { type }))) - 1];
/** Forget the result before, and its files. */
function forget() {
  for (const made of blobs.splice(0)) URL.revokeObjectURL(made);
  one("result").replaceChildren();
}
function pages(files) {
  return files.filter(([path]) => path.endsWith(".html")).flatMap(([path, content]) => {
    const link = address(content, "text/html");
    const tab = element("a", { href: link, target: "_blank", rel: "noopener" }, "Open in a tab of its own");
    const frame = element("iframe", { src: link, title: path });
    const title = path === "agreement.html" ? "Where the annotators differ" : "Errors in their text";
    return [element("h2", {}, title), element("p", {}, tab), frame];
  });
}
/** Return what a converted file is called: the stem of its input, another if it would take its place, and a suffix. */
function converted() {
  const { suffix } = one("to").selectedOptions[0].dataset, [{ path }] = held.gold;
  const name = path.split("/").pop().replace(/\.(zip|tgz|tar|gz|bz2|xz|zst)$/, ""), stem = name.replace(/\.\w+$/, "");
  return [stem + suffix === name ? `${stem}-converted` : stem, suffix];
}
function download([name, content]) {
  const link = { href: address(content, "application/octet-stream"), download: name, className: "button" };
  return element("a", link, `${name} (${size(content.length)})`);
}
function copied(said) {
  const button = element("button", { type: "button" }, "Copy");
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(said);
    button.textContent = "Copied";
  });
  return element("div", { className: "row command" }, element("code", {}, said), button);
}

/** Bring the page in line with what is chosen and held. */
function show() {
  const { sides, button, explained } = command();
  for (const part of all("[data-for]")) part.hidden = !isFor(part);
  for (const name of Object.keys(held)) {
    one(name).hidden = !(name in sides);
    one(`${name}-title`).textContent = sides[name] ?? "";
  }
  one("explained").textContent = explained;
  const isFull = Object.keys(sides).every(name => held[name].length)
    && (one("command").value !== "explain" || one("number").value.trim());
  one("run").textContent = button;
  one("run").disabled = !isReady || !isFull || waiting;
  one("stop").hidden = !waiting;
  if (!waiting) one("progress").hidden = true;
  document.body.dataset.python = !isReady ? "starting" : waiting ? "working" : "ready";
}

const EXAMPLE = { gold: "gold.conll", system: "sys.conll" };
const fetched = async path => ({ path, file: await (await fetch(new URL(path, import.meta.url))).blob() });
const example = Promise.all(Object.entries(EXAMPLE).map(async ([name, path]) => [name, await fetched(path)]))
  .then(Object.fromEntries);
async function tryExample() {
  if (!["score", "errors", "agreement", "explain"].includes(one("command").value)) one("command").value = "score";
  for (const [name, file] of Object.entries(await example)) take(name, [file]);
  if (isReady && !one("run").disabled) await go();
}

one("sides").append(side("gold"), side("system"));
one("command").addEventListener("change", () => {
  forget();
  show();
});
one("number").addEventListener("input", show);
for (const id of ["number", "options"]) {
  one(id).addEventListener("keydown", event => event.key === "Enter" && !one("run").disabled && go());
}
one("run").addEventListener("click", go);
one("stop").addEventListener("click", () => end("Stopped."));
one("example").addEventListener("click", tryExample);
for (const kind of ["dragover", "drop"]) addEventListener(kind, event => event.preventDefault());
addEventListener("hashchange", readAddress);
readAddress();
start();

// Start Python while the site is built, score the example once, and keep its memory: the page starts from there.
// node snapshot.mjs <folder of the page> <worker.py>
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { gzipSync } from "node:zlib";

const ROOM = 30 * 2 ** 20 + 4096;  // Pyodide begins with 30 MiB, and can restore no more
const [folder, script] = process.argv.slice(2);
const at = name => resolve(folder, name);
const { loadPyodide } = await import(at("pyodide/pyodide.mjs"));
const env = { HOME: "/", PYTHONHASHSEED: "0" };  // the same memory from the same files
const py = await loadPyodide({ indexURL: at("pyodide"), env, stdout() {}, _makeSnapshot: true });
const keep = (from, to) => {
  py.FS.mkdirTree(to.slice(0, to.lastIndexOf("/")));
  py.FS.writeFile(to, readFileSync(from));
};
for (const name of ["scorch2.whl", "docopt.whl"]) keep(at(name), `/wheels/${name}`);
keep(script, "/wheels/worker.py");
keep(at("gold.conll"), "/run/gold/gold.conll");
keep(at("sys.conll"), "/run/system/sys.conll");
py.runPython(`
import sys
sys.path[:0] = ["/wheels", "/wheels/scorch2.whl", "/wheels/docopt.whl"]
from worker import clear, run
status, _, _ = run(["-mall", "--report=json:report.json", "{gold}", "{system}"], ["gold", "system"])
clear()
`);
if (py.globals.get("status") !== 0) throw new Error("the example cannot be scored");
const memory = py.makeMemorySnapshot();
if (memory.length > ROOM) throw new Error(`the memory has ${memory.length} bytes: import less before it is kept`);
writeFileSync(at("python.gz"), gzipSync(memory, { level: 9 }));

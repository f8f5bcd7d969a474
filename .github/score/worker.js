// Python in a worker: it loads Pyodide and the two wheels, gives up the network, and then runs the command line.
// A message in: {sides: {name: [{path, bytes}]}, words}, where the word "{name}" stands for the files of a side.
// Messages out: ready · progress {done, total} · done {status, words, out, err, files} · died {reason}.
import { loadPyodide } from "./pyodide/pyodide.mjs";

const NETWORK = [
  "fetch", "XMLHttpRequest", "WebSocket", "WebSocketStream", "WebTransport", "EventSource", "importScripts",
  "Worker", "SharedWorker", "BroadcastChannel", "RTCPeerConnection", "caches", "indexedDB", "cookieStore",
  "webkitRequestFileSystem", "webkitRequestFileSystemSync",
];
const START = `
import os, shutil, signal, sys
from pathlib import Path

sys.path.insert(0, "/wheels")
for name in ("SIGALRM", "setitimer"):  # no clock interrupts a run here
    if hasattr(signal, name):
        delattr(signal, name)
sys.stderr.isatty = lambda: True  # the progress is shown

from scorch2.cli.main import main
from scorch2.model.errors import InputError

HERE, ARCHIVES = Path("/run"), (".zip", ".tar", ".tgz", ".tar.gz", ".tar.xz", ".tar.bz2")


def put(side):
    """Unpack the archives of a side; return its one file, or its folder."""
    folder = HERE / side
    for path in [one for one in folder.rglob("*") if one.name.endswith(ARCHIVES)]:
        try:
            shutil.unpack_archive(path, folder, **({} if path.suffix == ".zip" else {"filter": "data"}))
        except MemoryError:
            raise
        except Exception as error:  # zlib, lzma, tarfile and zipfile have classes of their own
            raise InputError(str(path.relative_to(HERE)), "", f"cannot be unpacked: {error}") from None
        path.unlink()
    for path in [*folder.rglob(".*"), *folder.rglob("__MACOSX")]:  # what a system adds to an archive
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
    while len(inside := [*folder.iterdir()]) == 1 and inside[0].is_dir():
        folder = inside[0]
    paths = [one for one in folder.rglob("*") if one.is_file()]
    return str((paths[0] if len(paths) == 1 else folder).relative_to(HERE))


def run(words, sides):
    """Run the command line in a folder of the sides; return its status and words, and the files it wrote."""
    os.chdir(HERE)
    try:
        known = {"{%s}" % side: put(side) for side in sides}
    except InputError as error:
        print(f"scorch2: error: {error}", file=sys.stderr)
        return 2, words, []
    words = [known.get(word, word) for word in words]
    status = main(words)
    sys.stderr.flush()
    for folder in [one for one in HERE.iterdir() if one.is_dir() and one.name not in sides]:
        shutil.make_archive(folder.name, "zip", HERE, folder.name)  # one file to download
        shutil.rmtree(folder)
    written = [one for one in HERE.rglob("*") if one.is_file() and one.relative_to(HERE).parts[0] not in sides]
    return status, words, [(str(one.relative_to(HERE)), one.read_bytes()) for one in written]


def clear():
    """Forget the files of a run."""
    os.chdir("/")
    shutil.rmtree(HERE, ignore_errors=True)
    HERE.mkdir()
`;

/** Return what a stream was given, as text. */
function stream() {
  let blocks = [];
  return {
    write: block => { blocks.push(block.slice()); return block.length; },
    take: async () => {
      const text = await new Blob(blocks).text();
      blocks = [];
      return text;
    },
  };
}

/** Progress as tqdm is told of it by the command line. */
class Bar {
  constructor(options) { Object.assign(this, { total: options?.total ?? 0, n: 0, start_t: 0 }); }
  refresh() { postMessage({ kind: "progress", done: this.n, total: this.total }); }
  close() {}
}

const out = stream(), err = stream();

async function python() {
  const here = name => new URL(name, import.meta.url).href;
  const wheels = ["scorch2.whl", "docopt.whl"].map(async name => (await fetch(here(name))).arrayBuffer());
  const py = await loadPyodide({ indexURL: here("pyodide/") });
  py.setStdout(out);
  py.setStderr(err);
  for (const wheel of wheels) py.unpackArchive(await wheel, "wheel", { extractDir: "/wheels" });
  py.registerJsModule("tqdm", { tqdm: options => new Bar(options) });
  py.runPython(START);
  for (const name of NETWORK) {
    for (let place = self; place; place = Object.getPrototypeOf(place)) delete place[name];
    Object.defineProperty(self, name, { value: undefined });
  }
  for (const name of ["storage", "serviceWorker"]) delete Object.getPrototypeOf(navigator)[name];
  return py;
}

function scored(py, { sides, words }) {
  py.runPython("clear()");
  for (const [side, files] of Object.entries(sides)) {
    py.FS.mkdirTree(`/run/${side}`);
    for (const { path, bytes } of files) {
      const full = `/run/${side}/${path}`;
      py.FS.mkdirTree(full.slice(0, full.lastIndexOf("/")));
      py.FS.writeFile(full, bytes);
    }
  }
  const run = py.globals.get("run"), names = Object.keys(sides);
  const [status, said, files] = run(py.toPy(words), py.toPy(names)).toJs();
  py.runPython("clear()");
  return { status, words: said, files };
}

export const loaded = python();  // a test looks at what Python has left
onmessage = async ({ data }) => {
  try {
    const result = scored(await loaded, data);
    postMessage({ kind: "done", ...result, out: await out.take(), err: await err.take() });
  } catch (error) {
    postMessage({ kind: "died", reason: String(error?.message ?? error) });
  }
};
loaded.then(() => postMessage({ kind: "ready" }), error => postMessage({ kind: "died", reason: String(error) }));

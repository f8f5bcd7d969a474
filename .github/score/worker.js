// Python in a worker: it starts from the memory that the build kept (`snapshot.mjs`), gives up the network, and
// then runs the command line by the functions of `worker.py`.
// A message in: {sides: {name: [{path, bytes}]}, words}, where the word "{name}" stands for the files of a side.
// Messages out: ready · progress {done, total} · done {status, words, out, err, files} · died {reason}.
import { loadPyodide } from "./pyodide/pyodide.mjs";

const WHEELS = ["scorch2.whl", "docopt.whl"];
const NETWORK = [
  "fetch", "XMLHttpRequest", "WebSocket", "WebSocketStream", "WebTransport", "EventSource", "importScripts",
  "Worker", "SharedWorker", "BroadcastChannel", "RTCPeerConnection", "caches", "indexedDB", "cookieStore",
  "webkitRequestFileSystem", "webkitRequestFileSystemSync", "webkitResolveLocalFileSystemURL",
  "webkitResolveLocalFileSystemSyncURL", "FontFace", "fonts", "Notification",
];
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
  const opened = async name => {
    const { body } = await fetch(here(name));
    return new Response(body.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
  };
  const wheels = WHEELS.map(async name => [`/wheels/${name}`, await (await fetch(here(name))).arrayBuffer()]);
  const py = await loadPyodide({ indexURL: here("pyodide/"), _loadSnapshot: opened("python.gz") });
  py.setStdout(out);
  py.setStderr(err);
  py.FS.mkdir("/wheels");  // what was not imported before the memory was kept is imported from there
  for (const [path, bytes] of await Promise.all(wheels)) py.FS.writeFile(path, new Uint8Array(bytes));
  py.registerJsModule("tqdm", { tqdm: options => new Bar(options) });
  for (const name of NETWORK) {
    for (let place = self; place; place = Object.getPrototypeOf(place)) delete place[name];
    Object.defineProperty(self, name, { value: undefined });
  }
  const ways = Object.getPrototypeOf(navigator);  // storage, buckets of it, service workers, locks, devices
  for (const name of Object.getOwnPropertyNames(ways)) if (name !== "userAgent") delete ways[name];
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

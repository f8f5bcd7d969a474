// The second visit needs no network: the files of this version are kept, under its name; older ones go once no page
// of theirs is open. The page itself comes from the network if there is one, so that a new version is there at once.
// All its files lie in a folder of their hash: a page has files of one version only.
const NAME = "{name}";
const FILES = `{files}`.split("\n");
const [PAGE] = FILES;
const kept = new Set(FILES.map(name => new URL(name, location.href).href));

addEventListener("install", event => {
  const asked = FILES.map(name => new Request(name, { cache: name === PAGE ? "no-cache" : "default" }));
  const keep = async () => (await caches.open(NAME)).addAll(asked);
  event.waitUntil(keep());
});
addEventListener("activate", event => {
  const tidy = async () => {
    const old = (await caches.keys()).filter(name => name.startsWith("scorch2 ") && name !== NAME);
    await Promise.all(old.map(name => caches.delete(name)));
    await clients.claim();  // so Python starts again without the network on the first visit, too
  };
  event.waitUntil(tidy());
});
addEventListener("fetch", event => {
  const address = new URL(event.request.url);
  address.hash = address.search = "";
  if (!kept.has(address.href)) return;
  const own = async () => (await caches.open(NAME)).match(address.href);
  const asked = options => fetch(event.request, options);
  const newest = () => asked({ cache: "no-cache" }).then(found => found.ok ? found : null, () => null);
  const answer = async () => (event.request.mode === "navigate" && await newest()) || await own() || asked();
  event.respondWith(answer());
});

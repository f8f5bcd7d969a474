// The second visit needs no network: the files of this version are kept, under its name, and older ones go
// once no page of theirs is open.
const NAME = "{name}";
const FILES = `{files}`.split("\n");
const kept = new Set(FILES.map(name => new URL(name, location.href).href));

addEventListener("install", event => {
  const asked = FILES.map(name => new Request(name, { cache: "no-cache" }));
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
  const answer = async () => (await (await caches.open(NAME)).match(address.href)) ?? fetch(event.request);
  event.respondWith(answer());
});

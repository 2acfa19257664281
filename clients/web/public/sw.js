// Keeps the page and its parts, so that the shell and the rules open without a network and the
// server is asked for little. Never touches the game itself: that is the WebSocket. The build fills
// in the list of files; a new list means a new cache.
const kFiles = /* FILES */ [];
const kCache = "triquetra-/* BUILD */";

self.addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(kCache)
      .then((cache) => cache.addAll(kFiles))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener("activate", (event) => {
  const outdated = (name) => name.startsWith("triquetra-") && name !== kCache;
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter(outdated).map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  );
});

/** The newest page if the network has it, else the one that was kept. */
async function page(request, name) {
  try {
    return await fetch(request);
  } catch {
    return (await caches.match(new URL(name, self.registration.scope))) ?? Response.error();
  }
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  const path = new URL(request.url).pathname.slice(
    new URL(self.registration.scope).pathname.length,
  );
  if (request.mode === "navigate") {
    event.respondWith(page(request, path.startsWith("r/") ? "room.html" : "index.html"));
  } else if (path.startsWith("assets/")) {
    event.respondWith(caches.match(request).then((kept) => kept ?? fetch(request)));
  }
});

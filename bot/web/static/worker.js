// Keeps the pages for when the server does not answer.  The server says before this what VERSION they are and which FILES.
//
// The server is always asked first, so nobody sees an old page while it runs.  Files are kept once, when a version is new,
// by their plain addresses: an address with a token, and the answer to it, are never kept.

addEventListener("install", (event) => event.waitUntil(keep()));
addEventListener("activate", (event) => event.waitUntil(forget()));
addEventListener("fetch", (event) => {
  const { origin, pathname } = new URL(event.request.url);
  const path = pathname.replace(/\/index\.html$/u, "/");
  if (event.request.method === "GET" && origin === location.origin && FILES.includes(path)) event.respondWith(answer(event.request, path));
});

async function keep() {
  const cache = await caches.open(VERSION);
  await cache.addAll(FILES.map((path) => new Request(path, { cache: "no-cache" })));
  await skipWaiting();
}

async function forget() {
  const others = (await caches.keys()).filter((name) => name !== VERSION);
  await Promise.all(others.map((name) => caches.delete(name)));
  await clients.claim();
}

/** What the server says; what is kept where it is not there, or does not know this browser any more. */
async function answer(request, path) {
  const cache = await caches.open(VERSION);
  try {
    const told = await fetch(request);
    return told.status === 403 ? (await cache.match(path)) ?? told : told;
  } catch {
    return (await cache.match(path)) ?? Response.error();
  }
}

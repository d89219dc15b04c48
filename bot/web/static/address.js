// The token leaves the page's address once the browser has its cookie: it must not stand in a history or a screenshot.

const address = new URL(location.href);
if (address.searchParams.has("token")) {
  address.searchParams.delete("token");
  history.replaceState(null, "", address);
}

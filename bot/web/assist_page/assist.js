// Two rings on a screenshot: where they are dropped, the server looks for the board between them.

const picture = document.querySelector(".picture");
const rings = Object.fromEntries([...document.querySelectorAll(".ring")].map((ring) => [ring.dataset.corner, ring]));
const form = document.querySelector("form");
const { rows, cols, keep, away } = form.elements;
const output = document.querySelector("output");
const corners = { first: null, last: null }; // [x, y] in pixels of the screenshot
let looks = 0;

if (picture.complete) begin();
else picture.addEventListener("load", begin, { once: true });

function begin() {
  const [width, height] = [picture.naturalWidth, picture.naturalHeight];
  corners.first = [width * 0.3, height * 0.3];
  corners.last = [width * 0.7, height * 0.7];
  place();
  window.addEventListener("resize", place);
  for (const [name, ring] of Object.entries(rings)) followHand(name, ring);
}

/** Puts the rings where their corners are shown. */
function place() {
  const scale = picture.clientWidth / picture.naturalWidth;
  for (const [name, ring] of Object.entries(rings)) {
    ring.style.left = `${corners[name][0] * scale}px`;
    ring.style.top = `${corners[name][1] * scale}px`;
  }
}

function move(name, x, y) {
  const within = (value, end) => Math.min(Math.max(value, 0), end);
  corners[name] = [within(x, picture.naturalWidth), within(y, picture.naturalHeight)];
  place();
}

function followHand(name, ring) {
  ring.addEventListener("pointerdown", (event) => ring.setPointerCapture(event.pointerId));
  ring.addEventListener("pointermove", (event) => {
    if (!ring.hasPointerCapture(event.pointerId)) return;
    const box = picture.getBoundingClientRect();
    const scale = picture.naturalWidth / box.width;
    move(name, (event.clientX - box.x) * scale, (event.clientY - box.y) * scale);
  });
  ring.addEventListener("pointerup", () => look());
  ring.addEventListener("keydown", (event) => {
    const [x, y] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key] ?? [0, 0];
    if (!x && !y) return;
    event.preventDefault();
    const step = event.shiftKey ? 10 : 1;
    move(name, corners[name][0] + x * step, corners[name][1] + y * step);
    look();
  });
}

async function post(path, wish) {
  const response = await fetch(path, {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(wish),
  });
  return response.json();
}

/** Asks what lies between the rings and shows it; only the answer to the last question counts. */
async function look() {
  const number = ++looks;
  tell("Looking ...");
  keep.disabled = true;
  const seen = await post("look", { ...corners, rows: Number(rows.value), cols: Number(cols.value) });
  if (number !== looks) return;
  if (seen.error) {
    picture.src = "screenshot.png";
    tell(seen.error, "error");
    return;
  }
  picture.src = `seen.png?${number}`;
  rows.placeholder = seen.rows;
  cols.placeholder = seen.cols;
  keep.disabled = false;
  tell(seen.message);
}

function tell(text, kind = "") {
  output.textContent = text;
  output.dataset.kind = kind;
}

async function end(wish) {
  const answer = await post("end", wish);
  tell(answer.error ?? answer.message, answer.error ? "error" : "");
  for (const element of [...form.elements, ...Object.values(rings)]) element.disabled = true;
}

rows.addEventListener("change", look);
cols.addEventListener("change", look);
away.addEventListener("click", () => end({ keep: false }));
form.addEventListener("submit", (event) => {
  event.preventDefault();
  end({ keep: true });
});

// The board as a PNG: its drawing with the styles written into it, painted on a canvas.

const PAINT = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "stroke-linecap", "stroke-linejoin", "opacity", "font-size", "font-weight", "text-anchor", "dominant-baseline", "display", "visibility"];
const LONGEST = 1200; // pixels of its longer side
const RIM = 0.03; // of it, round the board

/** A Blob with the picture of `drawing`, an SVG of the page, upright. */
export async function pictureOf(drawing) {
  const { width, height } = drawing.viewBox.baseVal;
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(written(drawing, width, height))}`;
  await image.decode();
  const scale = LONGEST / Math.max(width, height);
  const rim = Math.round(RIM * LONGEST);
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width: Math.round(width * scale) + 2 * rim, height: Math.round(height * scale) + 2 * rim });
  const pen = canvas.getContext("2d");
  pen.fillStyle = getComputedStyle(document.documentElement).backgroundColor;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(image, rim, rim, width * scale, height * scale);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

/** The drawing as a text of its own, styles and all. */
function written(drawing, width, height) {
  const copy = drawing.cloneNode(true);
  const [from, to] = [drawing, copy].map((root) => root.querySelectorAll("*"));
  from.forEach((node, at) => {
    const style = getComputedStyle(node);
    for (const name of PAINT) to[at].setAttribute(name, style.getPropertyValue(name));
  });
  const family = getComputedStyle(drawing).fontFamily;
  for (const [name, value] of Object.entries({ xmlns: "http://www.w3.org/2000/svg", width, height, "font-family": family })) copy.setAttribute(name, value);
  return new XMLSerializer().serializeToString(copy);
}

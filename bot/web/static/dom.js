// Elements of HTML and SVG, and numbers.

import { written } from "./words.js";

/** An HTML element; attributes that are null or false are left out, functions are listeners. */
export function el(tag, attributes = {}, ...children) {
  return dress(document.createElement(tag), attributes, children);
}

/** An SVG element. */
export function svg(tag, attributes = {}, ...children) {
  return dress(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function dress(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") node.addEventListener(name, value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

/** Puts `node` at a rectangle of a board of `size`, in percent, so that it follows the board's width. */
export function pin(node, { x, y, w, h }, size) {
  node.style.left = `${(100 * x) / size.w}%`;
  node.style.top = `${(100 * y) / size.h}%`;
  node.style.width = `${(100 * w) / size.w}%`;
  node.style.height = `${(100 * h) / size.h}%`;
  return node;
}

/** A number for a person: four digits at most, a sign where `signed`. */
export function number(value, signed = false) {
  const digits = Number.isInteger(value) ? 0 : Math.abs(value) < 10 ? 2 : 1;
  return (signed && value > 0 ? "+" : "") + written(value, digits);
}

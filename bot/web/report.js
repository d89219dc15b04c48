// Marks the turn in view, and steps through the turns with the arrow keys.
const links = [...document.querySelectorAll("nav a")];
const sections = links.map((link) => document.querySelector(link.hash));
let current = -1;

function mark(index) {
  links[current]?.removeAttribute("aria-current");
  current = index;
  links[current]?.setAttribute("aria-current", "step");
}

const watcher = new IntersectionObserver(
  (entries) => entries.forEach((entry) => entry.isIntersecting && mark(sections.indexOf(entry.target))),
  { rootMargin: "-30% 0px -60%" },
);
sections.forEach((section) => watcher.observe(section));

addEventListener("keydown", (event) => {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  const next = sections[current + step];
  if (step && next) {
    event.preventDefault();
    next.scrollIntoView({ behavior: "smooth" });
  }
});

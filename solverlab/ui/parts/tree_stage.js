// What every drawn tree shares: its frame, its buttons, and what pointers, wheels and keys do to it.
//
// Joined in front of a drawing into one module, since a module given as text cannot load its neighbour. A drawing
// extends TreeStage and says what it draws: hit, hover, select, toggle, zoom, fit, centre, place and put.

const plain = (value) => (value instanceof Map ? Object.fromEntries(value) : value || {}); // Bokeh may send a Map
const clip = (value, low, high) => Math.min(Math.max(value, low), Math.max(low, high));
const escape = (text) => String(text).replace(/[&<>"']/g, (c) =>
  ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;" })[c]);
const FONT = "'Helvetica Neue', Helvetica, Arial, 'Liberation Sans', sans-serif";

function element(parent, tag, attributes = {}) {
  const svg = ["svg", "g"].includes(tag);
  const made = svg ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return parent.appendChild(made);
}

// Hands a file to the visitor.
function download(blob, name) {
  const link = document.createElement("a");
  Object.assign(link, { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

class TreeStage {
  // The frame: a bar with the legend, the stage that takes the keys, a tip, and what a screen reader hears.
  makeFrame(el, family, spoken) {
    this.root = element(el, "div", { class: family, "data-lm-suppress-shortcuts": "true" });
    this.bar = element(this.root, "div", { class: `${family}-bar` });
    this.keys = element(this.bar, "span", { class: `${family}-keys` });
    this.stage = element(this.root, "div", { class: `${family}-stage`, tabindex: "0", role: "application",
      "aria-label": spoken });
    this.tip = element(this.stage, "div", { class: `${family}-tip`, hidden: "" });
    this.spoken = element(this.root, "div", { class: `${family}-spoken`, "aria-live": "polite", role: "status" });
  }

  buttons(parent, rows) {
    for (const [name, help, act] of rows) {
      const button = element(parent, "button", { type: "button", title: help, "aria-label": help });
      button.textContent = name;
      button.addEventListener("click", act);
    }
  }

  // Dragging moves, a click selects, a double click folds, the wheel zooms where the pointer is.
  listen(rate) {
    const on = (name, act, options) => this.stage.addEventListener(name, act, options);
    let from = null;
    on("pointerdown", (e) => {
      if (e.button === 0 && this.place()) from = { x: e.clientX, y: e.clientY, at: this.place() };
    });
    on("pointermove", (e) => {
      if (!from) return this.hover(e);
      const [dx, dy] = [e.clientX - from.x, e.clientY - from.y];
      if (!from.drag && Math.hypot(dx, dy) < 5) return;
      if (!from.drag) this.stage.setPointerCapture(e.pointerId); // only now: a captured click would lose its target
      from.drag = true;
      this.stage.classList.add("dragging");
      this.put(from.at[0] + dx, from.at[1] + dy);
    });
    const release = (e) => {
      this.stage.classList.remove("dragging");
      if (from && !from.drag && e.type === "pointerup") this.click(e);
      from = null;
    };
    for (const name of ["pointerup", "pointercancel"]) on(name, release);
    on("pointerleave", () => this.hover(null));
    on("dblclick", (e) => {
      const [i, onBadge] = this.hit(e);
      if (i >= 0 && !onBadge) this.toggle(i, e.shiftKey);
    });
    on("wheel", (e) => {
      e.preventDefault();
      const [x, y] = this.spot(e), lines = e.deltaMode === 1 ? 30 : 1;
      if (this.place()) this.zoom(Math.exp(-clip(e.deltaY * lines, -200, 200) * rate), x, y);
    }, { passive: false });
    on("keydown", (e) => this.key(e));
  }

  spot(e) {
    const box = this.stage.getBoundingClientRect();
    return [e.clientX - box.left, e.clientY - box.top];
  }

  click(e) {
    const [i, onBadge] = this.hit(e);
    this.stage.focus({ preventScroll: true });
    if (onBadge) this.toggle(i, e.shiftKey);
    else if (i >= 0) this.select(i, true);
  }

  // The words of a node beside it, wherever there is room.
  showTip(words, x, y, width, height) {
    const { tip } = this;
    tip.textContent = words;
    const below = y + 26 + tip.offsetHeight < height ? y + 20 : y - 24 - tip.offsetHeight;
    tip.style.left = `${clip(x + 14, 4, width - tip.offsetWidth - 4)}px`;
    tip.style.top = `${Math.max(4, below)}px`;
  }

  // `along` says what the arrow keys and Enter do; zooming is the same everywhere.
  answer(e, along, step) {
    const keys = { ...along, "+": () => this.zoom(step), "=": () => this.zoom(step), "-": () => this.zoom(1 / step),
      0: () => this.fit(), c: () => this.centre() };
    if (e.ctrlKey || e.metaKey || e.altKey || !keys[e.key] || !this.place()) return;
    e.preventDefault();
    e.stopPropagation(); // a notebook would take Enter or 0 for itself
    keys[e.key]();
  }
}

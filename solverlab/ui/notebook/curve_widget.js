// A small curve on two logarithmic axes, drawn as SVG from points that Python sends. No library, no network.

const SVG = "http://www.w3.org/2000/svg";
const LEFT = 62, RIGHT = 16, TOP = 34, BOTTOM = 46, FONT = 13;
const TRAITS = ["lines", "marker", "x_label", "y_label", "height"];
const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";

function shape(parent, name, attributes = {}, text = "") {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.textContent = text;
  return parent.appendChild(made);
}

/** 1, 10, 100, 0.1, 0.01 in full; further out as a power of ten. */
function power(k) {
  if (k >= -2 && k <= 3) return k < 0 ? (10 ** k).toFixed(-k) : String(10 ** k);
  return "10" + (k < 0 ? "⁻" : "") + [...String(Math.abs(k))].map((digit) => RAISED[digit]).join("");
}

function number(value) {
  if (value !== 0 && (Math.abs(value) < 1e-3 || Math.abs(value) >= 1e6)) return value.toExponential(2);
  return String(Number(value.toPrecision(4)));
}

/** An axis: from value to pixel and back, and where its ticks stand. One point alone still gets a decade of room. */
function axis(values, near, far, [low, high]) {
  const seen = values.filter((value) => value > 0);
  if (seen.length) [low, high] = [Math.min(...seen), Math.max(...seen)];
  let [a, b] = [Math.log10(low), Math.log10(high)];
  if (b - a < 0.6) [a, b] = [(a + b) / 2 - 0.3, (a + b) / 2 + 0.3];
  const room = 0.04 * (b - a);
  [a, b] = [a - room, b + room];
  const ticks = [];
  for (let k = Math.floor(a); k <= b; k++) {
    for (const m of b - a < 1.5 ? [1, 2, 5] : [1]) {
      const at = k + Math.log10(m);
      if (at >= a && at <= b) ticks.push([10 ** at, m === 1 ? power(k) : number(m * 10 ** k)]);
    }
  }
  const thin = Math.ceil(ticks.length / 8);
  return {
    at: (value) => near + ((Math.log10(value) - a) / (b - a)) * (far - near),
    of: (pixel) => 10 ** (a + ((pixel - near) / (far - near)) * (b - a)),
    ticks: ticks.filter((_, i) => i % thin === 0),
  };
}

class Curve {
  constructor(model, el) {
    this.model = model;
    this.root = document.createElement("div");
    this.root.className = "sl-curve";
    el.appendChild(this.root);
    this.svg = shape(this.root, "svg", { role: "img", width: "100%" });
    this.redraw = () => { this.frame ??= requestAnimationFrame(() => { this.frame = undefined; this.draw(); }); };
    for (const name of TRAITS) model.on(`change:${name}`, this.redraw);
    this.watcher = new ResizeObserver(this.redraw);
    this.watcher.observe(this.root);
    this.svg.addEventListener("pointermove", (event) => this.read(event));
    this.svg.addEventListener("pointerleave", () => this.pointer?.replaceChildren());
    model.send({ view: 1 });
  }

  close() {
    for (const name of TRAITS) this.model.off(`change:${name}`, this.redraw);
    this.watcher.disconnect();
    cancelAnimationFrame(this.frame);
    this.model.send({ view: -1 });
  }

  draw() {
    const [width, height] = [this.root.clientWidth, this.model.get("height")];
    if (!width) return;
    this.lines = this.model.get("lines");
    const all = (name) => this.lines.flatMap((line) => line[name]);
    this.x = axis(all("x"), LEFT, width - RIGHT, [1, 10]);
    this.y = axis(all("y"), height - BOTTOM, TOP, [1e-3, 1]);
    this.svg.setAttribute("height", height);
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.svg.setAttribute("aria-label", this.sentence());
    this.svg.replaceChildren();
    this.drawAxes(width, height);
    for (const line of this.lines) this.drawLine(line);
    this.drawLegend();
    this.drawMarker(height);
    this.pointer = shape(this.svg, "g", { class: "pointer" });
  }

  sentence() {
    const last = this.lines.map((line) => `${line.name} ${line.y.length ? number(line.y.at(-1)) : "not measured"}`);
    return `${this.model.get("y_label")} against ${this.model.get("x_label")}: ${last.join(", ") || "nothing yet"}`;
  }

  drawAxes(width, height) {
    const grid = shape(this.svg, "g", { class: "grid" });
    for (const [value, words] of this.x.ticks) {
      const x = this.x.at(value);
      shape(grid, "line", { x1: x, x2: x, y1: TOP, y2: height - BOTTOM });
      shape(this.svg, "text", { x, y: height - BOTTOM + 17, "text-anchor": "middle" }, words);
    }
    for (const [value, words] of this.y.ticks) {
      const y = this.y.at(value);
      shape(grid, "line", { x1: LEFT, x2: width - RIGHT, y1: y, y2: y });
      shape(this.svg, "text", { x: LEFT - 7, y: y + 4, "text-anchor": "end" }, words);
    }
    shape(this.svg, "path", { class: "frame", d: `M${LEFT} ${TOP}V${height - BOTTOM}H${width - RIGHT}` });
    const middle = (TOP + height - BOTTOM) / 2;
    shape(this.svg, "text", { x: (LEFT + width - RIGHT) / 2, y: height - 8, "text-anchor": "middle", class: "name" },
      this.model.get("x_label"));
    shape(this.svg, "text", { x: 14, y: middle, "text-anchor": "middle", class: "name",
      transform: `rotate(-90 14 ${middle})` }, this.model.get("y_label"));
  }

  drawLine(line) {
    const points = line.x.map((x, i) => [this.x.at(x), this.y.at(line.y[i])]);
    const d = points.map(([x, y], i) => `${i ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
    shape(this.svg, "path", { class: "line", d, stroke: line.colour, "stroke-dasharray": line.dashed ? "6 5" : "none" });
    if (points.length) {
      const [cx, cy] = points.at(-1);
      shape(this.svg, "circle", { cx, cy, r: 3.5, fill: line.colour });
    }
  }

  drawLegend() {
    let x = LEFT + 4;
    for (const line of this.lines) {
      const dash = line.dashed ? "6 5" : "none";
      shape(this.svg, "path", { class: "line", d: `M${x} 16h26`, stroke: line.colour, "stroke-dasharray": dash });
      shape(this.svg, "text", { x: x + 32, y: 20, class: "key" }, line.name);
      x += 58 + line.name.length * FONT * 0.6;
    }
  }

  drawMarker(height) {
    const at = this.model.get("marker");
    if (!(at > 0)) return;
    const x = this.x.at(at);
    shape(this.svg, "line", { class: "marker", x1: x, x2: x, y1: TOP, y2: height - BOTTOM });
  }

  /** What the nearest measured moment says, beside the pointer. */
  read(event) {
    const line = this.lines?.[0];
    if (!line?.x.length) return;
    const box = this.svg.getBoundingClientRect(), want = Math.log(this.x.of(event.clientX - box.left));
    const far = (i) => Math.abs(Math.log(line.x[i]) - want);
    const best = line.x.reduce((found, _, i) => (far(i) < far(found) ? i : found), 0);
    const at = line.x[best], x = this.x.at(at), left = x > box.width * 0.6;
    const words = this.lines.map((one) => `${one.name} ${number(one.y[one.x.indexOf(at)] ?? NaN)}`);
    this.pointer.replaceChildren();
    shape(this.pointer, "line", { class: "read", x1: x, x2: x, y1: TOP, y2: box.height - BOTTOM });
    [`${number(at)} ${this.model.get("x_label")}`, ...words].forEach((text, i) => {
      const place = { x: x + (left ? -8 : 8), y: TOP + 16 + 17 * i, "text-anchor": left ? "end" : "start" };
      shape(this.pointer, "text", { ...place, class: "said" }, text);
    });
  }
}

export default {
  render({ model, el }) {
    const curve = new Curve(model, el);
    return () => curve.close();
  },
};

// The game tree: pan, zoom, select, fold. One module for JupyterLab (anywidget) and for Panel (AnyWidgetComponent).
//
// It knows nothing about games. Python owns what is shown and selected; only the position and scale of the view live
// here. Close up, only the nodes near the view are in the page; from afar the whole tree is a dozen merged paths,
// stretched to the width there is. So thousands of nodes stay smooth.

const ROW = 34, NEAR = 0.7, READABLE = 0.86, LARGEST = 3; // scales: labels appear; 14 px text is 12 px; enough
const TRAITS = ["nodes", "live", "selected", "theme", "height"];

class TreeView extends TreeStage {
  constructor(model, el) {
    super();
    Object.assign(this, { model, k: 1, tx: 0, ty: 0, hovered: -1, cells: new Map(), signed: new Set() });
    this.build(el);
    this.changed = () => { this.frame ??= requestAnimationFrame(() => this.update()); }; // many changes, one drawing
    for (const name of TRAITS) model.on(`change:${name}`, this.changed);
    this.watcher = new ResizeObserver(() => this.resize());
    this.t = read(model);
    this.restyle();
    this.watcher.observe(this.stage);
    this.turned = () => this.restyle();
    window.addEventListener("solverlab-theme", this.turned);
  }

  close() {
    for (const name of TRAITS) this.model.off(`change:${name}`, this.changed);
    window.removeEventListener("solverlab-theme", this.turned);
    this.watcher.disconnect();
    cancelAnimationFrame(this.frame);
    this.root.remove();
  }

  build(el) {
    this.makeFrame(el, "sl-tree", "Game tree. Arrow keys move along the tree, Enter opens or closes a node, Shift and " +
      "Enter all nodes below it, plus and minus zoom, 0 shows all of it, C centres the selected node.");
    element(this.bar, "span", { class: "sl-tree-space" });
    this.buttons(this.bar, [["Fit", "Show the whole tree (0)", () => this.fit()],
      ["Centre", "Readable size, selected node in the middle (C)", () => this.centre()],
      ["−", "Zoom out (-)", () => this.zoom(1 / 1.3)], ["+", "Zoom in (+)", () => this.zoom(1.3)],
      ["SVG", "Save the opened tree as an SVG picture", () => this.save()]]);
    const svg = element(this.stage, "svg", { "font-family": FONT, "aria-hidden": "true" });
    this.world = element(svg, "g", { class: "world" });
    for (const name of ["halo", "far", "signs", "edges", "marks", "ring"])
      this[name] = element(this.world, "g", { class: name });
    this.stage.append(this.tip);
    this.status = element(this.root, "div", { class: "sl-tree-status" });
    this.root.append(this.spoken);
    this.listen(0.002);
  }

  place() { return this.size && this.t.id.length ? [this.tx, this.ty] : null; }
  put(tx, ty) { this.move(tx, ty); }

  update() {
    this.frame = undefined;
    const restyled = this.theme !== this.model.get("theme") || this.height !== this.model.get("height");
    return restyled ? this.restyle() : this.redraw();
  }

  // -------------------------------------------------------------- drawing

  restyle() {
    [this.theme, this.height] = [this.model.get("theme"), this.model.get("height")];
    const night = document.documentElement.dataset.theme === "dark"; // the dashboard's; a notebook says `theme`
    this.look = { ...THEME, ...(night ? NIGHT : plain(this.theme)) };
    const { look, root } = this;
    root.style.height = this.height > 0 ? `${this.height}px` : "100%";
    for (const name of ["ink", "muted", "paper"]) root.style.setProperty(`--${name}`, look[name]);
    root.style.setProperty("--focus", look.players[0]);
    this.clear();
    this.drawLegend();
    this.redraw();
  }

  clear() {
    this.cells.clear();
    for (const group of [this.edges, this.marks, this.far, this.signs]) group.replaceChildren();
    this.covered = this.farDrawn = null;
  }

  redraw() {
    const old = this.t, kx = this.size && this.kx(), chosen = this.model.get("selected");
    const t = (this.t = read(this.model));
    if (!same(old, t, OUTLINE)) this.rearrange(old, kx);
    if (!same(old, t, ["players"])) this.drawLegend();
    if (this.hovered >= 0) this.tip.textContent = words(t, this.hovered, "\n");
    this.farDrawn = null;
    this.cells.forEach((cell, i) => this.patch(cell, i));
    this.draw();
    this.mark();
    if (chosen === this.chosen) return;
    this.spoken.textContent = words(t, t.at.get(chosen), ", ");
    if (this.chosen !== undefined && chosen !== this.clicked) this.reveal(t.at.get(chosen));
    this.chosen = chosen;
    this.clicked = null;
  }

  // New nodes came or went: keep the node that was toggled where it is on the screen.
  rearrange(old, kx) {
    const { t } = this;
    this.clear();
    this.hover(null);
    if (!this.size) return;
    if (!sameGame(old, t)) return this.open();
    const still = [this.anchor, this.model.get("selected"), ...old.id].find((n) => old.at.has(n) && t.at.has(n));
    const [was, now] = [old.at.get(still), t.at.get(still)];
    this.move(this.tx + old.x[was] * kx - t.x[now] * this.kx(), this.ty + this.k * (old.y[was] - t.y[now]));
    if (still === this.anchor) this.reveal(now, t.kids[now]);
    this.anchor = null;
  }

  draw() {
    const near = this.k >= NEAR;
    if (!this.size) return;
    const move = `translate(${round(this.tx)} ${round(this.ty)})`;
    this.world.setAttribute("transform", `${move} scale(${this.kx()} ${this.k})`);
    for (const name of ["far", "signs"]) this[name].style.display = near ? "none" : "";
    this.world.setAttribute("font-size", near ? Math.max(14, 12.1 / this.k) : 13); // 12 px or more on the screen
    if (near) this.drawNear();
    else this.drawFar();
  }

  drawNear() {
    const { t, k, tx, ty, size: [w, h], covered: c } = this;
    const view = [-tx / k, -ty / k, (w - tx) / k, (h - ty) / k];
    if (c && view[0] >= c[0] && view[1] >= c[1] && view[2] <= c[2] && view[3] <= c[3]) return;
    const [dx, dy] = [w / k / 2, h / k / 2];
    const [left, top, right, bottom] = (this.covered = [view[0] - dx, view[1] - dy, view[2] + dx, view[3] + dy]);
    for (let i = 0; i < t.id.length; i++) {
      const p = t.up[i] < 0 ? i : t.up[i];
      const inside = t.x[i] + t.tail[i] > left && t.x[p] - 20 < right &&
        Math.max(t.y[i], t.y[p]) + 20 > top && Math.min(t.y[i], t.y[p]) - 30 < bottom;
      if (inside && !this.cells.has(i)) this.cells.set(i, this.cell(i));
      if (!inside && this.cells.has(i)) {
        this.cells.get(i).line?.remove();
        this.cells.get(i).group.remove();
        this.cells.delete(i);
      }
    }
  }

  cell(i) {
    const { t, look } = this, at = `translate(${round(t.x[i])} ${round(t.y[i])})`;
    const group = element(this.marks, "g", { class: "node", "data-node": t.id[i], transform: at });
    group.innerHTML = node(t, i, look);
    if (t.up[i] >= 0) this.edges.insertAdjacentHTML("beforeend", edge(t, i, look));
    return { group, line: t.up[i] < 0 ? null : this.edges.lastChild, p: t.probability[i], reach: t.reach[i] };
  }

  patch(cell, i) {
    const { t, look } = this, p = t.probability[i], number = cell.group.querySelector("tspan");
    if (cell.p !== p && number && p !== null && never(p) === never(cell.p)) number.textContent = percent(p);
    else if (cell.p !== p) {
      cell.group.innerHTML = node(t, i, look);
      cell.line?.setAttribute("stroke-dasharray", never(p) ? "2 4" : "none");
    }
    if (cell.line && cell.reach !== t.reach[i]) cell.line.setAttribute("stroke-width", round(edgeWidth(t.reach[i])));
    Object.assign(cell, { p, reach: t.reach[i] });
  }

  // From afar: one path a colour and width, and one dotted path a kind of node (a dot is a line of no length).
  drawFar() {
    const { t, k, look } = this;
    if (this.cells.size) this.clear();
    if (this.farDrawn === k) return;
    if (!this.farDrawn) {
      const lines = {}, dots = {};
      t.id.forEach((_, i) => {
        const step = t.reach[i] > 0.3 ? 3 : t.reach[i] > 0.03 ? 1.6 : 0.7;
        if (t.up[i] >= 0) (lines[`${colour(t.kind[t.up[i]], look)} ${step}`] ??= []).push(curve(t, i));
        (dots[t.kind[i]] ??= []).push(`M${t.x[i]} ${t.y[i]}h0`);
      });
      const stroke = (d, more) => `<path d="${d.join("")}" fill="none" vector-effect="non-scaling-stroke" ${more}/>`;
      this.far.innerHTML = Object.entries(lines).map(([key, d]) =>
        stroke(d, `stroke="${key.split(" ")[0]}" stroke-width="${key.split(" ")[1]}"`)).join("") +
        Object.entries(dots).map(([kind, d]) =>
          stroke(d, `class="dot ${kind}" stroke="${colour(kind, look)}" stroke-linecap="round"`)).join("");
    }
    this.farDrawn = k;
    for (const dot of this.far.querySelectorAll(".dot"))
      dot.setAttribute("stroke-width", clip(RADIUS * k * (dot.classList.contains("leaf") ? 1 : 2), 2, 14));
    const wide = (i) => t.up[i] < 0 || (t.x[i] - t.x[t.up[i]]) * this.kx() > 26 + 7 * (t.label[i].length + 5);
    this.signed = new Set(t.id.map((_, i) => i).filter((i) => t.room[i] * k > 22 && wide(i)));
    this.signs.innerHTML = [...this.signed].map((i) => this.stamp(i, sign(t, i, look))).join("");
  }

  // From afar a sign keeps its size and shape.
  stamp(i, inside) {
    const { t, k } = this, back = k < NEAR ? ` scale(${1 / this.kx()} ${1 / k})` : "";
    return `<g transform="translate(${round(t.x[i])} ${round(t.y[i])})${back}">${inside}</g>`;
  }

  // The path from the root to the selected node, its ring, the "−" of open nodes, and the words below.
  mark() {
    const { t, look, hovered, k } = this, i = t.at.get(this.model.get("selected")), far = k < NEAR;
    this.halo.innerHTML = path(t, i).filter((j) => t.up[j] >= 0).map((j) => edge(t, j, look, 8)).join("");
    if (far) for (const line of this.halo.children) line.setAttribute("vector-effect", "non-scaling-stroke");
    const open = [i, hovered].filter((j) => !far && j >= 0 && t.kids[j]?.length);
    const r = far && !this.signed.has(i) ? 8 : RADIUS + 4;
    this.ring.innerHTML = (i === undefined ? "" : this.stamp(i, ring(look, r))) +
      open.map((j) => this.stamp(j, badge("−", look))).join("");
    this.status.textContent = words(t, i, "  ·  ");
  }

  drawLegend() {
    this.keys.innerHTML = legend(this.t).map(([kind, name]) => `<span class="sl-tree-key"><svg viewBox="-11 -11 22 22"
      font-size="14" aria-hidden="true">${marker(kind, this.look)}</svg>${escape(name)}</span>`).join("");
  }

  // -------------------------------------------------------------- position and scale

  resize() {
    const before = this.size, [w, h] = [this.stage.clientWidth, this.stage.clientHeight];
    if (!w || !h) return;
    this.size = [w, h];
    this.farDrawn = null;
    if (before) this.move(this.tx + (w - before[0]) / 2, this.ty + (h - before[1]) / 2);
    else this.open();
    this.mark();
  }

  // The scale along the page: from afar a tree taller than the view is not made narrower than the view.
  kx(k = this.k) {
    const [left, , right] = this.t.box;
    return k >= NEAR ? k : Math.max(k, Math.min(1, (this.size[0] - 40) / (right - left)));
  }

  fitScale() {
    const [left, top, right, bottom] = this.t.box;
    return Math.min((this.size[0] - 12) / (right - left), (this.size[1] - 24) / (bottom - top));
  }

  fit() { this.focusOn(Math.min(this.fitScale(), 1.25)); }
  centre() { this.focusOn(clip(this.fitScale(), READABLE, 1.25)); }

  // Readable, if the selected node's parent and children are in view, too; else the whole tree.
  open() {
    this.centre();
    const { t, k, tx, ty, size: [w, h] } = this, i = t.at.get(this.model.get("selected")) ?? 0;
    const within = (at, room) => at > 0 && at < room;
    const family = [t.up[i], ...(t.kids[i] ?? [])].filter((j) => j >= 0);
    if (!family.every((j) => within(t.x[j] * k + tx, w) && within(t.y[j] * k + ty, h))) this.fit();
  }

  // The selected node in the middle, but no empty margin where the tree could be.
  focusOn(k) {
    const { t, size } = this, [left, top, right, bottom] = t.box, i = t.at.get(this.model.get("selected")) ?? 0;
    const along = (node, low, high, room, scale) => (high - low) * scale <= room
      ? (room - (high + low) * scale) / 2 : clip(room / 2 - (node ?? 0) * scale, room - high * scale, -low * scale);
    this.move(along(t.x[i], left, right, size[0], this.kx(k)), along(t.y[i], top, bottom, size[1], k), k);
  }

  move(tx, ty, k = this.k) {
    const [left, top, right, bottom] = this.t.box, [w, h] = this.size, keep = 60, rescaled = k !== this.k;
    Object.assign(this, { k, tx: clip(tx, keep - right * this.kx(k), w - keep - left * this.kx(k)),
      ty: clip(ty, keep - bottom * k, h - keep - top * k) });
    if (rescaled) this.covered = null;
    this.hover(null);
    this.draw();
    if (rescaled) this.mark();
  }

  zoom(factor, x = this.size[0] / 2, y = this.size[1] / 2) {
    const k = clip(this.k * factor, Math.min(this.fitScale(), NEAR) * 0.8, LARGEST);
    this.move(x - (x - this.tx) * this.kx(k) / this.kx(), y - (y - this.ty) * k / this.k, k);
  }

  // The smallest move that shows node i whole, and as many of `others` as there is room for.
  reveal(i, others = []) {
    if (i === undefined || !this.size) return;
    const { t, k, size: [w, h] } = this, kx = this.kx();
    for (const j of [...others, i]) {
      const before = t.up[j] < 0 ? 30 : t.x[j] - t.x[t.up[j]];
      this.tx = clip(this.tx, Math.min(before * kx, w / 2) - t.x[j] * kx, w - (t.x[j] + t.tail[j] + 12) * kx);
      this.ty = clip(this.ty, (32 - t.y[j]) * k, h - (t.y[j] + 24) * k);
    }
    this.move(this.tx, this.ty);
  }

  // -------------------------------------------------------------- hands

  // The node under the pointer (-1: none) and whether the pointer is on its badge.
  hit(e) {
    const { t, k } = this, box = this.stage.getBoundingClientRect();
    const kx = this.kx(), [x, y] = [(e.clientX - box.left - this.tx) / kx, (e.clientY - box.top - this.ty) / k];
    const far = k < NEAR, reach = far ? 10 / kx : 16;
    let [best, gap] = [-1, far ? 10 / k : ROW / 2];
    for (let i = 0; i < t.id.length; i++) {
      const left = far || t.up[i] < 0 ? t.x[i] - reach : t.x[t.up[i]] + BEND - 6; // close up, labels count
      const away = Math.abs(y - t.y[i] + (far ? 0 : 3)); // and stand above their line
      if (x >= left && x <= t.x[i] + (far ? reach : t.tail[i]) && away < gap) [best, gap] = [i, away];
    }
    const folds = best >= 0 && k >= NEAR && (t.kids[best].length || t.n_hidden[best]);
    return [best, folds && x > t.x[best] + RADIUS + 4];
  }

  hover(e) {
    const { t, tip, stage } = this, [i] = e ? this.hit(e) : [-1], changed = i !== this.hovered;
    this.hovered = i;
    stage.classList.toggle("on-node", i >= 0);
    tip.hidden = i < 0;
    if (!changed) return;
    this.mark();
    if (i < 0) return;
    this.showTip(words(t, i, "\n"), t.x[i] * this.kx() + this.tx, t.y[i] * this.k + this.ty, ...this.size);
  }

  select(i, clicked = false) {
    if (i === undefined) return;
    this.clicked = clicked ? this.t.id[i] : null; // what was clicked is in view: do not move it under the pointer
    this.model.set("selected", this.t.id[i]);
    this.model.save_changes();
  }

  toggle(i, deep) {
    const { t } = this;
    if (i === undefined || !(t.kids[i].length || t.n_hidden[i])) return;
    this.anchor = t.id[i];
    const count = (plain(this.model.get("toggled")).count || 0) + 1;
    this.model.set("toggled", { node: t.id[i], deep: Boolean(deep), count });
    this.model.save_changes();
  }

  key(e) {
    const { t } = this, i = t.at.get(this.model.get("selected")) ?? 0;
    this.answer(e, {
      ArrowLeft: () => this.select(t.up[i] < 0 ? i : t.up[i]), ArrowUp: () => this.select(beside(t, i, -1)),
      ArrowRight: () => (t.n_hidden[i] ? this.toggle(i) : this.select(t.kids[i][0])),
      ArrowDown: () => this.select(beside(t, i, 1)), Home: () => this.select(0),
      Enter: () => this.toggle(i, e.shiftKey), " ": () => this.toggle(i, e.shiftKey),
    }, 1.3);
  }

  save() {
    const picture = drawing(this.t, this.model.get("selected"), this.look);
    download(new Blob([picture], { type: "image/svg+xml" }), "game-tree.svg");
  }
}

function render({ model, el }) {
  const view = new TreeView(model, el);
  return () => view.close();
}

export default { render };

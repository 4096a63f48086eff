// A forest that grows before one's eyes. One module for JupyterLab (anywidget) and for Panel (AnyWidgetComponent).
//
// It knows nothing about games. Python sends rows once and numbers again and again; position, scale and folds live
// here. While nobody has touched the view, it keeps the whole growing tree in sight.

const LARGEST = 44; // pixels a row: enough
const MARGIN = { left: 60, right: 46, top: 20, bottom: 36 };
const COLUMN = 8.6; // letters' heights a column that holds its words
const TAU = 85; // milliseconds in which a move comes within 37 % of its end: about 300 for all of it
const SLOW = 30; // milliseconds of painting above which nothing glides

class ForestView extends TreeStage {
  constructor(model, el) {
    super();
    Object.assign(this, { model, hovered: -1, follow: true, frames: 0, cost: 0, news: 0, cam: null });
    this.tree = new ForestTree();
    this.painter = new Painter(this.tree);
    this.calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.build(el);
    this.heard = { shape: () => this.takeShape(), live: () => this.takeLive(), look: () => this.dress(),
      selected: () => this.chosen(), height: () => this.fillHeight() };
    for (const [name, act] of Object.entries(this.heard)) model.on(`change:${name}`, act);
    this.fillHeight();
    this.takeShape();
    this.takeLive();
    this.dress();
    this.watcher = new ResizeObserver(() => this.resize());
    this.watcher.observe(this.stage);
    window.addEventListener("solverlab-theme", this.heard.look);
    this.tell({ view: 1 });
  }

  close() {
    for (const [name, act] of Object.entries(this.heard)) this.model.off(`change:${name}`, act);
    window.removeEventListener("solverlab-theme", this.heard.look);
    this.watcher.disconnect();
    cancelAnimationFrame(this.frame);
    this.tell({ view: -1 });
    this.root.remove();
  }

  // Panel's bridge carries no messages from here, only values: so each has a number.
  tell(message) {
    if (this.model.send) return this.model.send(message);
    const count = (plain(this.model.get("said")).count || 0) + 1;
    this.model.set("said", { ...message, count });
    this.model.save_changes();
  }

  build(el) {
    this.makeFrame(el, "sl-forest", "Growing tree. Arrow keys move along the tree, Enter folds or opens a node, Shift " +
      "and Enter all nodes below it, plus and minus zoom, 0 shows all of it, C what hangs below the selected node.");
    this.root.dataset.frames = 0;
    this.base = element(this.stage, "canvas").getContext("2d");
    this.over = element(this.stage, "canvas").getContext("2d");
    this.stage.append(this.tip);
    this.count = element(this.root, "div", { class: "sl-forest-count" });
    this.buttons(element(this.root, "div", { class: "sl-forest-buttons" }), [
      ["Fit", "Show the whole tree and keep it in sight (0)", () => this.fit()],
      ["Focus", "Show what hangs below the selected node (C)", () => this.centre()],
      ["−", "Zoom out (-)", () => this.zoom(1 / 1.4)], ["+", "Zoom in (+)", () => this.zoom(1.4)],
      ["PNG", "Save the tree as it is on the screen", () => this.save()]]);
    this.root.append(this.spoken);
    this.root.spotOf = (i) => this.spotOf(i);
    this.listen(0.003);
  }

  fillHeight() {
    const height = this.model.get("height");
    this.root.style.height = height > 0 ? `${height}px` : "100%";
  }

  // ---------------------------------------------------------------- what Python says

  takeShape() {
    const shape = plain(this.model.get("shape")), before = this.tree.view;
    if (!shape.parent && !shape.view) return;
    const answer = this.tree.take(shape, performance.now());
    if (answer === "missing") return this.tell({ want: "all" });
    if (answer === "same") return;
    if (shape.view !== before) this.follow = true;
    if (this.calm) this.tree.batches = [];
    this.grown = this.changed = true;
    this.news++;
    this.hover(null);
    this.takeLive(); // numbers that came before their rows
    this.wake();
  }

  takeLive() {
    if (!this.tree.fill(plain(this.model.get("live")))) return;
    this.changed = true;
    this.news++;
    this.wake();
  }

  dress() {
    this.look = plain(this.model.get("look"));
    this.painter.palette = new Palette(this.look);
    this.keys.innerHTML = legend(this.look);
    this.changed = true;
    this.wake();
  }

  chosen() {
    const i = this.model.get("selected");
    if (i >= 0 && i < this.tree.size && this.tree.uncover(i)) this.grown = this.changed = true;
    this.stale = true;
    this.spoken.textContent = this.words(i).join(", ");
    this.reveal = i;
    this.wake();
  }

  // ---------------------------------------------------------------- one frame

  wake() { this.frame ??= requestAnimationFrame((now) => this.tick(now)); }

  // A frame is made only when something arrived, moves or fades.
  tick(now) {
    this.frame = undefined;
    if (!this.cam) return; // not on the screen yet; resize() comes back here
    const part = this.calm || this.cost > SLOW ? 1 : 1 - Math.exp(-Math.min(now - (this.then ?? now - 16), 100) / TAU);
    this.then = now;
    if (this.grown) this.tree.arrange();
    if (this.changed || Math.abs(this.cam.ky / this.painter.sortedAt - 1) > 0.03) this.painter.sort(this.cam);
    if (this.follow) this.goal = this.whole();
    if (this.reveal >= 0) this.bringIn(this.reveal);
    const moving = [this.tree.glide(part, 0.3 / this.cam.ky), this.glide(part)].includes(true);
    const selected = this.model.get("selected");
    if (moving || this.changed || this.stale) this.paint(selected);
    this.grown = this.changed = this.stale = false;
    this.reveal = -1;
    const fading = this.painter.paintRings(this.over, this.cam, selected, this.hovered, now);
    if (moving || fading) this.wake();
    else this.then = undefined;
  }

  paint(selected) {
    const begin = performance.now(), { tree, root } = this;
    this.painter.paint(this.base, this.cam, selected);
    this.cost = mix(this.cost, performance.now() - begin, 0.2);
    if (this.news) {
      this.news = 0;
      root.dataset.frames = ++this.frames;
      root.dataset.size = tree.size;
      const number = (n) => n.toLocaleString("en");
      const time = tree.epoch || tree.sweep ? ` · epoch ${number(tree.epoch)} · sweep ${number(tree.sweep)}` : "";
      this.count.textContent = `${number(tree.size)} drawn${time}`;
      if (this.hovered >= 0) this.tip.textContent = this.words(this.hovered).join("\n");
      const painted = plain(this.model.get("live")).number ?? 0;
      if (painted > (this.model.get("painted") ?? 0)) { // Python sends no more before that
        this.model.set("painted", painted);
        this.model.save_changes();
      }
    }
    root.dataset.scale = this.cam.ky.toFixed(4);
  }

  resize() {
    const [width, height] = [this.stage.clientWidth, this.stage.clientHeight], dpr = devicePixelRatio || 1;
    if (!width || !height) return;
    for (const ctx of [this.base, this.over]) {
      [ctx.canvas.width, ctx.canvas.height] = [width * dpr, height * dpr];
      ctx.setTransform(dpr, 0, 0, dpr, 0, 0);
    }
    if (!this.cam) {
      this.grown = this.changed = true;
      this.tree.arrange();
    }
    this.cam = { ...this.whole(width, height), ...this.cam, width, height, font: this.whole(width, height).font };
    this.goal = this.follow ? this.whole() : { ...this.cam };
    Object.assign(this.cam, this.goal);
    this.stale = true;
    this.wake();
  }

  // ---------------------------------------------------------------- position and scale

  // The view in which all of the tree is seen.
  whole(width = this.cam.width, height = this.cam.height) {
    const { across, rows } = this.tree, { right, top, bottom } = MARGIN, left = this.leftOf();
    const ky = Math.min((height - top - bottom) / Math.max(rows, 1), LARGEST);
    const kx = Math.min((width - left - right) / Math.max(across, 1), Math.max(220, width / 6));
    const spare = across ? (width - left - right - kx * across) / 2 : 0, font = Math.round(clip(width / 105, 13, 18));
    return { kx, ky, tx: left + spare, ty: (height - bottom + top - ky * rows) / 2, width, height, font };
  }

  // Room for the words at the roots.
  leftOf() {
    const { tree } = this, longest = (i) => (tree.parent[i] < 0 ? tree.label[i].length : 0);
    return MARGIN.left + 8 * clip(tree.order.reduce((most, i) => Math.max(most, longest(i)), 0) - 3, 0, 24);
  }

  // Pixels a column when a row has ky: all columns stay in sight, unless their words need more room.
  columnAt(ky) {
    const all = this.whole(), near = Math.max(COLUMN * all.font, all.kx);
    if (all.ky >= READABLE) return all.kx * clip(ky / all.ky, 1, 2) ** 0.6;
    return all.kx * (near / all.kx) ** clip(Math.log(ky / all.ky) / Math.log(READABLE / all.ky), 0, 1);
  }

  glide(part) {
    const { cam, goal } = this, gap = ["kx", "ky", "tx", "ty"].map((name) => Math.abs(goal[name] - cam[name]));
    if (!gap.some((value) => value > 0)) return false;
    const there = part >= 1 || (gap[2] < 0.3 && gap[3] < 0.3 && gap[0] < 0.02 && gap[1] * this.tree.rows < 0.3);
    for (const name of ["kx", "ky", "tx", "ty"]) cam[name] = there ? goal[name] : mix(cam[name], goal[name], part);
    this.stale = true;
    return !there;
  }

  fit() {
    this.follow = true;
    this.wake();
  }

  // A person moved the view: from now on it stays where it is put.
  put(tx, ty, kx = this.cam.kx, ky = this.cam.ky) {
    const { across, rows } = this.tree, { width, height } = this.cam, keep = 60;
    this.follow = false;
    Object.assign(this.cam, { kx, ky, tx: clip(tx, keep - across * kx, width - keep),
      ty: clip(ty, keep - rows * ky, height - keep) });
    this.goal = { ...this.cam };
    this.stale = true;
    this.hover(null);
    this.wake();
  }

  zoom(factor, x = this.cam.width / 2, y = this.cam.height / 2) {
    const { cam } = this, ky = clip(cam.ky * factor, this.whole().ky * 0.7, LARGEST), kx = this.columnAt(ky);
    this.put(x - (x - cam.tx) * kx / cam.kx, y - (y - cam.ty) * ky / cam.ky, kx, ky);
  }

  // The smallest move that shows node i; nothing to do while all is in sight.
  bringIn(i) {
    const { tree, cam } = this;
    if (this.follow || !(i < tree.size && tree.shown[i])) return;
    const x = cam.tx + cam.kx * tree.x[i], y = cam.ty + cam.ky * tree.y[i];
    const [dx, dy] = [clip(x, 120, cam.width - 120) - x, clip(y, 40, cam.height - 40) - y];
    this.goal = { ...this.goal, tx: cam.tx + dx, ty: cam.ty + dy };
  }

  // The selected node at the left, all that hangs below it in view.
  centre() {
    const { tree, cam } = this, chosen = this.model.get("selected"), i = chosen >= 0 && chosen < tree.size ? chosen : 0;
    if (!cam || !tree.size || !tree.shown[i]) return;
    const top = tree.open[i] ? i : Math.max(tree.parent[i], 0), all = this.whole(), left = this.leftOf();
    const deepest = tree.order.reduce((most, j) => (tree.low[j] >= tree.low[top] && tree.high[j] <= tree.high[top]
      ? Math.max(most, tree.x[j]) : most), tree.x[top]);
    const ky = clip((cam.height - 80) / Math.max(tree.high[top] - tree.low[top], 1), all.ky, LARGEST);
    const kx = clip((cam.width - left - MARGIN.right - 130) / Math.max(deepest - tree.x[top], 1), all.kx, 220);
    this.follow = false;
    this.goal = { ...cam, kx, ky, tx: left + 130 - kx * tree.x[top], ty: cam.height / 2 -
      ky * (tree.high[top] + tree.low[top]) / 2 };
    if (all.kx === kx) this.goal.tx = all.tx;
    this.wake();
  }

  // ---------------------------------------------------------------- hands

  place() { return this.cam && this.tree.size ? [this.cam.tx, this.cam.ty] : null; }

  // What is on the screen, on white paper.
  save() {
    const { canvas } = this.base, sheet = document.createElement("canvas"), pen = sheet.getContext("2d");
    [sheet.width, sheet.height] = [canvas.width, canvas.height];
    pen.fillStyle = PAPER;
    pen.fillRect(0, 0, sheet.width, sheet.height);
    for (const layer of [canvas, this.over.canvas]) pen.drawImage(layer, 0, 0);
    sheet.toBlob((blob) => download(blob, "forest.png"));
  }

  // Where node i is on the page, null if it is not drawn: for whoever wants to point at it.
  spotOf(i) {
    const box = this.stage.getBoundingClientRect(), { x, y } = this.painter;
    return this.tree.shown[i] && x ? [box.left + x[i], box.top + y[i]] : null;
  }

  // The node under the pointer (-1: none) and whether the pointer is on its badge.
  hit(e) {
    const { tree, cam, painter } = this, [x, y] = this.spot(e);
    if (!cam || !painter.x) return [-1, false];
    const badge = painter.badges.find((b) => x >= b.x && x <= b.x + b.wide && y >= b.y && y <= b.y + b.high);
    if (badge) return [badge.i, true];
    let [best, gap] = [-1, 1e9];
    for (const i of tree.order) {
      const r = painter.radius(painter.heavy[i], cam), away = Math.hypot(painter.x[i] - x, painter.y[i] - y) - r;
      if (away < 8 && (away < gap || (away <= 0 && tree.level[i] > tree.level[best]))) [best, gap] = [i, away];
    }
    if (best >= 0) return [best, false];
    const said = painter.labels.find((l) => x >= l.x && x <= l.x + l.wide && Math.abs(y - l.y) < 9);
    return [said ? said.i : -1, false];
  }

  hover(e) {
    const [i] = e ? this.hit(e) : [-1], changed = i !== this.hovered, { tip, cam } = this;
    this.hovered = i;
    if (!changed) return;
    this.stage.classList.toggle("on-node", i >= 0);
    tip.hidden = i < 0;
    this.wake();
    if (i < 0) return;
    this.showTip(this.words(i).join("\n"), this.painter.x[i], this.painter.y[i], cam.width, cam.height);
  }

  // Node i in words: how one came here, what it is, how often and what it is worth.
  words(i) {
    const { tree } = this, { players = [], unit = "" } = this.look || {};
    if (!(i >= 0 && i < tree.size)) return [];
    const name = players[tree.who[i]], kind = KINDS[tree.kind[i]]?.[0] ?? "", ev = tree.ev[i], below = tree.below[i];
    return [tree.path(i).map((j) => tree.label[j] || "start").join(" › "),
      name && tree.kind[i] !== END && tree.kind[i] !== DEAL ? `${kind}: ${name}` : kind,
      `reached ${often(tree.reach[i])}`, ...(Number.isNaN(ev) ? [] : [`EV ${signed(ev)} ${unit}`.trim()]),
      ...(tree.folded.has(i) ? [`${below.toLocaleString("en")} nodes folded away`] : [])];
  }

  select(i) {
    if (!(i >= 0)) return;
    this.model.set("selected", i);
    this.model.save_changes();
    this.chosen();
  }

  // Folds or opens a subtree; its node stays where it is on the screen, unless the whole tree is kept in sight.
  toggle(i, deep = false) {
    const { tree, cam } = this;
    if (i < 0 || !tree.toggle(i, deep)) return;
    const was = tree.y[i];
    tree.arrange();
    if (!this.follow) this.goal = { ...this.goal, ty: cam.ty + cam.ky * (was - tree.y[i]) };
    this.changed = true;
    this.hover(null);
    this.wake();
  }

  key(e) {
    const { tree } = this, i = clip(this.model.get("selected"), 0, tree.size - 1);
    this.answer(e, {
      ArrowLeft: () => this.select(tree.parent[i] < 0 ? i : tree.parent[i]), Home: () => this.select(0),
      ArrowRight: () => (tree.folded.has(i) ? this.toggle(i) : this.select(tree.first[i])),
      ArrowUp: () => this.select(tree.beside(i, -1)), ArrowDown: () => this.select(tree.beside(i, 1)),
      Enter: () => this.toggle(i, e.shiftKey), " ": () => this.toggle(i, e.shiftKey),
    }, 1.4);
  }
}

function render({ model, el }) {
  const view = new ForestView(model, el);
  return () => view.close();
}

export default { render };

// A growing forest as columns of numbers: what arrived, what is folded, and where each node belongs.
//
// Joined in front of forest_paint.js and forest_canvas.js into one module (see forest_rows.py). No drawing in here.
// Places are counted in columns (x, one a depth) and rows (y, about one a leaf); the view turns them into pixels.

const LEAF = 0, ACTION = 1, PASSIVE = 2, DEAL = 3, END = 4;
const LEVELS = 8; // steps from "hardly ever reached" to "always"
const DECADES = 4; // a node reached once in 10^4 times is as faint as one never reached

function unpack(text, Type) {
  const letters = atob(text || ""), bytes = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; i++) bytes[i] = letters.charCodeAt(i);
  return new Type(bytes.buffer);
}

const COLUMNS = { parent: Int32Array, kind: Uint8Array, who: Int8Array, depth: Int16Array, level: Uint8Array,
  reach: Float32Array, ev: Float32Array, first: Int32Array, last: Int32Array, next: Int32Array,
  leaves: Int32Array, below: Int32Array, x: Float32Array, y: Float32Array, room: Float32Array,
  low: Float32Array, high: Float32Array, nowX: Float32Array, nowY: Float32Array, shown: Uint8Array, open: Uint8Array };

class ForestTree {
  constructor() { this.start(""); }

  start(view) {
    Object.assign(this, { view, size: 0, space: 0, label: [], folded: new Set(), batches: [], order: [], epoch: 0,
      sweep: 0, columns: 0, rows: 0, across: 0, edge: [0], placed: false });
    this.make(256);
  }

  make(space) {
    for (const [name, Type] of Object.entries(COLUMNS)) {
      const grown = new Type(space);
      if (this.space) grown.set(this[name].subarray(0, this.size));
      this[name] = grown;
    }
    this.space = space;
  }

  // ---------------------------------------------------------------- what arrives

  // A parcel of rows. Returns "missing" if rows before it never came, "same" if nothing is new, else "new".
  take(shape, now) {
    const { view, begin, total } = shape, parent = unpack(shape.parent, Int32Array);
    if (view !== this.view || begin > this.size) {
      if (begin > 0) return "missing";
      this.start(view);
    }
    const was = this.size, rows = { parent, kind: unpack(shape.kind, Uint8Array), who: unpack(shape.who, Int8Array) };
    let from = begin;
    while (from < this.size && from < total && this.parent[from] === parent[from - begin] &&
      this.label[from] === shape.label[from - begin]) from++;
    if (from < this.size) this.cut(from);
    if (total > this.space) this.make(Math.max(total, 2 * this.space));
    for (let i = from; i < total; i++) this.add(rows, i - begin, shape.label[i - begin]);
    this.kind.set(rows.kind, begin);
    this.who.set(rows.who, begin);
    this.kind.set(unpack(shape.known_kind, Uint8Array));
    this.who.set(unpack(shape.known_who, Int8Array));
    if (from > 0 && total > from) this.batches.push({ begin: from, end: total, time: now });
    return was === total && from === total && !shape.known_kind ? "same" : "new";
  }

  add(rows, row, label) {
    const i = this.size++, p = rows.parent[row];
    this.parent[i] = p;
    this.depth[i] = p < 0 ? 0 : this.depth[p] + 1;
    this.label[i] = label;
    this.ev[i] = NaN;
    this.reach[i] = this.level[i] = this.shown[i] = 0;
    this.link(i);
  }

  // Children are chained in the order they came.
  link(i) {
    const p = this.parent[i];
    this.first[i] = this.last[i] = this.next[i] = -1;
    if (p < 0) return;
    if (this.first[p] < 0) this.first[p] = i;
    else this.next[this.last[p]] = i;
    this.last[p] = i;
  }

  cut(size) {
    this.size = this.label.length = size;
    for (let i = 0; i < size; i++) this.link(i);
    for (const i of this.folded) if (i >= size) this.folded.delete(i);
    this.batches = this.batches.filter((batch) => batch.end <= size);
  }

  // New numbers for the rows that are here; false if they belong to another tree.
  fill(live) {
    if (live.view !== this.view || !live.reach) return false;
    for (const [name, Type] of [["kind", Uint8Array], ["reach", Float32Array], ["ev", Float32Array]])
      this[name].set(unpack(live[name], Type).subarray(0, this.size));
    const top = LEVELS - 1;
    for (let i = 0; i < this.size; i++)
      this.level[i] = this.reach[i] > 0 ? clip(Math.round(top * (1 + Math.log10(this.reach[i]) / DECADES)), 0, top) : 0;
    [this.epoch, this.sweep] = [live.epoch, live.sweep];
    return true;
  }

  // ---------------------------------------------------------------- where each node belongs

  // Tidy, left to right: leaves take a row each, a parent stands in the middle of its children, and the larger two
  // neighbouring subtrees are, the wider the white channel between them: so a tree of thousands keeps its limbs.
  arrange() {
    const order = this.walk(), { leaves, low, high, y, x, parent, depth, first, last } = this;
    const { nowX, nowY, shown, open, placed } = this;
    for (let k = order.length - 1; k >= 0; k--) {
      const i = order[k], p = parent[i];
      if (!open[i]) leaves[i] = 1;
      if (p >= 0) leaves[p] += leaves[i];
    }
    this.place(order);
    this.spread(order);
    for (let k = order.length - 1; k >= 0; k--) {
      const i = order[k];
      if (open[i]) y[i] = (y[first[i]] + y[last[i]]) / 2;
      low[i] = open[i] ? low[first[i]] : y[i]; // the rows its subtree takes
      high[i] = open[i] ? high[last[i]] : y[i];
      x[i] = this.edge[depth[i]];
    }
    for (let k = 0; k < order.length; k++) {
      const i = order[k], p = parent[i], grows = p >= 0 && placed; // a newcomer grows out of its parent
      if (shown[i]) continue;
      nowX[i] = grows ? nowX[p] : x[i];
      nowY[i] = grows ? nowY[p] : y[i];
    }
    shown.fill(0);
    for (let k = 0; k < order.length; k++) shown[order[k]] = 1;
    this.placed = order.length > 0;
    this.count();
    this.measure();
  }

  // The nodes to draw, parents before children, from top to bottom; what is folded away is left out.
  walk() {
    const order = new Int32Array(this.size), { first, next, parent, leaves, open, size } = this;
    let count = 0;
    for (let root = 0; root < size; root++) {
      if (parent[root] >= 0) continue;
      for (let i = root; i >= 0;) {
        order[count++] = i;
        leaves[i] = 0;
        open[i] = first[i] >= 0 && !(this.folded.size && this.folded.has(i)) ? 1 : 0;
        if (open[i]) i = first[i];
        else {
          while (i >= 0 && next[i] < 0) i = parent[i];
          if (i >= 0) i = next[i];
        }
      }
    }
    return (this.order = order.subarray(0, count));
  }

  place(order) {
    const { leaves, y, parent, next, open } = this, before = new Int32Array(this.size).fill(-1);
    let row = 0, lastRoot = -1;
    for (let i = 0; i < this.size; i++) if (next[i] >= 0) before[next[i]] = i;
    for (let k = 0; k < order.length; k++) {
      const i = order[k], root = parent[i] < 0, sibling = root ? lastRoot : before[i];
      if (sibling >= 0) row += gapBetween(leaves[sibling], leaves[i]) + (root ? 0.8 : 0);
      if (root) lastRoot = i;
      if (!open[i]) y[i] = row++;
    }
    this.rows = Math.max(0, row - 1);
  }

  // Where each column stands: a column apart up to the fullest one; the sparse depths beyond it move together.
  spread(order) {
    const full = [], { depth } = this;
    for (let k = 0; k < order.length; k++) full[depth[order[k]]] = (full[depth[order[k]]] || 0) + 1;
    const most = Math.max(...full), widest = full.indexOf(most);
    this.columns = Math.max(0, full.length - 1);
    this.edge = new Float32Array(full.length);
    for (let d = 1; d < full.length; d++)
      this.edge[d] = this.edge[d - 1] + (d <= widest ? 1 : 0.4 + 0.6 * Math.sqrt(full[d] / most));
    this.across = this.edge[this.columns] || 0;
  }

  // How many nodes hang below each, folded or not.
  count() {
    const { below, parent } = this;
    below.fill(0, 0, this.size);
    for (let i = this.size - 1; i >= 0; i--) if (parent[i] >= 0) below[parent[i]] += below[i] + 1;
  }

  // The distance, in rows, to the nearest neighbour in the same column.
  measure() {
    const above = new Int32Array(this.columns + 1).fill(-1), { room, depth, y, order } = this;
    for (let k = 0; k < order.length; k++) {
      const i = order[k], a = above[depth[i]];
      room[i] = a < 0 ? Infinity : y[i] - y[a];
      if (a >= 0) room[a] = Math.min(room[a], room[i]);
      above[depth[i]] = i;
    }
  }

  // Every node a step nearer to its place; false when all have arrived.
  glide(part, near) {
    const { order, x, y, nowX, nowY } = this;
    let moving = false;
    for (let k = 0; k < order.length; k++) {
      const i = order[k], dx = x[i] - nowX[i], dy = y[i] - nowY[i];
      if (dx === 0 && dy === 0) continue;
      const there = part >= 1 || (Math.abs(dx) < 0.004 && Math.abs(dy) < near);
      nowX[i] = there ? x[i] : nowX[i] + part * dx;
      nowY[i] = there ? y[i] : nowY[i] + part * dy;
      moving ||= !there;
    }
    return moving;
  }

  // ---------------------------------------------------------------- folding and walking

  // Folds or opens a node, with `deep` everything below it as well.
  toggle(i, deep = false) {
    if (this.first[i] < 0) return false;
    const change = this.folded.has(i) ? (j) => this.folded.delete(j) : (j) => this.folded.add(j);
    const inside = new Set([i]);
    for (let j = i + 1; deep && j < this.size; j++) if (inside.has(this.parent[j])) inside.add(j);
    for (const j of inside) if (this.first[j] >= 0) change(j);
    return true;
  }

  path(i) {
    const nodes = [];
    for (; i >= 0 && i < this.size; i = this.parent[i]) nodes.unshift(i);
    return nodes;
  }

  // Opens whatever hides node i; true if something was folded.
  uncover(i) {
    return this.path(this.parent[i]).filter((p) => this.folded.delete(p)).length > 0;
  }

  // The next node up or down in the same column: a sibling, else a cousin.
  beside(i, step) {
    const at = this.order.indexOf(i);
    for (let k = at + step; at >= 0 && k >= 0 && k < this.order.length; k += step)
      if (this.depth[this.order[k]] === this.depth[i]) return this.order[k];
    return i;
  }
}

const gapBetween = (a, b) => (Math.min(a, b) === 1 && Math.max(a, b) === 1 ? 0 : 0.35 + 0.08 * Math.min(a, b));

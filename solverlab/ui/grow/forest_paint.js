// How a growing forest looks: colours, marks, and the painting of thousands of nodes in few strokes.
//
// Nodes of one tint and one level of reach are painted as one path, faint ones first, so what is often reached lies on
// top. What would fall on the same pixel as its neighbour is painted once.

const INK = "#1f2328", MUTED = "#59636e", PAPER = "#ffffff", HALO = "#F0E442", FLASH = "#009E73";
const FONT = "'Helvetica Neue', Helvetica, Arial, 'Liberation Sans', sans-serif";
const PLAYERS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00"];
const KINDS = [["leaf", "can still grow", "#E69F00"], ["action", "own decision", "#0072B2"],
  ["passive", "an opponent acts", "#D55E00"], ["deal", "cards come", "#009E73"], ["end", "hand over", "#59636e"]];
const GREY = "#9aa3ad", SHADES = 10, TINTS = 12, UNKNOWN = 11; // EV colours 0..10, then "not known"
const LOW = [0, 90, 160], HIGH = [200, 84, 0];
const FADE = 1500; // milliseconds a newcomer is ringed

const mix = (a, b, t) => a + (b - a) * t;
const blend = (a, b, t) => `rgb(${a.map((v, k) => Math.round(mix(v, b[k], t))).join(",")})`;
const shade = (middle) => (k) => {
  const s = (2 * k) / SHADES - 1;
  return blend(middle, s < 0 ? LOW : HIGH, Math.abs(s));
};
const FILLS = [...Array.from({ length: SHADES + 1 }, (_, k) => shade([255, 255, 255])(k)), "#d4d8dd"];
const LINES = [...Array.from({ length: SHADES + 1 }, (_, k) => shade([170, 176, 184])(k)), "#b3bac2"];

// Which colour a node has, by what the look asks for; `line` gives colours that show on white paper.
class Palette {
  constructor(look) {
    this.by = look.colour || "EV";
    this.low = Math.min(look.low ?? -1, 0);
    this.high = Math.max(look.high ?? 1, 0);
    const kinds = KINDS.map(([, , colour]) => colour), seats = [...PLAYERS, GREY, MUTED, GREY];
    [this.fills, this.lines] = { EV: [FILLS, LINES], player: [seats, seats] }[this.by] || [kinds, kinds];
  }

  tint(tree, i) {
    const kind = tree.kind[i];
    if (this.by === "kind") return kind;
    if (this.by === "player") return kind === DEAL ? 6 : kind === END ? 7 : tree.who[i] < 0 ? 8 : tree.who[i] % 6;
    const ev = tree.ev[i];
    if (Number.isNaN(ev)) return UNKNOWN;
    const s = ev < 0 ? -clip(ev / this.low, 0, 1) : clip(ev / this.high, 0, 1);
    return Math.round(((Number.isNaN(s) ? 0 : s) + 1) / 2 * SHADES);
  }

  // A line has the colour of the value it leads to, or of whoever took it.
  lineTint(tree, i) { return this.tint(tree, this.by === "EV" ? i : tree.parent[i]); }
}

// The nodes of `order` sorted by key, stable: {sorted, starts}, the nodes of key k are sorted[starts[k]..starts[k+1]].
function binned(order, keys, count) {
  const starts = new Int32Array(count + 1), sorted = new Int32Array(order.length);
  for (const i of order) if (keys[i] < 255) starts[keys[i] + 1]++;
  for (let k = 0; k < count; k++) starts[k + 1] += starts[k];
  const at = starts.slice();
  for (const i of order) if (keys[i] < 255) sorted[at[keys[i]]++] = i;
  return { sorted, starts };
}

class Painter {
  constructor(tree) {
    Object.assign(this, { tree, labels: [], widths: new Map(), badges: [] });
    this.dress({});
  }

  dress(look) {
    this.palette = new Palette(look);
    this.sort();
  }

  // After new rows, numbers or colours: who is painted with whom.
  sort() {
    const { tree, palette } = this, { order, level, parent, size } = tree;
    const edges = new Uint8Array(size), marks = new Uint8Array(size);
    for (const i of order) {
      edges[i] = parent[i] < 0 ? 255 : level[i] * TINTS + palette.lineTint(tree, i);
      marks[i] = level[i] * TINTS + palette.tint(tree, i);
    }
    this.edges = binned(order, edges, LEVELS * TINTS);
    this.marks = binned(order, marks, LEVELS * TINTS);
  }

  radius(level, cam) {
    const t = level / (LEVELS - 1), small = clip(cam.ky * 0.28, 0.6, 4.5);
    return mix(small, clip(5 + cam.ky * 0.25, 6, 11), t * t);
  }

  // The whole picture. cam = {kx, ky, tx, ty, width, height}: pixels a column and a row, and where the root's corner is.
  paint(ctx, cam, selected) {
    ctx.clearRect(0, 0, cam.width, cam.height);
    this.close = clip((cam.ky - 2) / 12, 0, 1); // 0 from afar, 1 where rows can be told apart
    this.paintPath(ctx, cam, selected);
    for (let key = 0; key < LEVELS * TINTS; key++) this.paintEdges(ctx, cam, key);
    for (let key = 0; key < LEVELS * TINTS; key++) this.paintMarks(ctx, cam, key);
    this.paintLabels(ctx, cam);
    this.paintBadges(ctx, cam);
  }

  at(i, cam) { return [cam.tx + cam.kx * this.tree.nowX[i], cam.ty + cam.ky * this.tree.nowY[i]]; }

  paintPath(ctx, cam, selected) {
    const nodes = this.tree.path(selected).filter((i) => this.tree.shown[i]);
    ctx.beginPath();
    for (const i of nodes.slice(1)) this.curve(ctx, cam, i);
    Object.assign(ctx, { strokeStyle: HALO, lineWidth: 11, globalAlpha: 0.9, lineCap: "round" });
    ctx.stroke();
    ctx.globalAlpha = 1;
  }

  curve(ctx, cam, i) {
    const [x0, y0] = this.at(this.tree.parent[i], cam), [x1, y1] = this.at(i, cam), middle = (x0 + x1) / 2;
    ctx.moveTo(x0, y0);
    ctx.bezierCurveTo(middle, y0, middle, y1, x1, y1);
  }

  paintEdges(ctx, cam, key) {
    const { sorted, starts } = this.edges, { nowX, nowY, parent, depth, columns } = this.tree;
    const [from, to] = [starts[key], starts[key + 1]];
    if (from === to) return;
    const { kx, ky, tx, ty, width, height } = cam, end = new Float32Array(columns + 1).fill(-1e9), origin = end.slice();
    const t = Math.floor(key / TINTS) / (LEVELS - 1);
    ctx.beginPath();
    for (let k = from; k < to; k++) {
      const i = sorted[k], p = parent[i], y0 = ty + ky * nowY[p], y1 = ty + ky * nowY[i], d = depth[i];
      if ((y0 < 0 && y1 < 0) || (y0 > height && y1 > height)) continue;
      if (Math.abs(y1 - end[d]) < 0.6 && Math.abs(y0 - origin[d]) < 0.6) continue; // the same pixels again
      const x0 = tx + kx * nowX[p], x1 = tx + kx * nowX[i], middle = (x0 + x1) / 2;
      if (x1 < 0 || x0 > width) continue;
      [end[d], origin[d]] = [y1, y0];
      ctx.moveTo(x0, y0);
      ctx.bezierCurveTo(middle, y0, middle, y1, x1, y1);
    }
    ctx.strokeStyle = this.palette.lines[key % TINTS];
    ctx.lineWidth = mix(0.5, 1.2, this.close) + 5.5 * t * t;
    ctx.globalAlpha = mix(0.22, 0.6, this.close) + (0.9 - mix(0.22, 0.6, this.close)) * Math.sqrt(t);
    ctx.stroke();
    ctx.globalAlpha = 1;
  }

  paintMarks(ctx, cam, key) {
    const { sorted, starts } = this.marks, { nowX, nowY, depth, kind, columns } = this.tree;
    const [from, to] = [starts[key], starts[key + 1]];
    if (from === to) return;
    const { kx, ky, tx, ty, width, height } = cam, r = this.radius(Math.floor(key / TINTS), cam);
    const last = new Float32Array(columns + 1).fill(-1e9), solid = new Path2D(), hollow = new Path2D();
    for (let k = from; k < to; k++) {
      const i = sorted[k], y = ty + ky * nowY[i], x = tx + kx * nowX[i], d = depth[i];
      if (y < -r || y > height + r || x < -r || x > width + r || Math.abs(y - last[d]) < Math.min(0.6, r)) continue;
      last[d] = y;
      mark(kind[i] === LEAF && r > 2 ? hollow : solid, kind[i], x, y, r);
    }
    const line = this.palette.lines[key % TINTS];
    ctx.fillStyle = this.palette[r > 2.5 ? "fills" : "lines"][key % TINTS];
    ctx.fill(solid);
    if (r <= 2) return;
    Object.assign(ctx, { strokeStyle: MUTED, lineWidth: 1 });
    ctx.stroke(solid);
    ctx.fillStyle = PAPER;
    ctx.fill(hollow);
    Object.assign(ctx, { strokeStyle: line, lineWidth: 2 });
    ctx.stroke(hollow);
  }

  // Words where there is room, the most reached first; a column's words never overlap.
  paintLabels(ctx, cam) {
    const { tree, marks } = this, { label, room, depth, level } = tree;
    const taken = Array.from({ length: tree.columns + 1 }, () => new Uint8Array(Math.ceil(cam.height) + 40));
    this.labels = [];
    ctx.font = `13px ${FONT}`;
    for (let key = LEVELS * TINTS - 1; key >= 0; key--) {
      for (let k = marks.starts[key]; k < marks.starts[key + 1]; k++) {
        const i = marks.sorted[k], [x, y] = this.at(i, cam), top = Math.round(y) + 11; // 20 spare pixels above
        if (!label[i] || y < -8 || y > cam.height + 8 || x < 0 || x > cam.width + 80) continue;
        if (room[i] * cam.ky < 15 && level[i] < 3) continue; // in a crowd, only what is often reached
        const used = taken[depth[i]], wide = this.wide(ctx, label[i]), r = this.radius(level[i], cam);
        if (depth[i] && wide + r + 14 > cam.kx) continue;
        if (used.subarray(Math.max(0, top), top + 17).includes(1)) continue;
        used.fill(1, Math.max(0, top), top + 17);
        this.labels.push({ i, x: x - r - 5 - wide, y, wide });
      }
    }
    Object.assign(ctx, { textBaseline: "middle", lineJoin: "round", strokeStyle: PAPER, lineWidth: 4, fillStyle: INK });
    for (const { i, x, y } of this.labels) ctx.strokeText(label[i], x, y + 0.5);
    for (const { i, x, y } of this.labels) ctx.fillText(label[i], x, y + 0.5);
  }

  wide(ctx, text) {
    if (!this.widths.has(text)) this.widths.set(text, ctx.measureText(text).width);
    return this.widths.get(text);
  }

  // "+123" beside a folded node.
  paintBadges(ctx, cam) {
    this.badges = [];
    for (const i of this.tree.folded) {
      if (!this.tree.shown[i]) continue;
      const text = `+${this.tree.below[i].toLocaleString("en")}`, wide = this.wide(ctx, text) + 14;
      const [x, y] = this.at(i, cam), left = x + this.radius(this.tree.level[i], cam) + 5;
      ctx.beginPath();
      ctx.roundRect(left, y - 10, wide, 20, 10);
      Object.assign(ctx, { fillStyle: PAPER, strokeStyle: INK, lineWidth: 1 });
      ctx.fill();
      ctx.stroke();
      ctx.fillStyle = INK;
      ctx.fillText(text, left + 7, y + 0.5);
      this.badges.push({ i, x: left, y: y - 10, wide, high: 20 });
    }
  }

  // The layer above: rings around newcomers, the selected and the pointed-at node. False when nothing fades.
  paintRings(ctx, cam, selected, hovered, now) {
    const { tree } = this;
    ctx.clearRect(0, 0, cam.width, cam.height);
    tree.batches = tree.batches.filter((batch) => now - batch.time < FADE);
    for (const { begin, end, time } of tree.batches) this.paintFlash(ctx, cam, begin, end, (now - time) / FADE);
    for (const [i, colour] of [[hovered, MUTED], [selected, INK]]) {
      if (!(i >= 0 && i < tree.size && tree.shown[i])) continue;
      const [x, y] = this.at(i, cam);
      ctx.beginPath();
      ctx.arc(x, y, this.radius(tree.level[i], cam) + 4, 0, 7);
      Object.assign(ctx, { strokeStyle: colour, lineWidth: 2.5 });
      ctx.stroke();
    }
    return tree.batches.length > 0;
  }

  paintFlash(ctx, cam, begin, end, age) {
    const { tree } = this, drawn = new Set();
    ctx.beginPath();
    for (let i = begin; i < end; i++) {
      if (!tree.shown[i]) continue;
      const [x, y] = this.at(i, cam), spot = `${tree.depth[i]} ${Math.round(y / 4)}`;
      if (y < 0 || y > cam.height || drawn.has(spot)) continue;
      drawn.add(spot);
      const r = this.radius(tree.level[i], cam) + 2 + 5 * age;
      ctx.moveTo(x + r, y);
      ctx.arc(x, y, r, 0, 7);
    }
    Object.assign(ctx, { strokeStyle: FLASH, lineWidth: 2.2, globalAlpha: Math.max(0, 1 - age) });
    ctx.stroke();
    ctx.globalAlpha = 1;
  }
}

// One node's mark: a disc for an own decision, a square for an opponent's, a diamond where cards come, a bar at the
// end, a ring where the tree may still grow. All turn the same way, so overlapping marks leave no hole.
function mark(path, kind, x, y, r) {
  if (r <= 2) path.rect(x - r, y - r, 2 * r, 2 * r);
  else if (kind === PASSIVE) path.rect(x - 0.86 * r, y - 0.86 * r, 1.72 * r, 1.72 * r);
  else if (kind === END) path.rect(x - 0.4 * r, y - r, 0.8 * r, 2 * r);
  else if (kind === DEAL) {
    const d = 1.2 * r;
    path.moveTo(x, y - d);
    path.lineTo(x + d, y);
    path.lineTo(x, y + d);
    path.lineTo(x - d, y);
    path.closePath();
  } else {
    path.moveTo(x + r, y);
    path.arc(x, y, r, 0, 7);
    path.closePath();
  }
}

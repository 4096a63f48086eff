// How a growing forest looks: colours, marks, and the painting of thousands of nodes in few strokes.
//
// Nodes of one tint and one level of reach are painted as one path, faint ones first, so what is often reached lies on
// top.

const { ink: INK, muted: MUTED, paper: PAPER, halo: HALO, good: FLASH, players: PLAYERS, edge: GREY } = THEME;
// What a kind means, its colour, and a word for it where there is little room.
const KINDS = [["can still grow", "leaf"], ["own decision", "own"], ["opponent acts", "opponent"],
  ["cards come", "cards"], ["hand over", "over"]].map(([name, short], k) => [name, THEME.kinds[k], short]);
const SHADES = 10, TINTS = 12, UNKNOWN = 11; // EV colours 0..10, then "not known"
const channels = (colour) => [1, 3, 5].map((k) => parseInt(colour.slice(k, k + 2), 16));
const LOW = channels(THEME.loses), HIGH = channels(THEME.gains);
const FADE = 1500; // milliseconds a newcomer is ringed

const READABLE = 20; // pixels a row from which labels stand apart

const signed = (value) => (value > 0 ? "+" : value < 0 ? "−" : "") + Math.abs(value).toPrecision(3);
const mix = (a, b, t) => a + (b - a) * t;
const blend = (a, b, t) => `rgb(${a.map((v, k) => Math.round(mix(v, b[k], t))).join(",")})`;
const shade = (middle) => (k) => {
  const s = (2 * k) / SHADES - 1;
  return blend(middle, s < 0 ? LOW : HIGH, Math.abs(s));
};
const FILLS = [...Array.from({ length: SHADES + 1 }, (_, k) => shade(channels(PAPER))(k)), THEME.line];
const LINES = [...Array.from({ length: SHADES + 1 }, (_, k) => shade(channels(GREY))(k)), GREY];

// Which colour a node has, by what the look asks for; `line` gives colours that show on white paper.
class Palette {
  constructor(look) {
    this.by = look.colour || "EV";
    this.low = Math.min(look.low ?? -1, 0);
    this.high = Math.max(look.high ?? 1, 0);
    const kinds = KINDS.map(([, colour]) => colour), seats = [...PLAYERS, GREY, MUTED, GREY];
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
}

// The nodes of `order` sorted by key, stable: {sorted, starts}, the nodes of key k are sorted[starts[k]..starts[k+1]].
function binned(order, keys, count) {
  const starts = new Int32Array(count + 1), sorted = new Int32Array(order.length);
  for (let k = 0; k < order.length; k++) if (keys[order[k]] < count) starts[keys[order[k]] + 1]++;
  for (let k = 0; k < count; k++) starts[k + 1] += starts[k];
  const at = starts.slice();
  for (let k = 0; k < order.length; k++) if (keys[order[k]] < count) sorted[at[keys[order[k]]]++] = order[k];
  return { sorted, starts };
}

class Painter {
  constructor(tree) {
    Object.assign(this, { tree, labels: [], widths: new Map(), badges: [] });
    this.palette = new Palette({});
  }

  // After new rows, numbers, colours or another scale: who is painted with whom.
  sort(cam) {
    const { tree, palette } = this, { order, parent, size } = tree, level = this.slim(cam);
    const edges = new Uint8Array(size), marks = new Uint8Array(size), tints = new Uint8Array(size);
    for (let k = 0; k < order.length; k++) {
      const i = order[k], p = parent[i];
      tints[i] = palette.tint(tree, i);
      marks[i] = level[i] * TINTS + tints[i];
      // A line has the colour of the value it leads to, or of whoever took it.
      edges[i] = p < 0 ? 255 : level[i] * TINTS + tints[palette.by === "EV" ? i : p];
    }
    this.edges = binned(order, edges, LEVELS * TINTS);
    this.marks = binned(order, marks, LEVELS * TINTS);
  }

  // How heavily each node is painted: by its level of reach, but where a column holds more heavy marks than it has
  // pixels, all of them become lighter.
  slim(cam) {
    const { order, level, depth, columns, rows, size } = this.tree, heavy = (this.heavy = new Uint8Array(size));
    const load = new Float32Array(columns + 1), full = new Int32Array(columns + 1), tall = Math.max(1, cam.ky * rows);
    for (let k = 0; k < order.length; k++) {
      const d = depth[order[k]], l = level[order[k]];
      full[d]++;
      if (l > 2) load[d] += 2 * this.radius(l, cam);
    }
    const painted = (d) => load[d] * Math.min(1, tall / full[d]); // one node a pixel, see choose()
    const share = load.map((_, d) => Math.sqrt(Math.min(1, 0.65 * tall / (painted(d) || 1))));
    for (let k = 0; k < order.length; k++) heavy[order[k]] = Math.round(level[order[k]] * share[depth[order[k]]]);
    this.sortedAt = cam.ky;
    return heavy;
  }

  radius(level, cam) {
    const t = level / (LEVELS - 1), small = clip(cam.ky * 0.28, 0.6, 4.5);
    return mix(small, clip(5 + cam.ky * 0.25, 6, 11) * cam.font / 13, t * t);
  }

  // The whole picture. cam = {kx, ky, tx, ty, width, height, font}: pixels a column and a row, where column 0 and row 0
  // are, how large the stage is and its letters are.
  paint(ctx, cam, selected) {
    ctx.clearRect(0, 0, cam.width, cam.height);
    this.close = clip((cam.ky - 2) / 12, 0, 1); // 0 from afar, 1 where rows can be told apart
    this.locate(cam);
    this.choose(cam);
    this.paintPath(ctx, selected);
    for (let key = 0; key < LEVELS * TINTS; key++) this.paintEdges(ctx, cam, key);
    for (let key = 0; key < LEVELS * TINTS; key++) this.paintMarks(ctx, cam, key);
    this.paintLabels(ctx, cam);
    this.paintBadges(ctx, cam);
  }

  // Of the nodes that fall on one pixel of one column only the most reached is painted: so a picture costs what its
  // pixels cost, however large the tree.
  choose(cam) {
    const { order, depth, reach, columns, size } = this.tree, { y: at } = this, high = Math.ceil(cam.height);
    const best = new Int32Array((columns + 1) * high).fill(-1), chosen = (this.chosen = new Uint8Array(size));
    for (let k = 0; k < order.length; k++) {
      const i = order[k], y = Math.floor(at[i]), slot = depth[i] * high + y;
      if (y < 0 || y >= high) chosen[i] = 1; // its line may still cross the view
      else if (best[slot] < 0 || reach[i] > reach[best[slot]]) best[slot] = i;
    }
    for (let slot = 0; slot < best.length; slot++) if (best[slot] >= 0) chosen[best[slot]] = 1;
  }

  // Pixels of every node. A node whose subtree is in view stays in view, too: however far one zooms in, the way that
  // led there can be read from left to right.
  locate(cam) {
    const { order, nowX, nowY, low, high, size, open } = this.tree, { kx, ky, tx, ty, height } = cam;
    const x = (this.x = new Float32Array(size)), y = (this.y = new Float32Array(size)), edge = 26;
    for (let k = 0; k < order.length; k++) {
      const i = order[k], own = ty + ky * nowY[i], top = ty + ky * low[i], bottom = ty + ky * high[i];
      x[i] = tx + kx * nowX[i];
      y[i] = own;
      if (!open[i] || (own >= edge && own <= height - edge) || bottom < 0 || top > height) continue;
      y[i] = own < edge ? Math.max(own, Math.min(edge, bottom)) : Math.min(own, Math.max(height - edge, top));
    }
  }

  paintPath(ctx, selected) {
    const nodes = this.tree.path(selected).filter((i) => this.tree.shown[i]);
    ctx.beginPath();
    for (const i of nodes.slice(1)) bend(ctx, this.x, this.y, this.tree.parent[i], i);
    Object.assign(ctx, { strokeStyle: HALO, lineWidth: 11, globalAlpha: 0.9, lineCap: "round" });
    ctx.stroke();
    ctx.globalAlpha = 1;
  }

  paintEdges(ctx, cam, key) {
    const { x, y, chosen, edges: { sorted, starts } } = this, { parent } = this.tree;
    const { width, height } = cam, from = starts[key], to = starts[key + 1];
    if (from === to) return;
    const t = Math.floor(key / TINTS) / (LEVELS - 1);
    ctx.beginPath();
    for (let k = from; k < to; k++) {
      const i = sorted[k], p = parent[i];
      if (!chosen[i] || (y[p] < 0 && y[i] < 0) || (y[p] > height && y[i] > height)) continue;
      if (x[i] >= 0 && x[p] <= width) bend(ctx, x, y, p, i);
    }
    ctx.strokeStyle = this.palette.lines[key % TINTS];
    ctx.lineWidth = mix(0.6, 1.2, this.close) + 6 * t * t;
    ctx.globalAlpha = mix(mix(0.32, 0.7, this.close), 0.95, t);
    ctx.stroke();
    ctx.globalAlpha = 1;
  }

  paintMarks(ctx, cam, key) {
    const { x, y, chosen, marks: { sorted, starts } } = this, { kind } = this.tree;
    const { width, height } = cam, from = starts[key], to = starts[key + 1];
    if (from === to) return;
    const r = this.radius(Math.floor(key / TINTS), cam);
    if (r < 0.9) return; // less than two pixels: its line says enough
    const solid = new Path2D(), hollow = new Path2D();
    for (let k = from; k < to; k++) {
      const i = sorted[k];
      if (!chosen[i] || y[i] < -r || y[i] > height + r || x[i] < -r || x[i] > width + r) continue;
      mark(kind[i] === LEAF && r > 2 ? hollow : solid, kind[i], x[i], y[i], r);
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
    const taken = Array.from({ length: tree.columns + 1 }, () => new Uint8Array(Math.ceil(cam.height) + 60));
    const tall = this.setFont(ctx, cam) + 2;
    this.labels = [];
    for (let key = LEVELS * TINTS - 1; key >= 0; key--) {
      for (let k = marks.starts[key]; k < marks.starts[key + 1]; k++) {
        const i = marks.sorted[k], x = this.x[i], y = this.y[i], top = Math.round(y - tall / 2) + 20; // 20 spare
        if (!label[i] || y < -8 || y > cam.height + 8 || x < 0 || x > cam.width + 80) continue;
        const rank = room[i] * cam.ky < tall - 1 ? 4 : this.close < 1 ? 1 : 0; // in a crowd, only the often reached
        if (level[i] < rank) continue;
        const used = taken[depth[i]], wide = this.wide(ctx, label[i]), r = this.radius(this.heavy[i], cam);
        if (depth[i] && wide + r + 12 > cam.kx * (tree.edge[depth[i]] - tree.edge[depth[i] - 1])) continue;
        if (used.subarray(Math.max(0, top), top + tall).includes(1)) continue;
        used.fill(1, Math.max(0, top), top + tall);
        this.labels.push({ i, x: x - r - 5 - wide, y, wide });
      }
    }
    Object.assign(ctx, { textBaseline: "middle", lineJoin: "round", strokeStyle: PAPER, lineWidth: 4 });
    for (const { i, x, y } of this.labels) ctx.strokeText(label[i], x, y + 0.5);
    for (const { i, x, y } of this.labels) {
      ctx.fillStyle = level[i] < 2 ? MUTED : INK;
      ctx.fillText(label[i], x, y + 0.5);
    }
    this.paintValues(ctx, cam);
  }

  // Close up, what a labelled node is worth stands beside it.
  paintValues(ctx, cam) {
    const { tree } = this, { ev, level, folded, open, edge, depth } = tree;
    ctx.fillStyle = MUTED;
    for (const { i } of this.labels) {
      const free = open[i] ? 0.45 * cam.kx * (edge[depth[i] + 1] - edge[depth[i]]) : 200;
      if (cam.ky < READABLE || Number.isNaN(ev[i]) || folded.has(i) || free < 4 * cam.font) continue;
      const [x, y] = [this.x[i], this.y[i]], [text, r] = [signed(ev[i]), this.radius(this.heavy[i], cam)];
      ctx.strokeText(text, x + r + 6, y + (open[i] ? -0.8 * cam.font : 0.5));
      ctx.fillText(text, x + r + 6, y + (open[i] ? -0.8 * cam.font : 0.5));
    }
  }

  // Letters as large as the stage asks for, or a little smaller if then every row has room for its word.
  setFont(ctx, cam) {
    const size = cam.ky >= 15 ? Math.min(cam.font, Math.floor(cam.ky) - 2) : cam.font, font = `${size}px ${FONT}`;
    if (font !== this.font) this.widths.clear();
    ctx.font = this.font = font;
    return size;
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
      const text = `+${this.tree.below[i].toLocaleString("en")}`, wide = this.wide(ctx, text) + 14, high = cam.font + 7;
      const [x, y] = [this.x[i], this.y[i]], left = x + this.radius(this.heavy[i], cam) + 5;
      ctx.beginPath();
      ctx.roundRect(left, y - high / 2, wide, high, high / 2);
      Object.assign(ctx, { fillStyle: PAPER, strokeStyle: INK, lineWidth: 1 });
      ctx.fill();
      ctx.stroke();
      ctx.fillStyle = INK;
      ctx.fillText(text, left + 7, y + 0.5);
      this.badges.push({ i, x: left, y: y - high / 2, wide, high });
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
      ctx.beginPath();
      ctx.arc(this.x[i], this.y[i], this.radius(this.heavy[i], cam) + 4, 0, 7);
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
      const [x, y] = [this.x[i], this.y[i]], spot = `${tree.depth[i]} ${Math.round(y / 4)}`;
      if (y < 0 || y > cam.height || drawn.has(spot)) continue;
      drawn.add(spot);
      const r = this.radius(this.heavy[i], cam) + 2 + 5 * age;
      ctx.moveTo(x + r, y);
      ctx.arc(x, y, r, 0, 7);
    }
    Object.assign(ctx, { strokeStyle: FLASH, lineWidth: 2.2, globalAlpha: Math.max(0, 1 - age) });
    ctx.stroke();
    ctx.globalAlpha = 1;
  }
}

// From a node to its child: a turn near the parent, then level, so that words can lie on the line.
function bend(ctx, x, y, from, to) {
  const wide = x[to] - x[from], middle = x[from] + 0.25 * wide;
  ctx.moveTo(x[from], y[from]);
  if (Math.abs(y[to] - y[from]) > 1) ctx.bezierCurveTo(middle, y[from], middle, y[to], x[from] + 0.5 * wide, y[to]);
  ctx.lineTo(x[to], y[to]);
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

// ---------------------------------------------------------------- words around the picture

const often = (reach) => (reach > 0 && reach < 0.0001 ? `${reach.toExponential(1)} of the time`
  : `${+(100 * reach).toPrecision(3)} % of the time`);

// The bar on top: what the marks mean, what the colours mean.
const QUIET = `var(--muted, ${MUTED})`; // beside the canvas custom properties can be read
function legend({ colour = "EV", players = [], unit = "", low = -1, high = 1 }) {
  const shapes = [`<circle r="5" fill="var(--paper, ${PAPER})" stroke-width="2.5"/>`, '<circle r="6"/>',
    '<rect x="-5.5" y="-5.5" width="11" height="11"/>', '<path d="M0 -7.5L7.5 0L0 7.5L-7.5 0Z"/>',
    '<rect x="-3" y="-7" width="6" height="14"/>'];
  const words = (name, short) => (name === short ? escape(name)
    : `<span class="long">${escape(name)}</span><span class="short">${escape(short)}</span>`);
  const key = (inside, tint, name, short = name) => `<span class="sl-forest-key" title="${escape(name)}"><svg
    viewBox="-9 -9 18 18" fill="${tint}" stroke="${tint}" aria-hidden="true">${inside}</svg>${words(name, short)}</span>`;
  const kinds = KINDS.map(([name, tint, short], k) => key(shapes[k], colour === "kind" ? tint : QUIET, name, short));
  const seats = colour === "player" ? players.map((name, k) => key(shapes[1], PLAYERS[k % 6], name)) : [];
  const ramp = `linear-gradient(90deg,${FILLS.slice(0, SHADES + 1).join(",")})`;
  const scale = `<span class="sl-forest-key">EV ${signed(low)}<i style="background:${ramp}"></i>${signed(high)}<span
    class="long">${escape(unit)}</span></span>`;
  const discs = '<circle cx="-13" r="2"/><circle cx="-5" r="4"/><circle cx="7" r="6"/>';
  const sizes = key(discs, QUIET, "reached more often", "reach").replace('"-9 -9 18 18"', '"-16 -9 30 18"');
  return [...kinds, sizes, ...seats, colour === "EV" ? scale : ""].join("");
}

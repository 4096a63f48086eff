// The marks of a game tree as SVG text, from the lists of solverlab.views.tree_layout.visible_tree.
//
// Joined in front of tree_widget.js into one module (see esm.py). It follows views/tree_svg.py mark for mark: a
// test compares the two pictures as texts.

const RADIUS = 10, BEND = 44, EDGE = 24, LEGEND = 46, LETTER = 8.6;
const OUTLINE = ["id", "parent", "x", "y", "label", "kind", "n_hidden", "payoff"];

const round = (value) => String(+value.toFixed(2));
const percent = (p) => (Math.floor(p * 100 + 0.5) / 100).toFixed(2);
const edgeWidth = (reach) => 1.2 + 6.8 * clip(reach, 0, 1);
const seat = (kind) => +kind.split(" ")[1]; // "player 0" is seat 0
const colour = (kind, look) =>
  kind === "chance" || kind === "leaf" ? look[kind] : look.players[seat(kind) % look.players.length];
const never = (p) => p !== null && p < 0.005;
const labelInside = (label, p) =>
  escape(label) + (p === null ? "" : ` <tspan font-weight="700">${percent(p)}</tspan>`);

function curve(t, i) {
  const p = t.up[i], [x0, y0, x1, y1] = [t.x[p], t.y[p], t.x[i], t.y[i]].map(round);
  return `M${x0} ${y0}C${round(t.x[p] + 26)} ${y0} ${round(t.x[p] + 14)} ${y1} ${round(t.x[p] + BEND)} ${y1}H${x1}`;
}

function edge(t, i, look, halo = 0) {
  const stroke = halo ? look.halo : colour(t.kind[t.up[i]], look);
  const dash = never(t.probability[i]) && !halo ? ' stroke-dasharray="2 4"' : "";
  return `<path d="${curve(t, i)}" fill="none" stroke="${stroke}" stroke-width="${
    round(edgeWidth(t.reach[i]) + halo)}"${dash}/>`;
}

function marker(kind, look) {
  const fill = colour(kind, look), r = RADIUS;
  if (kind === "leaf") return `<rect x="-4" y="-4" width="8" height="8" fill="${fill}"/>`;
  if (kind === "chance") return `<path d="M0 -${r}L${r} 0L0 ${r}L-${r} 0Z" fill="${fill}"/>`;
  return `<circle r="${r}" fill="${fill}"/><text y="5" text-anchor="middle" font-weight="700" fill="${
    look.digits[seat(kind) % look.digits.length]}">${seat(kind) + 1}</text>`;
}

function text(x, y, inside, fill, anchor, look) {
  return inside && `<text x="${round(x)}" y="${round(y)}" text-anchor="${anchor}" fill="${fill}" stroke="${
    look.paper}" stroke-width="3" stroke-linejoin="round" paint-order="stroke">${inside}</text>`;
}

function badge(words, look) {
  const wide = 12 + 8 * words.length;
  return `<g class="badge"><rect x="${RADIUS + 7}" y="-10" width="${wide}" height="20" rx="10" fill="${look.paper
    }" stroke="${look.ink}"/><text x="${round(RADIUS + 7 + wide / 2)}" y="5" text-anchor="middle" fill="${look.ink
    }">${words}</text></g>`;
}

function sign(t, i, look) {
  const words = t.up[i] < 0 ? "" : labelInside(t.label[i], t.probability[i]);
  const ink = never(t.probability[i]) ? look.muted : look.ink;
  return marker(t.kind[i], look) + text(-RADIUS - 7, -8, words, ink, "end", look);
}

function node(t, i, look) {
  const payoff = text(RADIUS + 8, 5, escape(t.payoff[i]), look.muted, "start", look);
  return sign(t, i, look) + payoff + (t.n_hidden[i] ? badge(`+${t.n_hidden[i]}`, look) : "");
}

const ring = (look, r = RADIUS + 4) =>
  `<circle r="${round(r)}" fill="none" stroke="${look.ink}" stroke-width="2.5"/>`;
const legend = (t) => [...t.players.map((name, i) => [`player ${i}`, name]), ["chance", "chance"], ["leaf", "leaf"]];
const place = (x, y, inside) => `<g transform="translate(${round(x)} ${round(y)})">${inside}</g>`;

// A standalone picture of the opened tree, whatever part of it the view shows.
function drawing(t, selected, look) {
  const all = t.id.map((_, i) => i), marked = path(t, t.at.get(selected));
  let x = EDGE + RADIUS;
  const keys = legend(t).map(([kind, name]) => {
    const item = place(x, EDGE, marker(kind, look) + text(RADIUS + 6, 5, escape(name), look.ink, "start", look));
    x += 52 + LETTER * name.length;
    return item;
  });
  const tail = Math.max(0, ...t.payoff.map((words) => words.length)) * LETTER + 60;
  const width = Math.ceil(Math.max(t.right + 2 * EDGE + tail, x - RADIUS + EDGE));
  const height = Math.ceil(t.bottom + 2 * EDGE + LEGEND);
  const marks = all.map((i) => place(t.x[i], t.y[i],
    `<title>${escape(t.tooltip[i])}</title>` + node(t, i, look) + (t.id[i] === selected ? ring(look) : "")));
  const inner = all.filter((i) => t.up[i] >= 0);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height
    }" font-family="${FONT}" font-size="14" role="img" aria-label="game tree"><rect width="100%" height="100%"${
    ` fill="${look.paper}"`}/>${keys.join("")}<g transform="translate(${EDGE} ${EDGE + LEGEND})">${
    inner.filter((i) => marked.includes(i)).map((i) => edge(t, i, look, 8)).join("")}${
    inner.map((i) => edge(t, i, look)).join("")}${marks.join("")}</g></svg>`;
}

// ---------------------------------------------------------------- the lists, with what follows from them

function read(model) {
  const nodes = plain(model.get("nodes")), live = plain(model.get("live")), id = nodes.id || [];
  const fresh = (live.probability || []).length === id.length ? live : {};
  const t = { ...Object.fromEntries([...OUTLINE, "probability", "reach", "tooltip", "players"].map((k) => [k, []])),
    ...nodes, ...fresh };
  t.at = new Map(id.map((n, i) => [n, i]));
  t.up = t.parent.map((p) => t.at.get(p) ?? -1);
  t.kids = id.map(() => []);
  t.up.forEach((p, i) => p >= 0 && t.kids[p].push(i));
  t.room = room(t);
  t.right = t.x.reduce((a, b) => Math.max(a, b), 0);
  t.bottom = t.y.reduce((a, b) => Math.max(a, b), 0);
  t.tail = t.payoff.map((words, i) => RADIUS + 8 + Math.max(words.length * LETTER, t.kids[i].length ? 19 : 0,
    t.n_hidden[i] ? 20 + 8 * String(t.n_hidden[i]).length : 0)); // what stands to the right of a marker
  t.box = [-RADIUS - 16, -34, t.x.reduce((most, x, i) => Math.max(most, x + t.tail[i]), 0) + 12, t.bottom + 26];
  return t;
}

// How far each node is from its nearest neighbour in the same column.
function room(t) {
  const gap = t.id.map(() => Infinity), last = new Map();
  t.x.forEach((x, i) => {
    const above = last.get(x), apart = above === undefined ? Infinity : t.y[i] - t.y[above];
    gap[i] = apart;
    if (above !== undefined) gap[above] = Math.min(gap[above], apart);
    last.set(x, i);
  });
  return gap;
}

function path(t, i) {
  const indices = [];
  for (; i !== undefined && i >= 0; i = t.up[i]) indices.push(i);
  return indices;
}

const same = (a, b, columns) =>
  columns.every((k) => a[k].length === b[k].length && a[k].every((v, i) => v === b[k][i]));

// Whether two pictures show one game: what both show is the same (a leaf may have been expanded).
const sameGame = (a, b) => {
  const common = a.id.filter((n) => b.at.has(n));
  return common.length && common.every((n) => ["parent", "label", "kind"].every((k) =>
    a[k][a.at.get(n)] === b[k][b.at.get(n)] || (k === "kind" && a[k][a.at.get(n)] === "leaf")));
};

// Node i in words: how one came here, who acts, how often.
function words(t, i, join) {
  if (i === undefined) return "";
  const p = t.probability[i], hidden = t.n_hidden[i];
  const numbers = p === null ? [] : [`taken ${percent(p)}`, `reach ${percent(t.reach[i])}`];
  return [...t.tooltip[i].split("\n"), ...numbers, ...(hidden ? [`${hidden} nodes folded away`] : [])].join(join);
}

// The next node up or down in the same column: a sibling, else a cousin.
function beside(t, i, step) {
  for (let j = i + step; j >= 0 && j < t.id.length; j += step) if (t.x[j] === t.x[i]) return j;
  return i;
}

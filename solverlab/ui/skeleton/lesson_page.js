// The hands and eyes of a lesson: finds the page's controls by the names a person reads, presses them, reads numbers.
// Bokeh keeps its parts in shadow roots inside shadow roots; all of them are open, so one walk goes through.
window.solverlabHands = (() => {
  const BUTTONS = "button, [role=button], .bk-btn, .bk-tab", FIELDS = "select, input, textarea";
  const NUMBER = /[+-]?\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?/i;
  const main = () => document.getElementById("main");
  const seen = (e) => (e.checkVisibility ? e.checkVisibility({ visibilityProperty: true }) : e.getClientRects().length > 0);
  const plain = (text) => (text ?? "").replace(/\s+/g, " ").trim();
  // "▶ Run" and "Run", "Look back:" and "look back" are the same name.
  const same = (text) => plain(text).replace(/^[^\p{L}\p{N}(+−-]+/u, "").replace(/[\s:]+$/, "").toLowerCase();

  function* within(root) {
    for (const e of root.querySelectorAll("*")) {
      yield e;
      if (e.shadowRoot) yield* within(e.shadowRoot);
    }
  }
  const all = (selector) => [...within(main())].filter((e) => e.matches(selector) && seen(e));
  const names = (e) => [e.getAttribute("aria-label"), ...[...(e.labels ?? [])].map((label) => label.textContent),
    e.matches(BUTTONS) ? e.textContent : "", e.title].map(same);
  const called = (selector, name) => all(selector).find((e) => names(e).includes(same(name)));

  // ---- hands
  function control(action) {
    if (action.open) return main();
    return called(action.press ? BUTTONS : FIELDS, action.press ?? action.set);
  }
  function ready(action) {
    if (action.open) return document.documentElement.dataset.travels === "yes";
    const e = control(action);
    return Boolean(e) && !e.disabled && !e.classList.contains("bk-disabled");
  }
  function tell(e, ...kinds) { for (const kind of kinds) e.dispatchEvent(new Event(kind, { bubbles: true, composed: true })); }
  function fill(e, to) {
    if (e.type === "checkbox") { if (e.checked !== (to === "on")) e.click(); return true; }
    if (e.tagName === "SELECT") {
      const option = [...e.options].find((one) => same(one.text) === same(to));
      if (!option) return false;
      e.value = option.value;
    } else e.value = to;
    tell(e, "input", "change");
    return true;
  }
  function act(action) {
    const e = control(action);
    if (action.press) e.click();
    else if (action.set) return fill(e, action.to);
    else { // as if Back had led to that address: the page follows without being loaded anew
      history.pushState(null, "", location.pathname + action.open);
      window.dispatchEvent(new PopStateEvent("popstate"));
    }
    return true;
  }
  // Whether a click or a change somewhere on the page was this action.
  function was(action, event) {
    const e = control(action);
    if (!e || !event.composedPath().includes(e)) return false;
    return action.press ? event.type === "click" : same(shown(e)) === same(action.to);
  }

  // ---- eyes
  const shown = (e) => e.type === "checkbox" ? (e.checked ? "on" : "off") : e.tagName === "SELECT" ? e.selectedOptions[0]?.text : e.value;
  function tile(name) {
    for (const e of all(".score > div")) {
      const number = e.querySelector("b");
      const label = [...e.childNodes].filter((part) => !number || part.compareDocumentPosition(number) & 4).map((part) => part.textContent).join("");
      if (number && same(label) === same(name)) return number.textContent;
    }
    return null;
  }
  function cell(row, column) {
    for (const table of all("table")) {
      const heads = [...table.querySelectorAll("thead th, thead td")].map((e) => same(e.textContent));
      const at = heads.indexOf(same(column));
      const line = at < 0 ? null : [...table.querySelectorAll("tbody tr")].find((tr) => same(tr.cells[0]?.textContent) === same(row));
      if (line?.cells[at]) return line.cells[at].textContent;
    }
    return null;
  }
  const models = (kind) => (window.Bokeh?.documents ?? []).flatMap((doc) => [...doc._all_models.values()]).filter((one) => one.type === kind);
  // What a grid of 169 hands tells on hovering; it is painted on a canvas, its words are in Bokeh's model.
  function grid(name, hand) {
    const data = models("ColumnDataSource").find((one) => [name, `grid-${name}`].includes(one.name))?.data;
    const column = (of) => [...((data instanceof Map ? data.get(of) : data?.[of]) ?? [])];
    return column("told")[column("hand").findIndex((one) => same(one) === same(hand))] || null;
  }
  function words(node = main()) {
    if (node.nodeType === 3) return node.data;
    if (node.nodeType === 1 && (["STYLE", "SCRIPT"].includes(node.tagName) || getComputedStyle(node).display === "none")) return "";
    return [node.shadowRoot, node].flatMap((root) => [...(root?.childNodes ?? [])].map(words)).join(" ");
  }
  // What a plot says in its title is painted on a canvas; its words are in Bokeh's model.
  function titles() {
    return models("Title").map((model) => model.text).join(" . ");
  }
  const text = () => plain(`${words()} . ${titles()}`);
  function after(said) {
    const on = text(), at = on.toLowerCase().indexOf(plain(said).toLowerCase());
    return at < 0 ? null : on.slice(at + plain(said).length).replace(/−/g, "-").match(NUMBER)?.[0] ?? null;
  }
  function found(reading, kept) {
    if (reading.tile) return tile(reading.tile);
    if (reading.cell) return cell(reading.cell, reading.column);
    if (reading.grid) return grid(reading.grid, reading.hand);
    if (reading.after) return after(reading.after);
    if (reading.address) return new URLSearchParams(location.search).get(reading.address);
    if (reading.kept) return kept[reading.kept] ?? null;
    const field = called(FIELDS, reading.control);
    return field ? shown(field) : null;
  }
  function counted(words) {
    const match = words.replace(/−/g, "-").match(NUMBER);
    return match ? Number(match[0].replaceAll(",", "")) : NaN;
  }
  // What stands there as text and as a number; null if it is not on the page.
  function read(reading, kept = {}) {
    const words = found(reading, kept);
    if (words === null) return null;
    const number = counted(words) * (reading.times ?? 1);
    return { number, text: reading.times ? String(Number(number.toPrecision(3))).replace("-", "−") : plain(words) };
  }
  const WAYS = {
    "": (a, b) => a === b, "not": (a, b) => a !== b, "at least": (a, b) => a >= b, "at most": (a, b) => a <= b,
    "above": (a, b) => a > b, "below": (a, b) => a < b, "about": (a, b) => Math.abs(a - b) <= 0.05 * Math.abs(b),
  };
  function holds(condition, kept = {}) {
    if (condition.shows) return text().toLowerCase().includes(plain(condition.shows).toLowerCase());
    if (condition.hides) return !text().toLowerCase().includes(plain(condition.hides).toLowerCase());
    const left = read(condition.left, kept), way = WAYS[condition.is];
    if (left === null) return false;
    if (typeof condition.right === "string") return way(same(left.text), same(condition.right));
    const right = typeof condition.right === "number" ? condition.right : read(condition.right, kept)?.number;
    return right !== undefined && !Number.isNaN(left.number) && way(left.number, right);
  }
  // The names of a condition's reading that is not on the page.
  function missing(condition, kept = {}) {
    const lost = [condition.left, condition.right].find((one) => typeof one === "object" && one && found(one, kept) === null);
    return lost ? Object.entries(lost).filter(([name]) => name !== "times").map(([name, value], k) => (k ? `“${value}”` : `${name} “${value}”`)).join(" ") : null;
  }
  return { control, ready, act, was, read, holds, missing };
})();

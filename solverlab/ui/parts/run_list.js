// The list of runs: the page tells what there is, this draws it, says what was pressed, and keeps it in the browser.
const MOST_KEPT = 40;

function made(tag, words = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(words)) {
    if (name === "class") element.className = value; else if (name in element) element[name] = value; else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

function render({ model, el }) {
  const list = made("ul"), undo = made("button", { type: "button", class: "undo" }, "Undo");
  const head = made("div", { class: "head" }, made("h2", {}, "Runs"), undo);
  const empty = made("p", { class: "empty" }, "Every run lands here by itself. Change a setting: a new run begins, the old one stays.");
  el.append(made("section", { class: "runs", "aria-label": "Runs" }, head, list, empty));
  const recent = [];
  let count = 0, renaming = "";
  const order = (verb, id = "", word = "") => {
    recent.push([++count, verb, id, word]);
    model.set("orders", recent.slice(-40));
    model.save_changes();
  };
  const small = (sign, label, act) => made("button", { type: "button", class: "small", title: label, "aria-label": label, onclick: act }, sign);

  function nameOf(run) {
    if (renaming !== run.id) {
      const words = run.live ? `${run.name}, on the page` : `Open ${run.name}`;
      return made("button", { type: "button", class: "name", "aria-label": words, disabled: run.live, onclick: () => order("open", run.id) }, run.name);
    }
    const box = made("input", { class: "rename", value: run.name, maxLength: 60, "aria-label": `New name of ${run.name}` });
    const end = (keep) => {
      if (renaming !== run.id) return;
      renaming = "";
      if (keep && box.value.trim() && box.value !== run.name) order("rename", run.id, box.value);
      draw();
    };
    box.onkeydown = (event) => { if (event.key === "Enter") end(true); else if (event.key === "Escape") end(false); event.stopPropagation(); };
    box.onblur = () => end(true);
    requestAnimationFrame(() => { box.focus(); box.select(); });
    return box;
  }
  function row(run) {
    const tick = made("input", { type: "checkbox", checked: run.shown && !run.apart, disabled: run.live || run.apart,
      "aria-label": `Show ${run.name} on the plot`, onchange: (event) => order(event.target.checked ? "show" : "hide", run.id) });
    const dot = made("i", { class: "dot" });
    dot.style.background = run.colour;
    const acts = [small("✎", `Rename ${run.name}`, () => { renaming = run.id; draw(); }), small("⤓", `Export ${run.name} as CSV`, () => order("export", run.id))];
    if (!run.live) acts.push(small("✕", `Delete ${run.name}`, () => order("delete", run.id)));
    const item = made("li", { class: (run.live ? "live" : "") + (run.apart ? " apart" : "") }, tick, dot,
      made("div", { class: "words" }, nameOf(run), made("span", { class: "facts" }, run.facts)), made("div", { class: "acts" }, ...acts));
    item.dataset.run = run.name;
    if (run.live) item.setAttribute("aria-current", "true");
    return item;
  }
  function draw() {
    if (list.getRootNode().activeElement?.matches?.("input.rename") && renaming) return; // somebody is typing a name
    const runs = model.get("runs"), held = list.getRootNode().activeElement?.getAttribute?.("aria-label");
    list.replaceChildren(...runs.map(row));
    if (held) [...list.querySelectorAll("button, input")].find((one) => one.getAttribute("aria-label") === held)?.focus();
    empty.hidden = runs.length > 1;
    const what = model.get("undoable");
    undo.disabled = !what;
    undo.title = what ? `Undo ${what}` : "Nothing to undo";
  }
  undo.onclick = () => order("undo");

  // ---- kept in the browser; tabs share one list, so each writes only what it knows
  const place = model.get("place");
  const stored = () => { try { const found = JSON.parse(localStorage.getItem(place) || "[]"); return Array.isArray(found) ? found : []; } catch { return []; } };
  let mine = new Set();
  function keep() {
    const kept = model.get("kept");
    if (!place || !kept) return;
    const ids = new Set(kept.map((run) => run.id));
    const others = stored().filter((run) => run && !ids.has(run.id) && !mine.has(run.id));
    mine = ids;
    try { localStorage.setItem(place, JSON.stringify([...others, ...kept].slice(-MOST_KEPT))); } catch { /* storage is off or full */ }
  }
  function hand() {
    const file = model.get("file");
    if (!file.text) return;
    const link = made("a", { href: URL.createObjectURL(new Blob([file.text], { type: "text/csv" })), download: file.name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }
  model.on("change:runs", draw);
  model.on("change:undoable", draw);
  model.on("change:kept", keep);
  model.on("change:file", hand);
  draw();
  const found = place ? stored() : [];
  mine = new Set(found.map((run) => run?.id));
  model.set("restored", found);
  model.save_changes();
}

export default { render };

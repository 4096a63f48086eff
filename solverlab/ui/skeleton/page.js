// Runs in the head, before anything is drawn: the theme, one style sheet for every shadow root, dark canvases.
// Then the frame's buttons: theme, keys, help and terms, copied links, the menu of pages.
(() => {
  const THEME = "solverlab-theme", LAST = "solverlab-last", root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)"), PARTNERS = __PARTNERS__;
  const kept = (name) => { try { return localStorage.getItem(name); } catch { return null; } };
  const keep = (name, value) => { try { localStorage.setItem(name, value); } catch { /* storage is switched off */ } };
  let dark = false;

  // ---- the theme
  function wear(theme) {
    dark = theme === "dark";
    root.dataset.theme = theme;
    repaint();
    window.dispatchEvent(new CustomEvent("solverlab-theme", { detail: theme }));
  }
  const wanted = () => kept(THEME) || (system.matches ? "dark" : "light");
  const turn = () => { keep(THEME, dark ? "light" : "dark"); wear(wanted()); };
  system.addEventListener("change", () => wear(wanted()));
  window.addEventListener("storage", (event) => { if (event.key === THEME) wear(wanted()); });
  window.addEventListener("beforeprint", () => wear("light"));
  window.addEventListener("afterprint", () => wear(wanted()));

  // ---- every shadow root adopts the same sheet
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(__PARTS__);
  const attach = Element.prototype.attachShadow;
  Element.prototype.attachShadow = function (options) {
    const made = attach.call(this, options);
    made.adoptedStyleSheets = [...made.adoptedStyleSheets, sheet];
    return made;
  };

  // ---- a canvas cannot read custom properties: what is drawn in a light token is painted in its dark partner
  const found = new Map(), pen = document.createElement("canvas").getContext("2d");
  function partner(colour) {
    if (!found.has(colour)) {
      if (found.size > 4000) found.clear();
      found.set(colour, mixed(colour));
    }
    return found.get(colour);
  }
  const paint = {};
  for (const slot of ["fillStyle", "strokeStyle", "shadowColor"]) {
    paint[slot] = Object.getOwnPropertyDescriptor(CanvasRenderingContext2D.prototype, slot);
    Object.defineProperty(CanvasRenderingContext2D.prototype, slot, {
      ...paint[slot],
      set(colour) { paint[slot].set.call(this, dark && typeof colour === "string" ? partner(colour) : colour); },
    });
  }
  function mixed(colour) {
    paint.fillStyle.set.call(pen, "#000000");
    paint.fillStyle.set.call(pen, colour); // the browser's own reading of any way to write a colour
    const read = paint.fillStyle.get.call(pen);
    const parts = read[0] === "#" ? [1, 3, 5].map((k) => parseInt(read.slice(k, k + 2), 16)) : read.match(/[\d.]+/g).map(Number);
    const hex = "#" + parts.slice(0, 3).map((x) => Math.round(x).toString(16).padStart(2, "0")).join("");
    const alpha = read[0] === "#" ? 1 : parts[3];
    if (alpha === 0) return colour;
    const [r, g, b] = PARTNERS[hex] ? [1, 3, 5].map((k) => parseInt(PARTNERS[hex].slice(k, k + 2), 16)) : turned(parts);
    return `rgba(${r}, ${g}, ${b}, ${alpha})`;
  }
  // No token: the same hue with its lightness turned round, between the dark paper and the dark ink.
  function turned([r, g, b]) {
    const most = Math.max(r, g, b), least = Math.min(r, g, b), light = (most + least) / 510;
    const full = most === least ? 0 : (most - least) / (255 - Math.abs(most + least - 255));
    const next = 0.93 - 0.81 * light, spread = full * (1 - Math.abs(2 * next - 1));
    return [r, g, b].map((x) => Math.round(255 * (most === least ? next : next - spread / 2 + (spread * (x - least)) / (most - least))));
  }
  function repaint() {
    for (const doc of window.Bokeh?.documents ?? []) {
      for (const model of doc._all_models.values()) {
        if (model.type === "Figure" || model.type === "Plot") Bokeh.index.find_one(model)?.request_repaint?.();
      }
    }
  }
  wear(wanted());

  // ---- the frame
  const by = (id) => document.getElementById(id);
  let facts = { terms: {}, name: "", slug: "" }, tip = 0;
  function say(words) {
    const toast = by("toast");
    toast.textContent = words;
    toast.classList.add("shown");
    clearTimeout(say.timer);
    say.timer = setTimeout(() => toast.classList.remove("shown"), 2500);
  }
  function press(button, open) { for (const one of document.querySelectorAll(`[data-do="${button}"]`)) one.setAttribute("aria-expanded", open); }
  async function copy(text, said) {
    try { await navigator.clipboard.writeText(text); } catch {
      const box = Object.assign(document.createElement("textarea"), { value: text });
      document.body.append(box); box.select(); document.execCommand("copy"); box.remove();
    }
    say(said);
  }
  const tasks = {
    theme: turn,
    keys: () => { const box = by("keys"); if (box.open) box.close(); else box.showModal(); },
    link: () => copy(location.href, "The link to this view is copied."),
    menu: () => press("menu", by("pages").classList.toggle("open")),
    help: () => {
      const shut = by("help").toggleAttribute("hidden");
      press("help", !shut);
      if (!shut) by("find").focus(); else document.querySelector('.tools [data-do="help"]').focus();
    },
  };
  function onKey(event) {
    const from = event.composedPath()[0];
    if (event.ctrlKey || event.metaKey || event.altKey || ["INPUT", "TEXTAREA", "SELECT"].includes(from.tagName) || from.isContentEditable) {
      if (event.key !== "Escape") return;
    }
    if (event.key === "?") tasks.keys();
    else if (event.key.toLowerCase() === "t" && !facts.keys?.includes("t")) turn();
    else if (event.key === "Escape") {
      hide();
      if (by("pages").classList.contains("open")) tasks.menu();
      else if (!by("help").hidden && !by("keys").open) tasks.help();
    } else return;
    if (event.key !== "Escape") event.preventDefault();
  }

  // ---- terms: a dotted word explains itself, beside it, on hovering, focus or tap
  const term = (event) => event.composedPath().find((e) => e.dataset && e.dataset.term !== undefined);
  function explain(word) {
    const of = (word.dataset.term || word.textContent).trim().toLowerCase(), said = facts.terms[of];
    const box = by("tip"), at = word.getBoundingClientRect();
    if (!said) return;
    box.innerHTML = "<b></b><span></span>";
    box.firstChild.textContent = of;
    box.lastChild.textContent = said;
    box.hidden = false;
    const right = at.right + 8 + box.offsetWidth < innerWidth;
    box.style.left = `${Math.max(8, right ? at.right + 8 : Math.min(at.left, innerWidth - box.offsetWidth - 8))}px`;
    box.style.top = `${Math.max(8, right ? Math.min(at.top - 4, innerHeight - box.offsetHeight - 8) : at.bottom + 6)}px`;
  }
  function hide() { clearTimeout(tip); if (by("tip")) by("tip").hidden = true; root.classList.add("pressed"); }
  function look(event) {
    const word = term(event);
    root.classList.remove("pressed");
    clearTimeout(tip);
    by("tip").hidden = true;
    if (word) tip = setTimeout(() => explain(word), event.type === "focusin" ? 0 : 600);
  }
  function search() {
    const asked = by("find").value.trim().toLowerCase(), list = document.createElement("dl");
    for (const [word, said] of Object.entries(facts.terms)) {
      if (!asked || !(word + " " + said.toLowerCase()).includes(asked)) continue;
      const name = document.createElement("dt"), what = document.createElement("dd");
      [name.textContent, what.textContent] = [word, said];
      if (word.startsWith(asked)) list.prepend(name, what); else list.append(name, what);
    }
    const found = asked && !list.children.length;
    by("terms").replaceChildren(found ? "No such word in the glossary." : list);
    for (const part of by("help").querySelectorAll(".guide > *")) part.hidden = asked && !part.textContent.toLowerCase().includes(asked);
  }

  // ---- where a visitor was, for Home
  function remember() {
    if (facts.slug && facts.slug !== "home" && facts.slug !== "help") {
      keep(LAST, JSON.stringify({ name: facts.name, slug: facts.slug, query: location.search, when: Date.now() }));
    }
  }
  function goOn() {
    const card = by("continue"), last = JSON.parse(kept(LAST) || "null");
    if (!card || !last || !/^[a-z0-9-]+$/.test(last.slug)) return;
    card.querySelector("strong").textContent = last.name;
    card.querySelector("time").textContent = new Date(last.when).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
    card.querySelector("a").href = last.slug + (last.query.startsWith("?") ? last.query : "");
    card.hidden = false;
  }

  document.addEventListener("DOMContentLoaded", () => {
    facts = JSON.parse(by("sl-facts")?.textContent || "{}");
    const head = document.querySelector(".head");
    if (!head) return;
    const fold = () => {
      head.classList.remove("folded");
      const pages = by("pages");
      head.classList.toggle("folded", pages.scrollWidth > pages.clientWidth + 1);
    };
    new ResizeObserver(fold).observe(head);
    head.addEventListener("click", (event) => tasks[event.target.closest("[data-do]")?.dataset.do]?.());
    by("help").addEventListener("click", (event) => tasks[event.target.closest("[data-do]")?.dataset.do]?.());
    by("keys").addEventListener("click", (event) => { if (event.target === by("keys")) by("keys").close(); });
    by("find").addEventListener("input", search);
    document.addEventListener("keydown", onKey);
    document.addEventListener("pointerdown", (event) => { hide(); const word = term(event); if (word) setTimeout(() => explain(word), 0); });
    document.addEventListener("pointerover", look);
    document.addEventListener("focusin", look);
    window.addEventListener("pagehide", remember);
    goOn();
  }, { once: true }); // Bokeh sends the event a second time
  window.solverlab = { turn, say, copy, repaint };
})();

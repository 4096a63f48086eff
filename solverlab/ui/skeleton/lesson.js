// The rail of lessons: a list, one lesson step by step, a teacher's own file. It lives in the frame, outside Panel's
// document, and drives the page by its real controls (lesson_page.js); the server only reads lesson files.
(() => {
  const KEPT = "solverlab-lessons", OWN = "solverlab-own-lesson", OPEN = "solverlab-open-lesson";
  const LARGEST = 64000, LOOK = 250, SOON = 5, PATIENCE = 90; // bytes; milliseconds between two looks; seconds until a wait is explained, and ended
  const hands = window.solverlabHands, by = (id) => document.getElementById(id);
  let facts = { lessons: [], index: {}, page: "" }, keys = [];
  let lesson = null, at = 0, kept = {}, guesses = {}, phase = "", held = 0, ticked = new Set(), busy = 0, timer = 0, aimed = null, since = 0, own = null;

  // ---- what the browser keeps
  let storage = true;
  function stored(box, name) { try { return box().getItem(name); } catch { storage = false; return null; } }
  function store(box, name, value) { try { if (value === null) box().removeItem(name); else box().setItem(name, value); } catch { storage = false; } }
  const here = () => localStorage, tab = () => sessionStorage;
  function parsed(text) { try { return JSON.parse(text ?? "null"); } catch { return null; } }
  const mine = () => own ??= parsed(stored(here, OWN)); // a teacher's lesson and its source
  function progress() { return parsed(stored(here, KEPT)) ?? {}; }
  const of = (slug) => { const one = progress()[slug]; return one && Number.isInteger(one.step) ? one : { step: -1, finished: false }; };
  function keep() {
    const finished = at >= lesson.steps.length || of(lesson.slug).finished;
    store(here, KEPT, JSON.stringify({ ...progress(), [lesson.slug]: { step: at, finished, kept, guesses } }));
  }

  // ---- small pieces of HTML
  function make(tag, settings = {}, ...inside) {
    const { html, ...rest } = settings, e = document.createElement(tag);
    for (const [name, value] of Object.entries(rest)) {
      if (name.startsWith("on")) e.addEventListener(name.slice(2), value);
      else if (value !== false && value !== null) e.setAttribute(name, value === true ? "" : value);
    }
    if (html !== undefined) { e.innerHTML = html; fill(e); } // escaped by the reader: prose.py
    e.append(...inside);
    return e;
  }
  const button = (words, press, look = "plain") => make("button", { type: "button", class: look, onclick: press }, words);
  function fill(e) { for (const out of e.querySelectorAll("output[data-read]")) out.textContent = hands.read(JSON.parse(out.dataset.read), kept)?.text ?? "…"; }
  function say(words) { by("lesson-said").textContent = words; }
  function wrong(words) { by("lesson-wrong").textContent = words; by("lesson-wrong").hidden = !words; }

  // ---- open and close
  const isOpen = () => !by("lessons").hidden;
  function turn(open = !isOpen()) {
    by("lessons").hidden = !open;
    document.documentElement.classList.toggle("taught", open);
    for (const one of document.querySelectorAll('[data-do="lessons"]')) one.setAttribute("aria-expanded", open);
    clearInterval(timer);
    aim(null);
    store(tab, OPEN, open ? lesson?.slug ?? "" : null);
    if (!open) return document.querySelector('.tools [data-do="lessons"]').focus();
    timer = setInterval(look, LOOK);
    draw();
    by("lessons").focus();
  }

  // ---- the list
  function list() {
    lesson = null;
    const items = facts.lessons.map((one) => make("li", {}, make("button", { type: "button", class: "choice", onclick: () => begin(one) },
      make("b", {}, one.title), make("small", {}, told(one)))));
    const given = mine()?.lesson;
    if (given?.page === facts.page) items.push(make("li", {}, make("button", { type: "button", class: "choice", onclick: () => begin(given) },
      make("b", {}, given.title), make("small", {}, `from your file · ${told(given)}`))));
    const file = make("input", { type: "file", accept: ".md,text/markdown,text/plain", hidden: true, onchange: () => fromFile(file) });
    by("lesson-title").textContent = "Lessons";
    by("lesson-small").textContent = items.length ? "on this page" : "None yet on this page.";
    by("lesson-bars").replaceChildren();
    by("lesson-body").replaceChildren(make("ul", { class: "shelf" }, ...items), elsewhere());
    by("lesson-foot").replaceChildren(button("Open a lesson file", () => file.click()), file, make("a", { href: "help?doc=lessons" }, "Write one"));
    aim(null);
  }
  function told(one) {
    const so = of(one.slug);
    return `${one.minutes} min · ${so.finished ? "done" : so.step < 0 ? `${one.steps.length} steps` : `step ${so.step + 1} of ${one.steps.length}`}`;
  }
  function elsewhere() {
    const others = Object.entries(facts.index).filter(([, one]) => one.page !== facts.page);
    return make("details", { class: "elsewhere" }, make("summary", {}, "Lessons of other pages"),
      make("ul", {}, ...others.map(([slug, one]) => make("li", {}, make("a", { href: `${one.page}?lesson=${slug}` }, one.title)))));
  }

  // ---- one lesson
  function begin(one) {
    lesson = one;
    const so = of(one.slug);
    [at, kept, guesses] = [-1, so.kept ?? {}, so.guesses ?? {}];
    store(tab, OPEN, one.slug);
    wrong("");
    enter(-1);
  }
  function enter(step) {
    [at, phase, held, busy, since] = [step, "", 0, busy + 1, performance.now()];
    ticked = new Set();
    if (at >= 0) keep();
    if (at >= 0 && at < lesson.steps.length) {
      const now = lesson.steps[at];
      phase = now.predict && !(at in guesses) ? "ask" : now.do ? "act" : now.check || now.predict ? "wait" : "done";
      if (now.predict && at in guesses && now.do) phase = "wait"; // asked before: what it did is done
      say(`Step ${at + 1} of ${lesson.steps.length}: ${now.title}`);
    }
    draw();
    const title = by("lesson-body").querySelector("[data-now]");
    if (title && by("lessons").contains(document.activeElement)) title.focus();
    title?.closest("li").scrollIntoView?.({ block: "nearest" });
  }
  function again() { [kept, guesses] = [{}, {}]; start(); }
  async function start() {
    const first = { do: lesson.start, check: lesson.ready ?? [] };
    wrong("");
    if (first.do.length) by("lesson-body").querySelector(".filled").disabled = true;
    if (await perform(first.do) && (await until(() => all(first.check), () => waiting(first.check)))) enter(0);
    else draw();
  }
  const all = (conditions) => (conditions ?? []).every((one) => hands.holds(one, kept));
  // Why a wait is so long: something the lesson reads is not there, or is not yet as it should be.
  function waiting(conditions) {
    const lost = conditions.map((one) => hands.missing(one, kept)).find((one) => one !== null);
    return lost ? `The page shows no ${lost} just now; if it is not at work, look for it, or press Skip.`
      : "The page is not yet as this lesson needs it; if it is not at work, start the lesson over, or press Skip.";
  }
  // After the page was loaded anew it begins at its beginning: what the earlier steps did is done again.
  async function goOn(step) {
    const before = lesson.steps.slice(0, step), last = before.findLast((one) => one.check);
    if (all(lesson.ready) && !last || last && all(last.check)) return enter(step);
    busy += 1;
    wrong("");
    by("lesson-body").replaceChildren(make("p", { class: "quiet waiting" }, `Bringing the page to step ${step + 1} …`));
    for (const one of [{ do: lesson.start, check: lesson.ready }, ...before]) {
      if (!(await perform(one.do ?? [])) || !(await until(() => all(one.check), () => waiting(one.check)))) return draw();
      await pause(LOOK);
      remember(one);
    }
    enter(step);
  }

  function draw() {
    if (!isOpen()) return;
    if (!lesson) return list();
    const steps = lesson.steps, so = of(lesson.slug);
    by("lesson-title").textContent = lesson.title;
    by("lesson-small").replaceChildren(make("button", { type: "button", class: "link", onclick: () => { list(); by("lessons").focus(); } }, "Lessons"),
      ` ${lesson.number ? `› ${lesson.number} ` : "› "}· ${lesson.minutes} minutes`);
    by("lesson-bars").replaceChildren(...steps.map((_, k) => make("i", { class: k < at ? "past" : k === at ? "now" : "" })));
    by("lesson-bars").setAttribute("aria-label", at < 0 ? `${steps.length} steps` : `${Math.min(at + 1, steps.length)} of ${steps.length} steps`);
    if (at < 0) opening(so);
    else if (at >= steps.length) ending();
    else by("lesson-body").replaceChildren(make("ol", { class: "steps" }, ...steps.map((step, k) => row(step, k))));
    const back = button("Back", () => enter(at - 1)), skip = button("Skip", () => enter(at + 1), "link");
    [back.disabled, skip.disabled] = [at < 0, at < 0 || at >= steps.length];
    by("lesson-foot").replaceChildren(back, skip, button("Share", share, "link"));
  }
  function opening(so) {
    const resume = so.step > 0 && !so.finished && so.step < lesson.steps.length;
    const buttons = resume ? [button(`Go on at step ${so.step + 1}`, () => goOn(so.step), "filled"), button("Start over", again)] : [button("Start", again, "filled")];
    by("lesson-body").replaceChildren(make("div", { class: "prose", html: lesson.html }), make("p", { class: "go" }, ...buttons),
      storage ? "" : make("p", { class: "quiet" }, "This browser keeps nothing, so how far you came is forgotten when you leave the page."));
  }
  function ending() {
    const next = facts.lessons.find((one) => !of(one.slug).finished);
    by("lesson-body").replaceChildren(make("div", { class: "prose", html: "<p><b>Done.</b> The page is yours; everything you set stays.</p>" }),
      make("p", { class: "go" }, next ? button(`Next: ${next.title}`, () => begin(next), "filled") : button("All lessons", list, "filled"), button("Once more", again)));
    say("The lesson is done.");
  }
  function row(step, k) {
    const last = k === lesson.steps.length - 1, now = k === at;
    const title = make("b", now ? { tabindex: -1, "data-now": true } : {}, step.title);
    const item = make("li", { class: k < at ? "past" : now ? "now" : "later", "aria-current": now ? "step" : false, "data-state": now ? phase : false },
      make("span", { class: "mark", "aria-hidden": "true" }, k < at ? "✓" : String(k + 1)), title);
    if (!now) return item;
    const body = make("div", { class: "prose", html: step.html });
    item.append(body);
    if (phase === "ask") body.append(question(step));
    else {
      if (step.predict && phase !== "done") body.append(make("p", { class: "quiet" }, `Your guess: ${guessed(step)}`));
      if (step.do && phase !== "done") body.append(tasks(step));
      if (phase === "wait") body.append(make("p", { class: "quiet waiting" }, "Waiting for the page …"));
    }
    if (phase === "done") body.append(...reveal(step), button(last ? "Finish" : "Next", () => enter(at + 1), "filled wide"));
    return item;
  }
  const spoken = (one) => one.press ? ["Press ", make("b", {}, one.press)] : one.set ? ["Set ", make("b", {}, one.set), " to ", make("b", {}, one.to)]
    : [make("button", { type: "button", class: "link", onclick: () => perform([one]) }, "Set the page up")];
  function tasks(step) {
    const items = step.do.map((one, k) => make("li", { class: ticked.has(k) ? "past" : "" }, ...spoken(one)));
    return make("div", { class: "tasks" }, make("ul", {}, ...items), button("Show me", showMe));
  }

  // ---- predicting
  function question(step) {
    const { ask, slider, choices } = step.predict, go = step.do ? "Lock in and see" : "Lock in";
    const box = make("div", { class: "ask" }, make("p", { class: "asked" }, ask));
    if (!slider) {
      box.append(...choices.map((one, k) => button(one.say, () => lock(k), "plain wide")));
      return box;
    }
    const middle = slider.from + Math.round((slider.to - slider.from) / slider.step / 2) * slider.step;
    const said = make("output", {}, words(middle, slider));
    const bar = make("input", { type: "range", min: slider.from, max: slider.to, step: slider.step, value: middle, "aria-label": ask,
      oninput: () => { said.textContent = words(Number(bar.value), slider); bar.setAttribute("aria-valuetext", said.textContent); } });
    box.append(make("p", { class: "guess" }, said, make("small", {}, "your guess")), bar,
      make("p", { class: "ends" }, make("small", {}, words(slider.from, slider)), make("small", {}, words(slider.to, slider))),
      button(go, () => lock(Number(bar.value)), "filled wide"));
    return box;
  }
  const words = (value, slider) => `${String(Number(value.toPrecision(4))).replace("-", "−")}${slider.unit ? ` ${slider.unit}` : ""}`;
  const guessed = (step) => step.predict.slider ? words(guesses[at], step.predict.slider) : step.predict.choices[guesses[at]]?.say;
  function lock(guess) {
    guesses = { ...guesses, [at]: guess };
    keep();
    const { do: tasked, check } = lesson.steps[at], todo = tasked && !all(check); // the learner may have pressed already
    [phase, held, since] = [todo ? "act" : "wait", 0, performance.now()];
    draw();
    if (todo) showMe();
  }
  function reveal(step) {
    const parts = [];
    if (step.predict && at in guesses) {
      const { slider, choices, truth } = step.predict, found = slider ? hands.read(truth, kept) : null;
      const right = slider ? null : choices.findIndex((one) => one.right || (one.if && hands.holds(one.if, kept)));
      const is = slider ? (found ? words(found.number, slider) : "not on the page") : choices[right]?.say ?? "not on the page";
      const near = slider ? found && Math.abs(found.number - guesses[at]) <= (slider.to - slider.from) / 10 : right === guesses[at];
      parts.push(make("p", { class: `verdict ${near ? "near" : "far"}` }, make("span", {}, "You: ", make("b", {}, guessed(step))),
        make("span", {}, slider ? "The page: " : "It is: ", make("b", { class: "truth" }, is)), make("em", {}, near ? (slider ? "Close." : "Right.") : "A surprise.")));
      say(`Your guess was ${guessed(step)}; ${is} is what came.`);
    } else if (step.check) parts.push(make("p", { class: "verdict near" }, make("em", {}, "✓ Done.")));
    if (step.after) parts.push(make("div", { html: step.after }));
    return parts;
  }

  // ---- doing and waiting
  const pause = (milliseconds) => new Promise((go) => setTimeout(go, milliseconds));
  async function until(test, problem) {
    const turn = busy, begun = performance.now();
    let told = false;
    while (!test()) {
      const waited = (performance.now() - begun) / 1000;
      if (turn !== busy || waited > PATIENCE) return false;
      if (!told && waited > SOON) { told = true; wrong(problem()); } // and wait on: it may come
      await pause(LOOK / 2);
    }
    if (told && turn === busy) wrong("");
    return turn === busy;
  }
  async function perform(actions, after = () => {}) {
    for (const [k, one] of actions.entries()) {
      const name = one.press ?? one.set ?? "link";
      if (!(await until(() => hands.ready(one), () => hands.control(one) ? `“${name}” cannot be used while the page is at work; wait, or press Skip.`
        : `There is no control “${name}” on this page just now; look for it, or press Skip.`))) return false;
      if (!hands.act(one)) { wrong(`“${name}” has no choice “${one.to}”; choose another yourself, or press Skip.`); return false; }
      after(k);
      await pause(LOOK);
    }
    return true;
  }
  async function showMe() {
    const left = lesson.steps[at].do.map((one, k) => [one, k]).filter(([, k]) => !ticked.has(k));
    busy += 1;
    wrong("");
    for (const one of by("lesson-body").querySelectorAll(".tasks button")) one.disabled = true;
    if (await perform(left.map(([one]) => one), (k) => ticked.add(left[k][1]))) [phase, since] = ["wait", performance.now()];
    draw();
  }
  function look() {
    if (!lesson || at < 0 || at >= lesson.steps.length) return aim(null);
    const step = lesson.steps[at];
    if (phase === "act" || phase === "wait") {
      held = all(step.check) ? held + 1 : 0;
      if (held > 1) finish(step); // twice, so that everything the page draws at once has come
      else if (phase === "wait" && !held && by("lesson-wrong").hidden && performance.now() > since + SOON * 1000) wrong(waiting(step.check));
    }
    const next = phase === "act" ? step.do?.findIndex((one, k) => !ticked.has(k) && !one.open) : -1;
    aim(next >= 0 ? hands.control(step.do[next]) : null);
  }
  function remember(step) { for (const { name, of: what } of step.keep ?? []) kept = { ...kept, [name]: hands.read(what, kept)?.text ?? null }; }
  function finish(step) {
    remember(step);
    [phase, busy] = ["done", busy + 1];
    keep();
    wrong("");
    draw();
    say(by("lesson-said").textContent || `Done: ${step.title}`);
  }
  function notice(event) {
    const step = lesson && isOpen() && phase === "act" ? lesson.steps[at] : null;
    const k = step ? step.do.findIndex((one, place) => !ticked.has(place) && !one.open && hands.was(one, event)) : -1;
    if (k >= 0) { ticked.add(k); draw(); }
  }

  // ---- the ring round the control that is meant
  function aim(control) {
    const ring = by("lesson-ring");
    if (!control) { ring.hidden = true; aimed = null; return; }
    if (control !== aimed) {
      aimed = control;
      control.scrollIntoView({ block: "center" });
      const covered = by("lessons").getBoundingClientRect(), box = control.getBoundingClientRect();
      if (covered.left <= box.left && box.bottom > covered.top) scrollBy(0, box.bottom - covered.top + 24); // a phone's sheet
    }
    const box = control.getBoundingClientRect();
    ring.hidden = false;
    Object.assign(ring.style, { left: `${box.left - 4}px`, top: `${box.top - 4}px`, width: `${box.width + 8}px`, height: `${box.height + 8}px` });
  }

  // ---- lessons from outside: a file, a link
  async function packed(text, stream) { return new Uint8Array(await new Response(new Blob([text]).stream().pipeThrough(stream)).arrayBuffer()); }
  async function unpacked(word) {
    const bytes = Uint8Array.from(atob(word.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0)), parts = [];
    const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
    for (let size = 0; ; ) {
      const { done, value } = await reader.read();
      if (done) return new Blob(parts).text();
      size += value.length;
      if (size > LARGEST) throw new Error("too large"); // before it fills the memory
      parts.push(value);
    }
  }
  async function inLink(source) {
    const bytes = await packed(source, new CompressionStream("deflate-raw"));
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  }
  async function share() {
    let link = `${location.origin}${location.pathname}?lesson=${lesson.slug}`;
    if (lesson.slug === "own" && mine()) link = `${location.origin}${location.pathname}#lesson=${await inLink(mine().source)}`;
    window.solverlab.copy(link, "The link to this lesson is copied.");
  }
  async function take(source) {
    let answer;
    try {
      answer = await fetch("lessons/read", { method: "POST", body: source, headers: { "Content-Type": "text/markdown" } });
    } catch { return wrong("The server does not answer, so the lesson was not read; try again."); }
    const told = await answer.json().catch(() => ({}));
    if (!answer.ok) return wrong(told.problem ?? "This server reads no lesson files; start it by “solverlab serve”.");
    own = { source, lesson: told };
    store(here, OWN, JSON.stringify(own));
    store(here, KEPT, JSON.stringify({ ...progress(), own: undefined }));
    if (told.page !== facts.page) { location.href = storage ? `${told.page}?lesson=own` : `${told.page}#lesson=${await inLink(source)}`; return; }
    begin(told);
  }
  async function fromFile(file) {
    const one = file.files[0];
    file.value = "";
    if (!one) return;
    if (one.size > LARGEST) return wrong(`The file has ${one.size.toLocaleString("en")} bytes; a lesson has at most ${LARGEST.toLocaleString("en")}.`);
    await take(await one.text());
  }
  async function fromLink() {
    const asked = new URLSearchParams(location.search).get("lesson"), packed = location.hash.match(/^#lesson=([\w-]+)$/)?.[1];
    if (packed) {
      turn(true);
      try { await take(await unpacked(packed)); } catch { wrong("The link's lesson is damaged or too large; ask for it again."); }
      return;
    }
    const slug = asked ?? stored(tab, OPEN);
    if (slug === null || slug === undefined) return;
    const one = slug === "own" && mine()?.lesson?.page === facts.page ? mine().lesson : facts.lessons.find((each) => each.slug === slug);
    if (asked === null && slug && !one) return; // another page's, left open in this tab
    lesson = null;
    turn(true);
    if (one) begin(one);
    else if (facts.index[slug]) wrong(`The lesson “${facts.index[slug].title}” belongs to another page; it is in the list below.`);
    else if (slug) wrong(`There is no lesson “${slug.slice(0, 40)}” here; choose one of these.`);
  }

  document.addEventListener("DOMContentLoaded", () => {
    if (!by("lessons")) return;
    facts = JSON.parse(by("sl-lessons").textContent);
    keys = JSON.parse(by("sl-facts").textContent).keys ?? [];
    document.querySelector(".head").addEventListener("click", (event) => { if (event.target.closest('[data-do="lessons"]')) turn(); });
    by("lesson-close").addEventListener("click", () => turn(false));
    document.addEventListener("click", notice, true);
    document.addEventListener("input", notice, true); // a change does not leave Bokeh's shadow roots, an input does
    document.addEventListener("scroll", () => aim(aimed), true);
    document.addEventListener("keydown", (event) => {
      const from = event.composedPath()[0];
      if (event.ctrlKey || event.metaKey || event.altKey || ["INPUT", "TEXTAREA", "SELECT"].includes(from.tagName)) return;
      if (event.key.toLowerCase() === "g" && !keys.includes("g")) turn();
      else if (event.key === "Escape" && by("lessons").contains(from)) turn(false);
    });
    fromLink();
  }, { once: true });
})();

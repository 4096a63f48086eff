// What Bokeh leaves unsaid to a screen reader: the names of slider handles and of the arrows of number boxes, and which
// button of a group is pressed. And where the keyboard is: Bokeh makes a button anew when its words change (Run, Pause),
// and whoever pressed it by keyboard would have to begin at the top of the page. Each shadow root looks after its own.
(() => {
  const words = (root) => (root.querySelector(".bk-slider-title, label")?.textContent ?? "").split(":")[0].trim();
  const told = (element, name, value) => { if (element.getAttribute(name) !== value) element.setAttribute(name, value); };
  const RULES = {
    ".noUi-handle": (handle, root) => told(handle, "aria-label", words(root) || "value"),
    ".bk-spin-btn-up": (arrow, root) => told(arrow, "aria-label", `more: ${words(root)}`),
    ".bk-spin-btn-down": (arrow, root) => told(arrow, "aria-label", `less: ${words(root)}`),
    ".bk-btn-group > .bk-btn": (button) => told(button, "aria-pressed", String(button.classList.contains("bk-active"))),
  };
  function name(root) {
    for (const [which, rule] of Object.entries(RULES)) for (const element of root.querySelectorAll(which)) rule(element, root);
  }
  function keepFocus(root) {
    let held = null; // by keyboard only: after a click, Space belongs to the page
    root.addEventListener("focusin", ({ target }) => { held = target.tagName === "BUTTON" && target.matches(":focus-visible") ? target : null; });
    // An element that is taken out loses the focus, too, and is not yet out when it is told so.
    root.addEventListener("focusout", ({ target }) => queueMicrotask(() => { if (target.isConnected && target === held) held = null; }));
    return () => {
      if (!held || held.isConnected) return;
      held = root.querySelector("button"); // still switched off, perhaps: then the next one made will take it
      if (document.activeElement === document.body) held?.focus({ focusVisible: true });
    };
  }
  const attach = Element.prototype.attachShadow;
  Element.prototype.attachShadow = function (options) {
    const root = attach.call(this, options), refocus = keepFocus(root);
    const look = new MutationObserver(() => { name(root); refocus(); });
    look.observe(root, { childList: true, subtree: true, attributes: true, attributeFilter: ["class"] });
    return root;
  };
})();

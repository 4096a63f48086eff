// A slider over recorded moments. Python places it; only a person's hand on it is reported back, so a moving range
// never looks like somebody dragging.

export default {
  render({ model, el }) {
    const label = el.appendChild(document.createElement("label"));
    label.className = "sl-scrub";
    const words = label.appendChild(document.createElement("span"));
    const slider = label.appendChild(document.createElement("input"));
    Object.assign(slider, { type: "range", min: 0, step: 1 });
    slider.setAttribute("data-lm-suppress-shortcuts", "true"); // arrow keys belong to the slider, not to the notebook
    let asked = 0;
    const place = () => {
      words.textContent = model.get("label");
      slider.title = model.get("help");
      slider.disabled = model.get("disabled");
      slider.max = Math.max(model.get("moments") - 1, 0);
      slider.value = model.get("index");
      slider.setAttribute("aria-valuetext", model.get("spoken"));
    };
    slider.addEventListener("input", () => {
      model.set("asked", { index: Number(slider.value), count: ++asked });
      model.save_changes();
    });
    slider.addEventListener("keydown", (event) => event.stopPropagation());
    model.on("change", place);
    place();
    return () => model.off("change", place);
  },
};

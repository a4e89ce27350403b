// What the console's pages do beyond what a browser does by itself: searching while somebody types, forms in their
// punctuation, a word before unsaved changes are lost, keys. Every page can be read, and nearly every one used, without.

const all = (selector, within = document) => [...within.querySelectorAll(selector)];
const later = (wait, act) => {
  let timer;
  return (...given) => { clearTimeout(timer); timer = setTimeout(act, wait, ...given); };
};
const digits = (text) => text.replace(/\D/g, "");

/* What cannot be asked for any more fades and says why, so that nothing old looks current: the session is over, or the
   program does not answer. */
function fade(shown, why) {
  refresh(shown);
  const said = Object.assign(document.createElement("p"), { className: "alert", textContent: document.body.dataset[why] });
  said.setAttribute("role", "alert");
  shown.classList.add("stale");
  shown.before(said);
}
function refresh(shown) {
  if (!shown.classList.contains("stale")) return;
  shown.classList.remove("stale");
  shown.previousElementSibling.remove();
}

// A piece of a page, to stand in the place of what is shown now; nothing where there is none, or it comes too late.
async function fetchPart(url, shown, signal) {
  try {
    const answer = await fetch(url, { headers: { "x-part": "1" }, signal });
    if (answer.status === 403) return fade(shown, "ended");
    if (answer.status >= 500) return fade(shown, "gone");
    const part = await answer.text();
    refresh(shown);
    return part;
  } catch (error) {
    if (error.name !== "AbortError") fade(shown, "gone");
  }
}

/* Copying: the buttons are there only where they work. */
function prepareCopying() {
  if (!navigator.clipboard) return;
  for (const button of all("[data-copy]")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(button.dataset.copy);
      const before = button.textContent;
      button.textContent = button.dataset.copied;
      setTimeout(() => { button.textContent = before; }, 1500);
    });
  }
}

/* Searching while somebody types: the newest answer counts, whatever order they come in. */
function prepareSearch(form) {
  const results = document.getElementById(form.dataset.live);
  // What is wrong with a filter comes with the results and stands beside its field.
  function draw(part) {
    results.innerHTML = part;
    all(".wrong", form).forEach((wrong) => wrong.remove());
    for (const field of all("[aria-invalid]", form)) {
      field.removeAttribute("aria-invalid");
      field.removeAttribute("aria-describedby");
    }
    for (const wrong of all("[data-beside]", results)) {
      const field = document.getElementById(wrong.dataset.beside);
      if (!field) continue;
      field.setAttribute("aria-invalid", "true");
      field.setAttribute("aria-describedby", wrong.id);
      field.after(wrong);
    }
  }
  let running = new AbortController();
  async function search() {
    const query = new URLSearchParams();
    for (const [name, value] of new FormData(form)) if (value.trim()) query.set(name, value);
    const url = query.size ? `${form.getAttribute("action")}?${query}` : form.getAttribute("action");
    running.abort();
    running = new AbortController();
    const part = await fetchPart(url, results, running.signal);
    if (part === undefined) return;
    draw(part);
    history.replaceState(null, "", url);
  }
  const soon = later(120, search);
  form.addEventListener("input", soon);
  form.addEventListener("change", soon);
  form.addEventListener("submit", (event) => { event.preventDefault(); search(); });
  // Who comes back to this tab sees what is there now, of the page of the list that was open.
  document.addEventListener("visibilitychange", async () => {
    if (document.hidden) return;
    const part = await fetchPart(location.href, results);
    if (part !== undefined && !results.contains(document.activeElement)) draw(part);
  });
}

/* One search over everything, below its field while somebody types. Without a script it has a page. */
function prepareEverywhere(form) {
  const input = form.querySelector("input"), found = form.querySelector(".found");
  if (!found.showPopover) return;
  const show = (open) => { if (open !== found.matches(":popover-open")) found.togglePopover(open); };
  let running = new AbortController();
  const look = later(120, async () => {
    const text = input.value.trim();
    running.abort();
    if (!text) return show(false);
    running = new AbortController();
    const part = await fetchPart(`${form.getAttribute("action")}?q=${encodeURIComponent(text)}`, found, running.signal);
    if (part !== undefined) found.innerHTML = part;
    show(form.contains(document.activeElement));
  });
  input.addEventListener("input", look);
  input.addEventListener("focus", () => { if (input.value.trim() && found.childElementCount) show(true); });
  form.addEventListener("focusout", ({ relatedTarget }) => { if (!form.contains(relatedTarget)) show(false); });
  // A click on what is no link keeps the field's focus, and so the list open.
  found.addEventListener("mousedown", (event) => { if (!event.target.closest("a")) event.preventDefault(); });
  form.addEventListener("keydown", (event) => {
    const links = [input, ...all("li a, .choices a", found)];
    const at = links.indexOf(document.activeElement);
    const to = { ArrowDown: Math.min(at + 1, links.length - 1), ArrowUp: Math.max(at - 1, 0) }[event.key];
    if (event.key === "Escape") { input.focus(); show(false); }
    else if (to === undefined || at < 0 || !found.matches(":popover-open")) return;
    else links[to].focus();
    event.preventDefault();
    event.stopPropagation();
  });
}

/* Punctuation that comes while the digits are typed. */
const groups = (text, pattern) => {
  let at = 0, out = "";
  for (const mark of pattern) {
    if (at >= text.length) break;
    out += mark === "#" ? text[at++] : mark;
  }
  return out + text.slice(at);
};
const masks = {
  "tax-id": (text) => {
    const bare = text.toUpperCase().replace(/[^0-9A-Z]/g, "");
    return bare.length <= 11 && !/[A-Z]/.test(bare) ? groups(bare, "###.###.###-##") : groups(bare, "##.###.###/####-##");
  },
  phone: (text) => {
    if (text.trim().startsWith("+")) return text;
    const bare = digits(text);
    return bare.length > 11 ? bare : groups(bare, bare.length === 11 ? "(##) #####-####" : "(##) ####-####");
  },
  cep: (text) => groups(digits(text), "#####-###"),
  process: (text) => (/[^\d.\-\s]/.test(text) || digits(text).length < 14 ? text : groups(digits(text), "#######-##.####.#.##.####")),
  day: (text) => (/^\d{4}-/.test(text) ? text : groups(digits(text), "##/##/####")),
  "iso-day": (text) => (text.includes("/") ? text : groups(digits(text), "####-##-##")),
  time: (text) => (text.includes(":") ? text : groups(digits(text), "##:##")),
  money: (text) => text.replace(/[^\d.,]/g, ""),
};
function prepareMask(input) {
  const mask = masks[input.dataset.mask];
  if (!mask) return;
  input.addEventListener("input", (event) => {
    // Who corrects something in the middle, or takes something away, is not interfered with.
    if (input.selectionStart !== input.value.length || event.inputType?.startsWith("delete")) return;
    const masked = mask(input.value);
    if (masked !== input.value) input.value = masked;
  });
  input.addEventListener("change", () => { input.value = mask(input.value); });
}

/* Unsaved changes: a word before they are lost. */
function prepareGuard(form) {
  const state = () => new URLSearchParams(new FormData(form)).toString();
  const before = state();
  const failed = form.querySelector("[role=alert]") !== null;
  let sent = false;
  form.addEventListener("submit", (event) => {
    if (sent) event.preventDefault();
    sent = true;
  });
  addEventListener("pageshow", () => { sent = false; });
  addEventListener("beforeunload", (event) => {
    if (!sent && (failed || state() !== before)) event.preventDefault();
  });
}

/* Records that another points to: found while somebody types, chosen by key or click (the combobox of ARIA's practices). */
function preparePicker(picker) {
  const input = picker.querySelector("input[type=text]");
  const chips = picker.querySelector(".chips");
  const { name } = input;
  const isOne = "one" in picker.dataset;
  const options = document.createElement("ul");
  Object.assign(options, { id: `${input.id}-options`, className: "options", hidden: true });
  options.setAttribute("role", "listbox");
  options.setAttribute("aria-label", picker.querySelector("label").textContent);
  picker.append(options);
  for (const [key, value] of [["role", "combobox"], ["aria-controls", options.id], ["aria-expanded", "false"], ["aria-autocomplete", "list"]]) {
    input.setAttribute(key, value);
  }
  input.placeholder = input.dataset.placeholder;

  // Of several, what is typed is looked for only. Of one it is sent where nothing is chosen: the server looks for it.
  // A filter is sent once it is chosen, and not with every letter.
  const isFilter = picker.closest("[data-live]") !== null;
  const settle = () => {
    const isChosen = chips.children.length > 0;
    input.hidden = isOne && isChosen;
    if (isChosen || isFilter || !isOne) input.removeAttribute("name"); else input.name = name;
  };
  const chip = (id, text) => {
    const item = document.createElement("li");
    const body = document.createElement("span");
    const link = Object.assign(document.createElement("a"), { href: `${picker.dataset.picker}/${id}`, textContent: text });
    const field = Object.assign(document.createElement("input"), { type: "hidden", name, value: id });
    const remove = Object.assign(document.createElement("button"), { type: "button", textContent: "×" });
    remove.setAttribute("aria-label", `${picker.dataset.remove} ${text}`);
    remove.addEventListener("click", () => {
      item.remove();
      settle();
      input.focus();
      picker.dispatchEvent(new Event("change", { bubbles: true }));
    });
    body.append(link, field, remove);
    item.append(body);
    return item;
  };
  const chosen = all("li", chips);
  for (const item of chosen) item.replaceWith(chip(item.dataset.id, item.dataset.name));
  if (chosen.length && isOne) input.value = "";
  // What came with the page and is no record's name stays what it is until somebody types.
  if ((isOne && !isFilter) || !input.value.trim()) settle();
  if (isFilter) input.addEventListener("input", settle);
  // A number that is put into the field takes the place of what was chosen.
  input.addEventListener("change", () => {
    if (isOne && input.hidden && input.value) { chips.replaceChildren(); settle(); }
  });

  const show = (open) => { options.hidden = !open; input.setAttribute("aria-expanded", String(open)); };
  const mark = (at) => {
    const items = all("[data-id]", options);
    items.forEach((item, here) => item.setAttribute("aria-selected", String(here === at)));
    if (items[at]) input.setAttribute("aria-activedescendant", items[at].id);
    else input.removeAttribute("aria-activedescendant");
  };
  const marked = () => all("[data-id]", options).findIndex((item) => item.getAttribute("aria-selected") === "true");
  const choose = (item) => {
    if (!all("input", chips).some((field) => field.value === item.dataset.id)) chips.append(chip(item.dataset.id, item.dataset.name));
    input.value = "";
    show(false);
    settle();
    if (isOne) chips.querySelector("button").focus(); else input.focus();
    picker.dispatchEvent(new Event("change", { bubbles: true }));
  };
  const look = later(120, async () => {
    const text = input.value.trim();
    if (!text) return show(false);
    const part = await fetchPart(`${picker.dataset.picker}/pick?q=${encodeURIComponent(text)}`, options);
    if (part === undefined || input.value.trim() !== text) return;
    options.innerHTML = part;
    all("li", options).forEach((item, at) => { item.id = `${options.id}-${at}`; });
    mark(0);
    show(true);
  });
  input.addEventListener("input", look);
  input.addEventListener("blur", later(150, () => show(false)));
  options.addEventListener("mousedown", (event) => {
    event.preventDefault();
    const item = event.target.closest("[data-id]");
    if (item) choose(item);
  });
  input.addEventListener("keydown", (event) => {
    const items = all("[data-id]", options);
    if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      if (!options.hidden && items[marked()]) choose(items[marked()]);
    } else if (event.key === "Escape" && !options.hidden) {
      event.stopPropagation();
      show(false);
    } else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && !options.hidden && items.length) {
      event.preventDefault();
      mark((marked() + (event.key === "ArrowDown" ? 1 : items.length - 1)) % items.length);
    }
  });
}

/* Of two values the other one. */
function prepareTaking(button) {
  button.hidden = false;
  button.addEventListener("click", () => {
    const field = document.getElementById(button.dataset.into);
    if (!field) return;
    field.value = button.dataset.take;
    field.dispatchEvent(new Event("change", { bubbles: true }));
    field.focus();
  });
}

/* Keys. None is a lone letter, so that nothing happens to who dictates or slips. */
function prepareKeys() {
  const search = () => document.getElementById("q");
  const everywhere = document.getElementById("everywhere");
  const follow = (selector) => { const link = document.querySelector(selector); link?.click(); return Boolean(link); };
  document.addEventListener("keydown", (event) => {
    const control = event.ctrlKey || event.metaKey;
    const rows = all("[data-rows] tbody a");
    const at = rows.indexOf(document.activeElement);
    const inSearch = search() && document.activeElement === search();
    let done = true;
    if (control && event.code === "KeyK") {
      everywhere?.focus();
      everywhere?.select();
    } else if (control && (event.key === "Enter" || event.code === "KeyS")) {
      const form = document.querySelector("form.record");
      if (form) form.requestSubmit(); else done = event.code === "KeyS";
    } else if (event.altKey && event.code === "KeyN") done = follow("[data-new]");
    else if (event.altKey && event.code === "KeyE") done = follow("[data-edit]");
    else if (event.key === "ArrowDown" && rows.length && (inSearch || at >= 0)) rows[Math.min(at + 1, rows.length - 1)].focus();
    else if (event.key === "ArrowUp" && at > 0) rows[at - 1].focus();
    else if (event.key === "ArrowUp" && at === 0 && search()) search().focus();
    else done = false;
    if (done) event.preventDefault();
  });
}

/* What is under way is looked at again in its place, so that nobody is torn from what they stand on; once it is through, the
   page has something else to say. */
function prepareWaiting(shown) {
  const wait = later(1000, async () => {
    const page = await fetchPart(location.href, shown);
    if (page === undefined) return wait();
    const next = new DOMParser().parseFromString(page, "text/html").querySelector("[data-again]");
    if (!next) return location.reload();
    shown.replaceChildren(...next.childNodes);
    wait();
  });
  wait();
}

/* What only its page waits for ends when that is left. */
function prepareLeaving(form) {
  addEventListener("pagehide", () => navigator.sendBeacon(form.action, new URLSearchParams(new FormData(form))));
}

prepareCopying();
prepareKeys();
all("[data-again]").forEach(prepareWaiting);
all("form[data-leave]").forEach(prepareLeaving);
all("form[data-live]").forEach(prepareSearch);
all("form.everywhere").forEach(prepareEverywhere);
all("[data-mask]").forEach(prepareMask);
all("form[data-guard]").forEach(prepareGuard);
all("[data-picker]").forEach(preparePicker);
all("[data-take]").forEach(prepareTaking);
// What was done is said once: not again when the page is read anew.
if (document.querySelector("[data-done]")) {
  const url = new URL(location);
  url.searchParams.delete("done");
  history.replaceState(null, "", url);
}

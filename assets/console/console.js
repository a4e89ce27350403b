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
    const chosen = new Set(all("[name=chosen]:checked", results).map((box) => box.value));
    results.innerHTML = part;
    for (const box of all("td.tick [name=chosen]", results)) box.checked = chosen.has(box.value);
    showChosen();
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
    const url = [form.getAttribute("action"), String(query)].filter(Boolean).join("?");
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
  // Enter in the search field opens the only record that is found.
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const typed = document.activeElement === form.elements.q && form.elements.q.value.trim();
    await search();
    const rows = all("[data-rows] tbody tr", results);
    if (typed && rows.length === 1) rows[0].querySelector("a").click();
  });
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
  // Never an empty box: of a first search that fails, only the sentence about it stands below the field.
  const show = (open) => { found.hidden = !open || !found.childElementCount; };
  let running = new AbortController();
  const look = later(120, async () => {
    const text = input.value.trim();
    running.abort();
    if (!text) return show(false);
    const { signal } = running = new AbortController();
    const part = await fetchPart(`${form.getAttribute("action")}?q=${encodeURIComponent(text)}`, found, signal);
    if (signal.aborted) return;
    if (part !== undefined) found.innerHTML = part;
    show(form.contains(document.activeElement));
  });
  input.addEventListener("input", look);
  input.addEventListener("focus", () => { if (input.value.trim()) show(true); });
  form.addEventListener("focusout", ({ relatedTarget }) => { if (!form.contains(relatedTarget)) show(false); });
  // A click keeps the field's focus, and so the list open: in Safari on a Mac a link that is clicked takes no focus.
  found.addEventListener("mousedown", (event) => event.preventDefault());
  form.addEventListener("keydown", (event) => {
    const links = [input, ...all("li a, .choices a", found)];
    const at = links.indexOf(document.activeElement);
    const to = { ArrowDown: Math.min(at + 1, links.length - 1), ArrowUp: Math.max(at - 1, 0) }[event.key];
    if (event.key === "Escape") { input.focus(); show(false); }
    else if (to === undefined || at < 0 || found.hidden) return;
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
  // A word for a day, or one without its zeros, stays what it is: the server knows what it means.
  day: (text) => (/^\d{0,2}$|^\d\d[\d/]*$/.test(text) && !/^\d{1,2}\/\d{1,2}\/\d*$/.test(text) ? groups(digits(text), "##/##/####") : text),
  "iso-day": (text) => (/[^\d-]/.test(text) ? text : groups(digits(text), "####-##-##")),
  time: (text) => (/\D/.test(text) ? text : groups(text, "##:##")),
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

/* A form that is sent gives its key to the address, by which Back shows what happened to it. */
function prepareKey(key) {
  key.form.addEventListener("submit", () => history.replaceState(null, "", `${location.pathname}?form=${key.value}`));
}

/* Back never shows what is over: a page that the browser kept in memory is read anew, and stands where it stood. */
function prepareBack() {
  addEventListener("pageshow", ({ persisted }) => {
    if (!persisted) return;
    document.documentElement.style.visibility = "hidden";
    location.reload();
  });
  // Firefox and WebKit forget the place of a page with a field that takes the focus, and scroll to that field.
  const before = history.state?.scroll;
  if (before) {
    document.querySelector("[autofocus]")?.focus({ preventScroll: true });
    addEventListener("load", () => requestAnimationFrame(() => scrollTo(0, before)));
  }
  addEventListener("scroll", later(100, () => history.replaceState({ scroll: scrollY }, "")), { passive: true });
}

/* A new record takes over what the chosen one says, such as its responsible, in fields that nobody has touched. */
async function begin(form, name, id) {
  const page = await fetchPart(`${location.pathname}?${new URLSearchParams({ [name]: id })}`, form);
  const begun = page && new DOMParser().parseFromString(page, "text/html").querySelector("form.record");
  if (!begun) return;
  const isAsItCame = (field) => [...field.options ?? [field]].every((one) =>
    ("defaultSelected" in one ? one.selected === one.defaultSelected || !one.value : one.checked === one.defaultChecked && one.value === one.defaultValue));
  const touched = new Set([...form.elements].filter((field) => field.name && !isAsItCame(field)).map((field) => field.name));
  for (const field of form.elements) {
    if (!field.name || field.name === name || field.type === "hidden" || touched.has(field.name)) continue;
    const theirs = [...begun.elements].find((one) => one.name === field.name && one.type === field.type && (one.type !== "checkbox" || one.value === field.value));
    if (!theirs) continue;
    if (field.type === "checkbox") field.checked = theirs.checked; else field.value = theirs.value;
  }
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
    if (isOne && !isFilter && location.pathname.endsWith("/new")) begin(picker.closest("form"), name, item.dataset.id);
  };
  const look = later(120, async () => {
    const text = input.value.trim();
    if (!text) return show(false);
    const asked = new URLSearchParams({ q: text, not: picker.dataset.not ?? "" });
    const part = await fetchPart(`${picker.dataset.picker}/pick?${asked}`, options);
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
    if (field.type === "checkbox") field.checked = button.dataset.take === "true";
    else field.value = button.dataset.take;
    field.dispatchEvent(new Event("change", { bubbles: true }));
    field.focus();
  });
}

/* The browser's own calendar beside a field for a day. */
function prepareCalendar(button) {
  const field = button.previousElementSibling, calendar = button.nextElementSibling;
  if (!calendar.showPicker) return;
  button.hidden = false;
  const iso = "iso" in calendar.dataset;
  const turned = (text, mark, other) => text.split(mark).reverse().join(other);
  button.addEventListener("click", () => {
    calendar.value = iso ? field.value : turned(field.value, "/", "-");
    calendar.showPicker();
  });
  calendar.addEventListener("change", () => {
    field.value = iso ? calendar.value : turned(calendar.value, "-", "/");
    field.dispatchEvent(new Event("change", { bubbles: true }));
    field.focus();
  });
}

/* The instalments of a form, made anew while it is said how many there are, of how much and from when. */
function prepareParts(shown) {
  const form = shown.closest("form");
  const names = ["installments", "amount", "date_due", "amount_is", "remainder"];
  let running = new AbortController();
  const look = later(150, async () => {
    running.abort();
    running = new AbortController();
    const typed = new FormData(form);
    const query = new URLSearchParams(names.map((name) => [name, typed.get(name) ?? ""]));
    const part = await fetchPart(`${shown.dataset.parts}?${query}`, shown, running.signal);
    if (part !== undefined) shown.innerHTML = part;
  });
  for (const event of ["input", "change"]) {
    form.addEventListener(event, ({ target }) => { if (names.includes(target.name)) look(); });
  }
  // Their sum follows what is changed in them.
  shown.addEventListener("input", () => {
    const amount = ({ value }) => Number(value.includes(",") ? value.replaceAll(".", "").replace(",", ".") : value);
    const sum = all("[name^=amount-]", shown).reduce((sum, field) => sum + amount(field), 0);
    const total = shown.querySelector("[data-total]");
    const digits = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
    if (total) total.textContent = Number.isNaN(sum) ? "?" : sum.toLocaleString(document.documentElement.lang, digits);
  });
}

/* Categories follow the type: those of the other one are not offered. */
function prepareCategories(type) {
  const categories = type.form.querySelector("select[name=categories_id]");
  if (!categories) return;
  const follow = () => {
    for (const group of all("optgroup", categories)) group.hidden = group.disabled = Boolean(type.value) && group.dataset.of !== type.value;
    const chosen = categories.selectedOptions[0]?.closest("optgroup");
    if (chosen?.disabled) categories.value = categories.querySelector("optgroup:not([disabled]) option")?.value ?? "";
  };
  type.addEventListener("change", follow);
  follow();
}

const bringsFiles = (event) => [...event.dataTransfer?.types ?? []].includes("Files");

/* A file that is too large is told so before it is sent, and the form stays as it is. */
const tooLarge = (file, { most, large }) => (file && file.size > Number(most) ? large : "");
function prepareFile(input) {
  const check = () => {
    const why = tooLarge(input.files[0], input.dataset);
    input.parentElement.querySelector(".wrong")?.remove();
    input.toggleAttribute("aria-invalid", Boolean(why));
    if (!why) return true;
    input.setAttribute("aria-invalid", "true");
    input.setAttribute("aria-describedby", "e-file");
    const said = Object.assign(document.createElement("p"), { className: "wrong", id: "e-file", textContent: why });
    said.setAttribute("role", "alert");
    input.after(said);
    return false;
  };
  input.addEventListener("change", check);
  input.form.addEventListener("submit", (event) => {
    if (check()) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    input.focus();
  }, { capture: true });
}

/* Files that are dropped on a record's page, or chosen there, are sent one after the other; each says what became of it. */
function prepareDrop(form) {
  const input = form.querySelector("[type=file]"), list = form.querySelector("ul"), { dataset, action } = form;
  let before = Promise.resolve();
  form.hidden = false;
  const send = (file, item, bar) => new Promise((done) => {
    const say = (isStored, text, href) => {
      bar.remove();
      item.className = isStored ? "stored" : "refused";
      const said = document.createElement(href ? "a" : "span");
      if (href) said.href = href;
      said.textContent = text;
      item.append(": ", said);
      done();
    };
    const body = new FormData(form), request = new XMLHttpRequest();
    body.set("file", file);
    request.open("POST", action);
    request.responseType = "document";
    request.upload.addEventListener("progress", ({ loaded, total }) => { bar.value = loaded / total; });
    request.addEventListener("error", () => say(false, document.body.dataset.gone));
    request.addEventListener("load", () => {
      const page = request.response, stored = /^(.*\/\d+)\?done=/.exec(request.responseURL);
      const text = (selector) => page?.querySelector(selector)?.textContent.trim();
      if (stored) say(true, [text(".done") ?? dataset.stored, text("[data-same]")].filter(Boolean).join(" "), stored[1]);
      else say(false, text("#e-file") ?? text("main .wrong") ?? text(".notice p") ?? dataset.refused);
    });
    request.send(body);
  });
  const take = (files) => {
    for (const file of files) {
      const item = document.createElement("li"), bar = document.createElement("progress");
      item.append(file.name, bar);
      bar.value = 0;
      bar.setAttribute("aria-label", file.name);
      list.append(item);
      const why = tooLarge(file, dataset);
      if (why) {
        bar.remove();
        item.className = "refused";
        item.append(": ", why);
        continue;
      }
      // A folder, or a file that is gone, cannot be read.
      before = before.then(() => file.slice(0, 1).arrayBuffer()).then(() => send(file, item, bar), () => {
        bar.remove();
        item.className = "refused";
        item.append(": ", dataset.unread);
      });
    }
  };
  input.addEventListener("change", () => { take([...input.files]); input.value = ""; });
  for (const name of ["dragenter", "dragover"]) document.addEventListener(name, (event) => {
    if (!bringsFiles(event)) return;
    event.preventDefault();
    form.classList.add("over");
  });
  document.addEventListener("dragleave", ({ relatedTarget }) => { if (!relatedTarget) form.classList.remove("over"); });
  document.addEventListener("drop", (event) => {
    if (!bringsFiles(event)) return;
    event.preventDefault();
    form.classList.remove("over");
    take([...event.dataTransfer.files]);
    form.scrollIntoView({ block: "nearest" });
  });
}

/* A file that is dropped on a form for one is chosen by that; on any other form it does not take the page away. */
function prepareDropOnForm(form) {
  const input = form.querySelector("[type=file]");
  document.addEventListener("dragover", (event) => { if (bringsFiles(event)) event.preventDefault(); });
  document.addEventListener("drop", (event) => {
    if (!bringsFiles(event)) return;
    event.preventDefault();
    if (!input) return;
    input.files = event.dataTransfer.files;
    input.dispatchEvent(new Event("change", { bubbles: true }));
  });
}

/* Rows are chosen by a click, or by space on a row; with shift all from the last one on. */
function showChosen() {
  const boxes = all("td.tick [name=chosen]"), chosen = boxes.filter((box) => box.checked).length;
  const page = document.querySelector("[data-choose]");
  if (page) Object.assign(page, { hidden: false, checked: chosen > 0 && chosen === boxes.length, indeterminate: chosen > 0 && chosen < boxes.length });
  const said = document.querySelector("form.chosen output"), rest = document.querySelector("form.chosen [name=everything]");
  if (rest && !chosen) rest.checked = false;
  if (said) said.textContent = rest?.checked ? said.dataset.many.replace("#", rest.dataset.total) : chosen === 1 ? said.dataset.one : said.dataset.many.replace("#", chosen);
}
function prepareChoosing() {
  let last, shift = false;
  const choose = (box, isRange) => {
    const boxes = all("td.tick [name=chosen]"), [from, to] = [boxes.indexOf(last), boxes.indexOf(box)].sort((one, other) => one - other);
    if (isRange && from >= 0) for (const between of boxes.slice(from, to + 1)) between.checked = box.checked;
    last = box;
  };
  document.addEventListener("click", (event) => {
    const box = event.target;
    if (box.matches?.("[data-choose]")) for (const row of all("td.tick [name=chosen]")) row.checked = box.checked;
    else if (box.matches?.("td.tick [name=chosen]")) choose(box, shift);
    else if (!box.matches?.("form.chosen [name=everything]")) return;
    showChosen();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== " ") return;
    shift = event.shiftKey;
    const box = document.activeElement.matches("[data-rows] tbody a") && document.activeElement.closest("tr").querySelector("[name=chosen]");
    if (!box) return;
    event.preventDefault();
    box.click();
  });
  document.addEventListener("mousedown", (event) => {
    shift = event.shiftKey;
    // A label that is clicked with shift selects no text.
    if (shift && event.target.closest?.("td.tick")) event.preventDefault();
  });
  addEventListener("pageshow", showChosen);
  showChosen();
}

/* Keys. None is a lone letter, so that nothing happens to who dictates or slips. */
function prepareKeys() {
  const search = () => document.getElementById("q");
  const everywhere = document.getElementById("everywhere");
  // A hit of the search over everything can be corrected at once.
  const editHit = () => {
    const { activeElement: at } = document;
    const hit = at === everywhere ? document.querySelector(".everywhere .found li a") : at.closest(".everywhere .found li a");
    if (!hit || !/\/\d+$/.test(hit.pathname)) return false;
    location.assign(`${hit.pathname}/edit`);
    return true;
  };
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
      const form = document.activeElement.closest("main form[method=post]") ?? document.querySelector("form.record, form.entry.new");
      if (form) form.requestSubmit(form.querySelector("button.main, button.danger")); else done = event.code === "KeyS";
    } else if (event.altKey && event.code === "KeyN") done = follow("[data-new]");
    else if (event.altKey && event.code === "KeyE") done = editHit() || follow("[data-edit]");
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

prepareBack();
prepareCopying();
prepareKeys();
prepareChoosing();
all("[type=file][data-most]").forEach(prepareFile);
all("form.drop").forEach(prepareDrop);
all("form[data-guard]").forEach(prepareDropOnForm);
all("[data-again]").forEach(prepareWaiting);
all("form[data-leave]").forEach(prepareLeaving);
all("form[data-live]").forEach(prepareSearch);
all("form.everywhere").forEach(prepareEverywhere);
all("[data-mask]").forEach(prepareMask);
all("form[data-guard]").forEach(prepareGuard);
all("[name=form]").forEach(prepareKey);
all("[data-picker]").forEach(preparePicker);
all("[data-take]").forEach(prepareTaking);
all("[data-parts]").forEach(prepareParts);
all("form.record select[name=entry_type]").forEach(prepareCategories);
all("[data-calendar]").forEach(prepareCalendar);
// What was done is said once: not again when the page is read anew.
if (document.querySelector("[data-done]")) {
  const url = new URL(location);
  url.searchParams.delete("done");
  history.replaceState(null, "", url);
}

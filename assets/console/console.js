// Script of the console's pages: search as you type, punctuation of typed values, a warning before unsaved changes are
// lost, keyboard shortcuts. Without it, every page can be read, and nearly every page can be used.

const all = (selector, within = document) => [...within.querySelectorAll(selector)];
const later = (wait, act) => {
  let timer;
  return (...given) => { clearTimeout(timer); timer = setTimeout(act, wait, ...given); };
};
const digits = (text) => text.replace(/\D/g, "");

/* Fades content that can no longer be updated, and shows the reason, so that old data does not look current: the session
   has ended, or the program does not answer. */
function fade(shown, reason) {
  refresh(shown);
  const message = Object.assign(document.createElement("p"), { className: "alert", textContent: document.body.dataset[reason] });
  message.setAttribute("role", "alert");
  shown.classList.add("stale");
  shown.before(message);
}
function refresh(shown) {
  if (!shown.classList.contains("stale")) return;
  shown.classList.remove("stale");
  shown.previousElementSibling.remove();
}

/* Says so if the office cannot be reached, before a link or a form leaves the page for the browser's error page and takes
   with it what is typed. A link asks only if the last answer is some time ago, or the browser believes that it is offline:
   without a network, the office's own machine still answers. A form that writes always asks. */
const RECENT = 30_000, PATIENCE = 4_000;
let contact = Date.now(), away;
const isDoubtful = () => away || !navigator.onLine || Date.now() - contact > RECENT;
async function isReachable() {
  try {
    await fetch("/health", { method: "HEAD", cache: "no-store", signal: AbortSignal.timeout(PATIENCE) });
    contact = Date.now();
    away?.remove();
    away = undefined;
  } catch {
    if (!away) {
      away = Object.assign(document.createElement("p"), { className: "alert away", textContent: document.body.dataset.away });
      away.setAttribute("role", "alert");
      document.body.append(away);
    }
    again();
  }
  return !away;
}
const look = () => { if (!document.hidden && isDoubtful()) isReachable(); };
const again = later(PATIENCE, look);
function prepareReaching() {
  const asking = new Set(), reached = new Set();
  addEventListener("offline", look);
  document.addEventListener("visibilitychange", look);
  // Before the form's own handlers, which take a form as sent.
  document.addEventListener("submit", async (event) => {
    const { target: form, submitter } = event;
    if (form.matches("[data-live], .everywhere") || reached.delete(form) || form.method !== "post" && !isDoubtful()) return;
    event.preventDefault();
    event.stopPropagation();
    if (asking.has(form)) return;
    asking.add(form);
    if (await isReachable()) {
      reached.add(form);
      form.requestSubmit(submitter);
    }
    asking.delete(form);
  }, { capture: true });
  document.addEventListener("click", async (event) => {
    const link = event.target.closest?.("a[href]");
    const isElsewhere = !link || link.target || link.origin !== location.origin || link.getAttribute("href").startsWith("#");
    if (isElsewhere || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || !isDoubtful()) return;
    event.preventDefault();
    if (await isReachable()) link.click();
  });
}

/* Says for what a form waits that is not answered within two seconds. */
function prepareLongWrites() {
  document.addEventListener("submit", (event) => {
    const { target: form } = event;
    if (event.defaultPrevented || form.method !== "post") return;
    setTimeout(async () => {
      const answer = await fetch("/console/waiting", { headers: { "x-part": "1" } });
      const text = answer.ok ? await answer.text() : "";
      if (!text) return;
      const waiting = document.createElement("div");
      waiting.setAttribute("role", "status");
      waiting.innerHTML = text;
      form.append(waiting);
    }, 2000);
  });
}

// Fetches a fragment of a page that replaces `shown`. Returns `undefined` if there is an error or the request is aborted.
async function fetchPart(url, shown, signal) {
  try {
    const answer = await fetch(url, { headers: { "x-part": "1" }, signal });
    contact = Date.now();
    if (answer.status === 403) return fade(shown, "ended");
    if (answer.status >= 500) return fade(shown, "gone");
    const part = await answer.text();
    refresh(shown);
    return part;
  } catch (error) {
    if (error.name !== "AbortError") fade(shown, "gone");
  }
}

/* Shows the copy buttons if a clipboard is available. */
function prepareCopying() {
  if (!navigator.clipboard) return;
  for (const button of all("[data-copy]")) {
    button.hidden = false;
    const label = button.textContent;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(button.dataset.copy);
      button.textContent = button.dataset.copied;
      setTimeout(() => { button.textContent = label; }, 1500);
    });
  }
}

/* Search as you type. A new request aborts the one before, so that only the newest answer is shown. */
function prepareSearch(form) {
  const results = document.getElementById(form.dataset.live);
  // The results contain the errors of the filters; each one moves to its field.
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
    history.replaceState(history.state, "", url);
  }
  const soon = later(120, search);
  form.addEventListener("input", soon);
  form.addEventListener("change", soon);
  // Enter in the search field opens the record if only one is found.
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const typed = document.activeElement === form.elements.q && form.elements.q.value.trim();
    await search();
    const rows = all("[data-rows] tbody tr", results);
    if (typed && rows.length === 1) rows[0].querySelector("a").click();
  });
  // When the tab becomes visible again, the current page of the list is updated.
  document.addEventListener("visibilitychange", async () => {
    if (document.hidden) return;
    const part = await fetchPart(location.href, results);
    if (part !== undefined && !results.contains(document.activeElement)) draw(part);
  });
}

/* Global search: shows results below its field as you type. Without a script, it has a page of its own. */
function prepareEverywhere(form) {
  const input = form.querySelector("input"), found = form.querySelector(".found");
  // An empty box is never shown: if the first search fails, only the error message appears below the field.
  const show = (open) => { found.hidden = !open || !found.childElementCount; };
  let running = new AbortController();
  const look = later(120, async () => {
    const text = input.value.trim();
    running.abort();
    if (!text) return show(false);
    const { signal } = running = new AbortController();
    const part = await fetchPart(`${form.getAttribute("action")}?q=${encodeURIComponent(text)}`, found, signal);
    if (signal.aborted) return;
    // A late answer must not take away the link that the arrow keys have reached.
    if (part !== undefined && !found.contains(document.activeElement)) found.innerHTML = part;
    show(form.contains(document.activeElement));
  });
  input.addEventListener("input", look);
  input.addEventListener("focus", () => { if (input.value.trim()) show(true); });
  form.addEventListener("focusout", ({ relatedTarget }) => { if (!form.contains(relatedTarget)) show(false); });
  // Keeps the focus in the field on a click, so that the list stays open: Safari on macOS does not focus a clicked link.
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

/* Inserts punctuation while digits are typed. */
const groups = (text, pattern) => {
  let at = 0, out = "";
  for (const mark of pattern) {
    if (at >= text.length) break;
    out += mark === "#" ? text[at++] : mark;
  }
  return out + text.slice(at);
};
// The number of a deadline that was typed as one, such as `120 dias`, and got the slashes of a day.
const NUMBER_OF_DAYS = /^[\d/]+(?=\s*[(cdw])/i;
const masks = {
  "tax-id": (text) => {
    const bare = text.toUpperCase().replace(/[^0-9A-Z]/g, "");
    return bare.length <= 11 && !/[A-Z]/.test(bare) ? groups(bare, "###.###.###-##") : groups(bare, "##.###.###/####-##");
  },
  // Foreign numbers, and those of companies (0800 123 4567, 4004-1234), stay as typed.
  phone: (text) => {
    const bare = digits(text);
    if (/^\s*\+|^0/.test(text) || bare.length < 10 || bare.length > 11) return text;
    return groups(bare, bare.length === 11 ? "(##) #####-####" : "(##) ####-####");
  },
  cep: (text) => groups(digits(text), "#####-###"),
  // Other numbers than those of the CNJ, which have 20 digits, stay as typed.
  process: (text) => (/[^\d.\-\s]/.test(text) || digits(text).length !== 20 ? text : groups(digits(text), "#######-##.####.#.##.####")),
  // A day in words, or one without leading zeros, stays unchanged: the server parses it.
  day: (text) => (NUMBER_OF_DAYS.test(text) ? text.replace(NUMBER_OF_DAYS, digits) : /^\d{0,2}$|^\d\d[\d/]*$/.test(text) && !/^\d{1,2}\/\d{1,2}\/\d*$/.test(text) ? groups(digits(text), "##/##/####") : text),
  "iso-day": (text) => (/[^\d-]/.test(text) ? text : groups(digits(text), "####-##-##")),
  // Three digits may be a whole time, such as 930 or 930h.
  time: (text) => (/^\d{4}$/.test(text) ? groups(text, "##:##") : text),
  // Text that is not an amount stays unchanged: the server refuses it.
  money: (text) => {
    const bare = text.replace(/R\$|\s/g, "");
    return /[^\d.,]/.test(bare) ? text : bare;
  },
};
function prepareMask(input) {
  const mask = masks[input.dataset.mask];
  if (!mask) return;
  input.addEventListener("input", (event) => {
    // Edits in the middle and deletions stay as typed.
    if (input.selectionStart !== input.value.length || event.inputType?.startsWith("delete")) return;
    const masked = mask(input.value);
    if (masked !== input.value) input.value = masked;
  });
  input.addEventListener("change", () => { input.value = mask(input.value); });
}

/* Warns before unsaved changes are lost. */
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
    if (!sent && !("discarded" in form.dataset) && (failed || "typed" in form.dataset || state() !== before)) event.preventDefault();
  });
}

/* Keeps what is typed into a record's form in the browser, until a page shows that the server has received it: through Back,
   a reload, and a restart of browser or server (office 52). A form that was sent, or is reloaded, has its text back at once;
   otherwise the text is offered. Following a link gives it up, and signing out discards all.
   Each tab has its own text of a form. The text of a tab that is gone goes to the next tab with the form. A lock by the name
   of the text says that its tab still shows the form. */
const DRAFT = "pleito-draft ", SENT = "pleito-sent", TAB = "pleito-tab", KEPT_FOR = 7 * 24 * 3_600_000;
/* A page that is reloaded gives its lock back within this time. Longer, and a copy of its tab has it. */
const RELOADED_WITHIN = 1_000;
const arrival = performance.getEntriesByType("navigation")[0]?.type;
const drafts = () => Object.keys(localStorage).filter((key) => key.startsWith(DRAFT));
const draftOf = (key) => JSON.parse(localStorage.getItem(key));
function settleDrafts() {
  for (const key of drafts()) if (Date.now() - draftOf(key).at > KEPT_FOR) localStorage.removeItem(key);
  document.querySelector("form.leave")?.addEventListener("submit", () => {
    drafts().forEach((key) => localStorage.removeItem(key));
    for (const form of all("form[data-draft]")) form.dataset.discarded = "";
  });
  // The answer to a sent form is a new page that the form's page led to. From the browser's error page, Back or a reload leads on.
  const sent = sessionStorage.getItem(SENT), from = document.referrer && new URL(document.referrer).pathname;
  if (!sent || arrival !== "navigate" || !sent.endsWith(` ${from}`) || "failed" in document.body.dataset) return;
  sessionStorage.removeItem(SENT);
  localStorage.removeItem(sent);
}
function prepareDraft(form) {
  const person = `${DRAFT}${form.dataset.draft} `, path = ` ${location.pathname}`;
  const newTab = () => {
    const tab = Date.now().toString(36) + Math.random().toString(36).slice(2);
    sessionStorage.setItem(TAB, tab);
    return tab;
  };
  const tab = sessionStorage.getItem(TAB) ?? newTab(), nameless = `${DRAFT}0 ${tab}${path}`;
  let key = `${person}${tab}${path}`, isKept = true;
  const isOurs = ({ name, type }) => name && !["csrf-token", "opened_for", "form"].includes(name) && !["file", "submit"].includes(type);
  const typed = () => [...new FormData(form)].filter(([name, value]) => isOurs({ name }) && typeof value === "string");
  const keep = (isSent) => {
    const names = Object.fromEntries(all(".chips li", form).map((chip) => [chip.querySelector("input")?.value, chip.querySelector("a")?.textContent]));
    localStorage.setItem(key, JSON.stringify({ at: Date.now(), isSent, typed: typed(), names }));
    isKept = true;
  };
  const keepTyped = () => {
    if (!isKept && !("discarded" in form.dataset)) keep(draftOf(key)?.isSent ?? false);
  };
  const fill = (draft) => {
    const of = (name) => draft.typed.filter(([own]) => own === name).map(([, value]) => value);
    const fillFields = (within) => {
      const at = {};
      for (const field of [...form.elements].filter((field) => isOurs(field) && within.contains(field) && !field.closest("[data-picker]"))) {
        const values = of(field.name);
        if (field.type === "checkbox" || field.type === "radio") field.checked = values.includes(field.value);
        else field.value = values[at[field.name] = (at[field.name] ?? -1) + 1] ?? field.value;
      }
    };
    fillFields(form);
    // Before the pickers are prepared, which take over the listed records.
    for (const picker of all("[data-picker]", form)) {
      const input = picker.querySelector("input[type=text]"), values = of(input.name);
      picker.querySelector(".chips").replaceChildren(...values.filter((id) => draft.names[id]).map((id) => {
        const item = document.createElement("li");
        Object.assign(item.dataset, { id, name: draft.names[id] });
        return item;
      }));
      input.value = values.find((text) => !draft.names[text]) ?? "";
    }
    // Instalments are computed again, and then changed as they were.
    const parts = form.querySelector("[data-parts]");
    if (parts && draft.typed.some(([name]) => name.startsWith("amount-"))) {
      const computed = new MutationObserver(() => { computed.disconnect(); fillFields(parts); });
      computed.observe(parts, { childList: true });
      addEventListener("load", () => form.elements.amount.dispatchEvent(new Event("input", { bubbles: true })));
    }
    form.dataset.typed = "";
  };
  const say = (text, { at }, ...buttons) => {
    const message = Object.assign(document.createElement("p"), { className: "alert", id: "draft", tabIndex: -1 }), day = new Date(at);
    const isToday = day.toDateString() === new Date().toDateString();
    message.setAttribute("role", "alert");
    message.dataset.focus = "";
    message.append(text.replace("#", day.toLocaleString(document.documentElement.lang, { timeStyle: "short", ...isToday ? {} : { dateStyle: "short" } })));
    for (const [label, act] of buttons) {
      const button = Object.assign(document.createElement("button"), { type: "button", className: "slight", textContent: label });
      button.addEventListener("click", () => { act(); location.reload(); });
      message.append(" ", button);
    }
    form.prepend(message);
  };
  const discard = (other) => [form.dataset.discard, () => {
    localStorage.removeItem(other ?? key);
    form.dataset.discarded = "";
  }];
  const take = (other) => {
    localStorage.setItem(key, localStorage.getItem(other));
    localStorage.removeItem(other);
  };
  /* Takes over, or offers, the newest text of a tab that is gone. */
  const offer = (held) => {
    if (!isKept || draftOf(key)) return;
    const left = drafts().filter((other) => other.startsWith(person) && other.endsWith(path) && !held.has(other));
    const [newest] = left.sort((one, other) => draftOf(other).at - draftOf(one).at);
    if (!newest) return;
    const draft = draftOf(newest);
    if (!draft.isSent) return say(form.dataset.kept, draft, [form.dataset.resume, () => take(newest)], discard(newest));
    take(newest);
    location.reload();
  };
  const hold = () => {
    const waiting = new AbortController();
    setTimeout(() => waiting.abort(), RELOADED_WITHIN);
    navigator.locks?.request(key, { signal: waiting.signal }, () => new Promise(() => {})).catch(() => {
      const shared = draftOf(key);
      key = `${person}${newTab()}${path}`;
      if (shared && "typed" in form.dataset) keep(shared.isSent);
      hold();
    });
  };
  hold();
  // Typed before the page knew who works here.
  if (draftOf(nameless) && !draftOf(key)) take(nameless);
  const draft = draftOf(key);
  if (draft && (draft.isSent || arrival !== "navigate")) {
    // A browser that reloads a page may have filled the form itself.
    const isNews = draft.isSent || JSON.stringify(typed()) !== JSON.stringify(draft.typed);
    fill(draft);
    if (isNews) say(draft.isSent ? form.dataset.unanswered : form.dataset.kept, draft, discard());
  } else if (draft && !("typed" in form.dataset)) say(form.dataset.kept, draft, [form.dataset.resume, () => {}], discard());
  else if ("typed" in form.dataset) addEventListener("load", () => keep(false));
  else navigator.locks?.query().then(({ held }) => offer(new Set(held.map(({ name }) => name))));
  // While somebody types on, too: a page may end at any moment.
  for (const event of ["input", "change"]) {
    form.addEventListener(event, () => {
      if (isKept) setTimeout(keepTyped, 300);
      isKept = false;
    });
  }
  let isLeft = false;
  document.addEventListener("click", ({ target, ctrlKey, metaKey, shiftKey }) => {
    isLeft = !ctrlKey && !metaKey && !shiftKey && Boolean(target.closest?.("a[href]:not([target], [href^='#'])"));
  });
  // Before the connection is checked, which stops the event.
  addEventListener("submit", ({ target }) => {
    if (target !== form) return;
    isLeft = false;
    keep(true);
    sessionStorage.setItem(SENT, key);
  }, { capture: true });
  addEventListener("pagehide", () => { if (isLeft) localStorage.removeItem(key); else keepTyped(); });
}

/* Puts the key of a sent form into the address, so that Back shows the result of the form. */
function prepareKey(key) {
  key.form.addEventListener("submit", () => {
    // The other parameters say what form it is.
    const url = new URL(location);
    url.searchParams.set("form", key.value);
    history.replaceState(history.state, "", url);
  });
}

/* Reloads a page that Back takes from the browser's memory, because it may be outdated. Returns to the position that the
   page had; a page that is opened begins at its first field. The browser would decide both by itself, in either order: its
   own restoration is off, and no field has `autofocus`. */
function prepareBack() {
  let isOutdated = false;
  addEventListener("pageshow", ({ persisted }) => {
    isOutdated = persisted;
    if (!persisted) return;
    document.documentElement.style.visibility = "hidden";
    location.reload();
  });
  history.scrollRestoration = "manual";
  const record = () => { if (!isOutdated) history.replaceState({ scroll: scrollY }, ""); };
  const position = document.getElementById("draft") ? 0 : history.state?.scroll;
  if (position) scrollTo(0, position); else document.querySelector("[data-focus]")?.focus();
  // A page whose layout is not complete yet is too short for its position, or shifts afterwards.
  if (position) addEventListener("load", () => requestAnimationFrame(() => { if (!isMoved) scrollTo(0, position); }));
  let isMoved = false;
  for (const event of ["wheel", "touchmove", "keydown", "mousedown"]) addEventListener(event, () => { isMoved = true; }, { passive: true, once: true });
  if (!position) record();
  addEventListener("pagehide", record);
  addEventListener("scroll", later(100, record), { passive: true });
  // Back from a place in the same page, to which a link led; a new place has no state yet.
  addEventListener("popstate", ({ state }) => { if (state) scrollTo(0, state.scroll); });
}

/* Fills in untouched fields of a new record from the chosen record, for example the responsible person. In a form that came
   back, everything that has a value was typed. */
const touched = new WeakMap(), begun = new WeakMap();
function prepareBeginning(form) {
  const names = new Set();
  touched.set(form, names);
  for (const event of ["input", "change"]) form.addEventListener(event, ({ target }) => names.add(target.name));
}
async function begin(form, name, id) {
  const page = await fetchPart(`${location.pathname}?${new URLSearchParams({ [name]: id })}`, form);
  const fresh = page && new DOMParser().parseFromString(page, "text/html").querySelector("form.record");
  if (!fresh) return;
  const isFilled = (field) => (field.type === "checkbox" ? all(`[name="${field.name}"]:checked`, form).length > 0 : field.value !== "");
  const isUntouched = (field) => !touched.get(form).has(field.name) && (begun.has(field) || !("typed" in form.dataset) || !isFilled(field));
  for (const field of [...form.elements].filter((field) => field.name && field.name !== name && field.type !== "hidden" && isUntouched(field))) {
    const theirs = [...fresh.elements].find((one) => one.name === field.name && one.type === field.type && (one.type !== "checkbox" || one.value === field.value));
    if (!theirs) continue;
    if (field.type === "checkbox") field.checked = theirs.checked; else field.value = theirs.value;
    begun.set(field, true);
  }
}

/* Picker for referenced records: search as you type, choice by key or click (combobox pattern of ARIA APG). */
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

  // If the field accepts several records, the typed text is never sent. If it accepts one and none is chosen, the text is
  // sent and the server looks for the record. A filter is sent only after a choice, not with every letter.
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
  // Text of the page that is not a record's name stays unchanged until the first input.
  if ((isOne && !isFilter) || !input.value.trim()) settle();
  if (isFilter) input.addEventListener("input", settle);
  // A number that is set in the field replaces the chosen record.
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
    const query = new URLSearchParams({ q: text, not: picker.dataset.not ?? "" });
    const part = await fetchPart(`${picker.dataset.picker}/pick?${query}`, options);
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

/* Button that takes the other of two conflicting values. */
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

/* Fields for each opposing party, in place of a line in the text form that the server reads. */
function prepareParties(area) {
  const { partyName, partyNumber, partyLawyer, partyMore } = area.dataset;
  const rows = document.createElement("div"), more = Object.assign(document.createElement("button"), { type: "button", className: "slight", textContent: partyMore });
  rows.className = "parties";
  const read = (line) => {
    let rest = line.trim(), lawyer = "", customer = "", number = "", found;
    while ((found = /^(.*)\[([^\]]*)\]$/.exec(rest))) {
      const inside = found[2].trim();
      if (/^(cliente|customer)\b/i.test(inside)) customer = `[${inside}]`; else lawyer = inside.replace(/^(adv|advogado|advogada|lawyer)\b\.?\s*/i, "");
      rest = found[1].trim();
    }
    // Text in parentheses that is no number, such as `(espólio)`, belongs to the name.
    if ((found = /^(.*)\(([0-9A-Za-z .\-/]*)\)$/.exec(rest)) && digits(found[2]).length >= 9) [, rest, number] = found;
    return { name: rest.trim(), number, lawyer, customer };
  };
  const write = () => {
    area.value = all(".party", rows).map((row) => {
      const [name, number, lawyer] = all("input", row).map((input) => input.value.trim());
      return [name, number && `(${number})`, row.dataset.customer, lawyer && `[adv. ${lawyer}]`].filter(Boolean).join(" ");
    }).filter(Boolean).join("\n");
  };
  const add = ({ name = "", number = "", lawyer = "", customer = "" } = {}) => {
    const row = Object.assign(document.createElement("div"), { className: "party" }), at = rows.childElementCount;
    row.dataset.customer = customer;
    for (const [column, label, value, mask] of [["name", partyName, name], ["number", partyNumber, number, "tax-id"], ["lawyer", partyLawyer, lawyer]]) {
      const field = Object.assign(document.createElement("div"), { className: "field" }), id = `${area.id}-${column}-${at}`;
      const input = Object.assign(document.createElement("input"), { id, value, autocomplete: "off" });
      if (mask) { input.dataset.mask = mask; prepareMask(input); }
      field.append(Object.assign(document.createElement("label"), { htmlFor: id, textContent: label }), input);
      row.append(field);
    }
    rows.append(row);
    return row.querySelector("input");
  };
  const show = () => {
    rows.replaceChildren();
    for (const line of area.value.split(/[\n;]/).filter((line) => line.trim())) add(read(line));
    const first = rows.childElementCount ? rows.querySelector("input") : add();
    for (const name of ["aria-invalid", "aria-describedby", "data-focus"]) if (area.hasAttribute(name)) first.setAttribute(name, area.getAttribute(name));
  };
  show();
  for (const event of ["input", "change"]) rows.addEventListener(event, write);
  more.addEventListener("click", () => add().focus());
  // The other of two conflicting values is taken.
  area.addEventListener("change", show);
  const label = document.querySelector(`label[for="${area.id}"]`);
  if (label) label.htmlFor = `${area.id}-name-0`;
  for (const link of all(`a[href="#${area.id}"]`)) link.href = `#${area.id}-name-0`;
  area.hidden = true;
  delete area.dataset.focus;
  area.after(rows, more);
}

/* Button for the browser's calendar beside a day field. */
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

/* Computes the instalments of a form again when their number, amount or first day changes. */
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
  // The sum follows changes of single instalments.
  shown.addEventListener("input", () => {
    // As the server parses it: 1.500.000 has groups, and 1.500 is ambiguous.
    const amount = ({ value }) => {
      if (/^\d+\.\d{3}$/.test(value)) return NaN;
      return Number(/,|\..*\./.test(value) ? value.replaceAll(".", "").replace(",", ".") : value);
    };
    const sum = all("[name^=amount-]", shown).reduce((sum, field) => sum + amount(field), 0);
    const total = shown.querySelector("[data-total]");
    const digits = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
    if (total) total.textContent = Number.isNaN(sum) ? "?" : sum.toLocaleString(document.documentElement.lang, digits);
  });
}

/* Shows beside a field what the page `data-found` finds for the values of the fields `data-by`, while they are typed. */
function prepareFound(shown) {
  const form = shown.closest("form"), by = shown.dataset.by.split(" ");
  let running = new AbortController(), last = "";
  const look = later(300, async () => {
    const typed = [...new FormData(form)].filter(([name, value]) => by.includes(name) && value);
    const query = new URLSearchParams(typed).toString();
    if (query === last) return;
    last = query;
    // The day that another text meant is not that of this one.
    if (shown.matches("output")) shown.textContent = "";
    running.abort();
    const { signal } = running = new AbortController();
    const part = await fetchPart(`${shown.dataset.found}?${query}`, shown, signal);
    if (part !== undefined && !signal.aborted && part !== shown.innerHTML) shown.innerHTML = part;
  });
  // Pickers change hidden fields without an event.
  for (const event of ["input", "change", "focusout"]) form.addEventListener(event, look);
  // The page may contain what it found for the values that it came with.
  if (!shown.textContent || "typed" in form.dataset) look();
}

/* Offers only the categories of the chosen type. */
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

/* Refuses a file that is too large before it is sent, and keeps the form. */
const tooLarge = (file, { most, large }) => (file && file.size > Number(most) ? large : "");
function prepareFile(input) {
  const check = () => {
    const reason = tooLarge(input.files[0], input.dataset);
    input.parentElement.querySelector(".wrong")?.remove();
    input.toggleAttribute("aria-invalid", Boolean(reason));
    if (!reason) return true;
    input.setAttribute("aria-invalid", "true");
    input.setAttribute("aria-describedby", "e-file");
    const message = Object.assign(document.createElement("p"), { className: "wrong", id: "e-file", textContent: reason });
    message.setAttribute("role", "alert");
    input.after(message);
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

/* Sends files that are dropped on a record's page, or chosen there, one after the other, and shows the result of each. */
function prepareDrop(form) {
  const input = form.querySelector("[type=file]"), list = form.querySelector("ul"), { dataset, action } = form;
  let before = Promise.resolve();
  form.hidden = false;
  const send = (file, item, bar) => new Promise((done) => {
    const say = (isStored, text, href) => {
      bar.remove();
      item.className = isStored ? "stored" : "refused";
      const outcome = document.createElement(href ? "a" : "span");
      if (href) outcome.href = href;
      outcome.textContent = text;
      item.append(": ", outcome);
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
      const reason = tooLarge(file, dataset);
      if (reason) {
        bar.remove();
        item.className = "refused";
        item.append(": ", reason);
        continue;
      }
      // Reading fails for a folder, or a file that no longer exists.
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

/* Button that takes a photo for the file field of its form, on devices that are touched. */
function prepareCamera(button) {
  const input = button.form.querySelector("[type=file]");
  button.hidden = !matchMedia("(pointer: coarse)").matches;
  button.addEventListener("click", () => {
    Object.assign(input, { accept: "image/*", capture: "environment" });
    input.click();
    for (const name of ["accept", "capture"]) input.removeAttribute(name);
  });
}

/* Puts a dropped file into the form's file field. Without such a field, keeps the browser from leaving the page. */
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

/* Downloads a spreadsheet. Says that it is being written if that takes longer than a second. */
async function download(url, near) {
  const busy = Object.assign(document.createElement("span"), { className: "busy", textContent: document.body.dataset.writing });
  busy.setAttribute("role", "status");
  const timer = setTimeout(() => near.append(busy), 1000);
  try {
    const answer = await fetch(url), name = /filename="([^"]+)"/.exec(answer.headers.get("content-disposition"))?.[1];
    // A page with the reason instead of a file.
    if (!answer.ok || !name) return location.assign(url);
    const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(await answer.blob()), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  } catch {
    fade(near, "gone");
  } finally {
    clearTimeout(timer);
    busy.remove();
  }
}
function prepareExports() {
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.(".export a[download]");
    if (!link || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    download(link.href, link.parentElement);
  });
  document.addEventListener("submit", (event) => {
    const { target: form, submitter } = event;
    if (!form.matches("form.chosen") || !["xlsx", "csv"].includes(submitter?.value)) return;
    event.preventDefault();
    const fields = new URLSearchParams(new FormData(form));
    fields.set(submitter.name, submitter.value);
    download(`${form.getAttribute("action")}?${fields}`, form);
  });
}

/* Chooses rows by a click or the space bar; with Shift, all rows from the last chosen one on. */
function showChosen() {
  const boxes = all("td.tick [name=chosen]"), chosen = boxes.filter((box) => box.checked).length;
  const page = document.querySelector("[data-choose]");
  if (page) Object.assign(page, { hidden: false, checked: chosen > 0 && chosen === boxes.length, indeterminate: chosen > 0 && chosen < boxes.length });
  const output = document.querySelector("form.chosen output"), rest = document.querySelector("form.chosen [name=everything]");
  if (rest && !chosen) rest.checked = false;
  if (output) output.textContent = rest?.checked ? output.dataset.many.replace("#", rest.dataset.total) : chosen === 1 ? output.dataset.one : output.dataset.many.replace("#", chosen);
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
    // Prevents text selection by a Shift click.
    if (shift && event.target.closest?.("td.tick")) event.preventDefault();
  });
  addEventListener("pageshow", showChosen);
  showChosen();
}

/* The form in a page begins where the next thing is typed. */
function prepareQuick(quick) {
  const begin = () => (quick.querySelector("[data-focus]") ?? quick.querySelector("textarea"))?.focus();
  // A section that the page opens must not take the focus from an error.
  quick.querySelector("summary").addEventListener("click", () => { if (!quick.open) quick.addEventListener("toggle", begin, { once: true }); });
  // After Back, the browser fills the fields again.
  const isTyped = (field) => field.matches("select")
    ? field.selectedIndex !== Math.max(0, [...field.options].findIndex((option) => option.defaultSelected))
    : field.matches("textarea, input:not([type=hidden], [type=checkbox], [type=radio])") && field.value !== field.defaultValue;
  addEventListener("pageshow", () => { quick.open ||= all("select, textarea, input", quick).some(isTyped); });
}

/* Keyboard shortcuts. A letter alone is never one, so that dictation and typing errors trigger nothing. */
function prepareKeys() {
  const search = () => document.getElementById("q");
  const everywhere = document.getElementById("everywhere");
  // Opens the edit form of a global search result.
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
    else if (event.altKey && event.code === "KeyR") done = follow("[data-log]");
    else if (event.altKey && event.code === "KeyE") done = editHit() || follow("[data-edit]");
    else if (event.key === "ArrowDown" && rows.length && (inSearch || at >= 0)) rows[Math.min(at + 1, rows.length - 1)].focus();
    else if (event.key === "ArrowUp" && at > 0) rows[at - 1].focus();
    else if (event.key === "ArrowUp" && at === 0 && search()) search().focus();
    else done = false;
    if (done) event.preventDefault();
  });
}

/* Updates the progress of a running task in place, so that focus and scroll position stay. Reloads the page when the task
   has ended. */
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

/* Ends a task that only its page waits for, when the page is closed. */
function prepareLeaving(form) {
  addEventListener("pagehide", () => navigator.sendBeacon(form.action, new URLSearchParams(new FormData(form))));
}

settleDrafts();
all("form[data-draft]").forEach(prepareDraft);
all("form[data-draft]").forEach(prepareBeginning);
prepareReaching();
prepareLongWrites();
prepareCopying();
prepareKeys();
prepareChoosing();
prepareExports();
all("[type=file][data-most]").forEach(prepareFile);
all("details.quick").forEach(prepareQuick);
all("form.drop").forEach(prepareDrop);
all("[data-camera]").forEach(prepareCamera);
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
all("[data-party-more]").forEach(prepareParties);
all("[data-parts]").forEach(prepareParts);
all("[data-found]").forEach(prepareFound);
for (const button of all("[data-print]")) {
  button.hidden = false;
  button.addEventListener("click", () => window.print());
}
all("form.record select[name=entry_type]").forEach(prepareCategories);
all("[data-calendar]").forEach(prepareCalendar);
// After the pickers, which hide fields.
prepareBack();
// Removes `done` from the address, so that a reload does not show the confirmation again.
if (document.querySelector("[data-done]")) {
  const url = new URL(location);
  for (const name of ["done", "undo"]) url.searchParams.delete(name);
  history.replaceState(history.state, "", url);
}

// Tests the console in Chromium. Covers the first token and request; adding, finding and editing customers, also in two
// tabs at once; backup and restore; `pleito console`, which opens a file; expired and used links; forms of other
// origins; cookies on other ports; and access through the LAN listener. Opens every page in both languages and colour
// schemes, on the width of a phone, checks it with axe-core, and opens some pages without scripts.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, renameSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { request } from "node:https";
import { createRequire } from "node:module";

const { API, BIN, BROWSER, DATA, NETWORK, NODE_PACKAGES, OPENED, OPENER } = process.env;
const require = createRequire(`${NODE_PACKAGES}/`);
const { chromium } = require("playwright-core");
const axe = require("axe-core").source;
const readCode = require("jsqr");

const PAGES = ["", "/search?q=conceicao", "/search?q=nobody", "/customers?sort=name", "/customers", "/customers?q=conceicao&city=criciuma", "/customers/1", "/customers/1/edit", "/customers/new",
  "/lawsuits", "/lawsuits/1", "/lawsuits/1/edit", "/publications", "/publications/1", "/publications/1/edit", "/movements?lawsuit_id=1",
  "/movements/1", "/movements/new?lawsuit_id=1", "/documents", "/documents/1", "/documents/new?lawsuit_id=1", "/birthdays", "/conflicts", "/conflicts?lawsuit_id=1", "/lists/users?edit=1", "/lists/stages", "/people/1", "/backups", "/imports", "/imports/move", "/settings", "/token", "/none"];
/** Further pages: tasks, money, the trash, forms and lists. */
const WORK = ["/posts", "/posts?status=all", "/posts/new", "/posts/1", "/posts/1/edit", "/posts/1/delete", "/agenda?day=2026-12-10",
  "/agenda?by=month&day=2026-12-10", "/agenda?by=day&day=2026-12-10", "/agenda?user=1&money=no", "/trash", "/transactions", "/transactions/1", "/transactions/cash", "/transactions/overdue", "/customers/1/delete",
  "/customers/1/merge", "/customers/1/merge?from=2", "/api", "/assistants", "/webhooks/new", "/trash?of=customers", "/trash/empty", "/customers/duplicates", "/posts/chosen?act=complete&chosen=1", "/posts/chosen?act=change&chosen=1",
  "/posts/chosen?act=change&member=guests&chosen=1", "/customers/chosen?act=delete&chosen=1", "/transactions/new", "/transactions/new?installments=3&amount=90&date_due=2026-12-10", "/transactions/1/edit", "/transactions?tab=all",
  "/transactions/1/delete", "/movements/1/edit", "/documents/1/edit", "/lawsuits/new", "/lawsuits/1/delete", "/publications/new", "/holidays", "/holidays/1", "/holidays/1/edit", "/holidays/new", "/calendar?year=2026", "/imports/none",
  ...["origins", "categories", "cost_centers", "groups", "types", "steps", "tasks", "banks"].map((list) => `/lists/${list}`)];
/** Each page is checked with both, in light and dark colours. */
const LOOKS = [
  { name: "1366 px wide", locale: "en-US", viewport: { width: 1366, height: 768 } },
  { name: "390 px wide, in Portuguese", locale: "pt-BR", viewport: { width: 390, height: 844 } },
];
/** The narrowest window in px that all pages must fit. */
const NARROWEST = 360;
/** Maximum transfer size of a page with its files, in bytes. */
const HEAVIEST = 60_000;

const link = () => execFileSync(BIN, ["console", "--link", "--data-dir", DATA], { encoding: "utf8" }).trim();
/** The console has its own host name, which API requests do not need. */
const { origin: ORIGIN } = new URL(link());
const CONSOLE = `${ORIGIN}/console`;
const api = (path, token, more = {}) => fetch(`${API}/api/v1${path}`, { ...more, headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" } });
const passed = (what) => console.log(`   ${what}`);

/** Opens a console link. Its page redirects to `/enter`; returns the status of that response. */
async function enter(page, link) {
  const [arrived] = await Promise.all([page.waitForResponse(`${link}/enter`), page.goto(link, { waitUntil: "commit" })]);
  return arrived.status();
}

/** Opens a signed-in page. Collects console messages, script errors and requests to other origins in `complaints`. */
async function visitor(browser, kind = { locale: "en-US" }) {
  const context = await browser.newContext(kind);
  const page = await context.newPage();
  page.complaints = [];
  // Ignores 4xx responses, which are expected here. Chromium reports them as errors.
  page.on("console", (line) => /status of 4/.test(line.text()) || page.complaints.push(`console: ${line.text()}`));
  page.on("pageerror", (error) => page.complaints.push(`script: ${error.message}`));
  page.on("request", (sent) => sent.url().startsWith(`${ORIGIN}/`) || page.complaints.push(`requested: ${sent.url()}`));
  assert.equal(await enter(page, link()), 303);
  await page.waitForURL(CONSOLE);
  return { context, page };
}

async function firstRun(browser) {
  const { context, page } = await visitor(browser);
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: ORIGIN });
  await page.getByText("Name the office").waitFor();
  await page.getByRole("link", { name: "API", exact: true }).click();
  await page.getByRole("button", { name: "Generate the token" }).first().click();
  const token = (await page.locator(".token code").innerText()).trim();
  assert.match(token, /^plt_[0-9A-Za-z]{49}$/);
  await page.locator(".token button").click();
  await page.waitForFunction(async (token) => await navigator.clipboard.readText() === token, token);
  assert.ok((await page.content()).includes(`Bearer ${token}`), "the example request does not contain the token");
  assert.equal((await api("/settings", token)).status, 200);
  await page.getByRole("link", { name: "I have saved it" }).click();
  await page.locator(".token code").waitFor({ state: "detached" });
  assert.ok(!(await page.content()).includes(token));
  // The page that Back restores from the cache reloads itself, so its content is only available after that.
  await page.goBack();
  await page.getByText("Generate new token").waitFor();
  assert.ok(!(await page.content()).includes(token), "Back shows the token again");

  await page.goto(`${CONSOLE}/api`);
  await page.getByText("Generate new token").click();
  await page.getByRole("button", { name: "Replace the current token" }).click();
  const next = (await page.locator(".token code").innerText()).trim();
  assert.notEqual(next, token);
  assert.deepEqual([(await api("/settings", token)).status, (await api("/settings", next)).status], [401, 200]);
  assert.deepEqual(page.complaints, []);
  await context.close();
  passed("first run: token generated, copied and replaced");
  return next;
}

async function customers(browser) {
  const { context, page } = await visitor(browser);
  await page.goto(`${CONSOLE}/customers`);
  await page.keyboard.press("Alt+n");
  await page.waitForURL("**/customers/new");
  await page.fill("#f-name", "João da Conceição");
  await page.locator("#f-identification").pressSequentially("52998224726");
  assert.equal(await page.inputValue("#f-identification"), "529.982.247-26", "formatted while typing");
  await page.locator("#f-cellphone").pressSequentially("48988880000");
  assert.equal(await page.inputValue("#f-cellphone"), "(48) 98888-0000");
  await page.fill("#f-city", "Criciúma");
  await page.selectOption("#f-customers_origins_id", "1");
  await page.keyboard.press("Control+Enter");
  await page.getByText("Nothing was saved").waitFor();
  assert.match(await page.locator("#e-identification").innerText(), /check digits/);
  assert.equal(await page.inputValue("#f-name"), "João da Conceição", "typed text was lost");

  await page.fill("#f-identification", "529.982.247-25");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { name: "João da Conceição" }).waitFor();
  assert.equal(new URL(page.url()).pathname, "/console/customers/1");

  // The search finds all records from any page, despite a typing error.
  await page.goto(`${CONSOLE}/backups`);
  for (const typed of ["conceicao", "Conceiçã", "529982", "Concicao"]) {
    await page.keyboard.press("Control+k");
    await page.keyboard.type(typed);
    await page.locator(".everywhere .found a[href='/console/customers/1']").waitFor();
    await page.keyboard.press("Escape");
    await page.locator(".everywhere .found a").first().waitFor({ state: "hidden" });
  }
  await page.keyboard.press("Control+k");
  await page.keyboard.type("conceicao");
  await page.locator(".everywhere .found a[href='/console/customers/1']").waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/console/customers/1");
  await page.goto(`${CONSOLE}/customers`);
  for (const [typed, found] of [["CONCEICAO joao", 1], ["529982", 1], ["8888-0000", 1], ["ninguém", 0]]) {
    await page.fill("#q", "");
    await page.locator("#q").pressSequentially(typed);
    await page.waitForFunction((found) => document.querySelectorAll("[data-rows] tbody tr").length === found
      && (found > 0 || document.querySelector(".empty")), found);
  }
  // A filter is marked only while its value is invalid.
  await page.locator("summary", { hasText: "Filters" }).click();
  await page.locator("#q-created_start").pressSequentially("2020-0");
  await page.locator("#q-created_start[aria-invalid=true]").waitFor();
  assert.match(await page.locator("#e-created_start").innerText(), /date that exists/);
  await page.fill("#q-created_start", "2020-01-01");
  await page.waitForFunction(() => !document.querySelector(".search [aria-invalid], .search .wrong"));
  await page.fill("#q-created_start", "");
  await page.fill("#q", "joao");
  await page.locator("[data-rows] tbody a").waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/customers/1");

  // A lawsuit, whose customer is found while typing.
  await page.goto(`${CONSOLE}/lawsuits/new`);
  await page.locator("#f-customers_id").pressSequentially("conceicao");
  await page.locator("[role=option][data-id]").waitFor();
  await page.keyboard.press("Enter");
  assert.match(await page.locator(".chips").innerText(), /João da Conceição/);
  await page.selectOption("#f-type_lawsuits_id", "1");
  await page.selectOption("#f-stages_id", "12");
  await page.locator("#f-process_number").pressSequentially("00000026520054058100");
  assert.equal(await page.inputValue("#f-process_number"), "0000002-65.2005.4.05.8100");
  await page.getByRole("button", { name: "Save" }).click();
  await page.waitForURL("**/lawsuits/1*");

  // Leaving a page with unsaved changes asks first.
  await page.goto(`${CONSOLE}/customers/1/edit`);
  await page.fill("#f-occupation", "Marceneiro");
  const dialogType = new Promise((resolve) => page.once("dialog", async (dialog) => { await dialog.dismiss(); resolve(dialog.type()); }));
  await page.getByRole("link", { name: "Lawsuits" }).click();
  assert.equal(await dialogType, "beforeunload");
  assert.equal(await page.inputValue("#f-occupation"), "Marceneiro");
  assert.deepEqual(page.complaints, []);
  await context.close();
  passed("a customer added, found and opened with the keyboard; an invalid CPF, a lawsuit, unsaved changes");
}

/** Tasks from the form to the agenda, completed, deleted and restored; a paid transaction; the comparison before a merge. */
async function work(browser, token) {
  const { context, page } = await visitor(browser);
  await page.goto(`${CONSOLE}/posts/new`);
  await page.locator("#f-lawsuits_id").pressSequentially("conceicao");
  await page.locator("[role=option][data-id]").waitFor();
  await page.keyboard.press("Enter");
  // The form proposes the person responsible for the lawsuit.
  await page.locator("[name=guests]:checked").first().waitFor();
  await page.selectOption("#f-tasks_id", "4");
  await page.selectOption("#f-from", "1");
  await page.locator("#f-start_date").pressSequentially("20261210");
  await page.locator("#f-start_time").pressSequentially("1430");
  assert.equal(await page.inputValue("#f-start_time"), "14:30", "formatted while typing");
  assert.ok(await page.isChecked("#f-display_schedule"), "a new task is not in the agenda by default");
  await page.getByRole("button", { name: "Save" }).click();
  await page.waitForURL("**/posts/1*");
  await page.goto(`${CONSOLE}/agenda?day=2026-12-09`);
  await page.getByRole("link", { name: "14:30" }).click();
  await page.waitForURL("**/posts/1");
  await page.getByRole("button", { name: "Complete" }).click();
  await page.getByText("Marked as done.").waitFor();
  await page.getByRole("button", { name: "Reopen" }).click();
  await page.getByText("Reopened.").waitFor();

  await page.goto(`${CONSOLE}/transactions/new`);
  for (const [typed, left] of [["R$ 1.234,56", "1.234,56"], ["-5", "-5"], ["(1.234,56)", "(1.234,56)"], ["10%", "10%"]]) {
    await page.fill("#f-amount", "");
    await page.locator("#f-amount").pressSequentially(typed);
    await page.locator("#f-amount").blur();
    assert.equal(await page.inputValue("#f-amount"), left);
  }
  await page.fill("#f-amount", "");
  const money = { users_id: 1, entry_type: "income", debit_account: 1, categories_id: 1, cost_centers_id: 1, amount: 1500.5, date_due: "2026-12-15", customers_id: 1 };
  assert.equal((await api("/transactions", token, { method: "POST", body: JSON.stringify(money) })).status, 201);
  await page.goto(`${CONSOLE}/transactions?tab=all`);
  assert.match(await page.locator(".sums").innerText(), /1,500\.50/);
  await page.goto(`${CONSOLE}/transactions/1`);
  await page.getByRole("button", { name: "Receive", exact: true }).click();
  await page.getByRole("button", { name: "Mark as not paid" }).waitFor();

  const other = { users_id: 1, customers_origins_id: 1, name: "João Conceição", city: "Laguna" };
  assert.equal((await api("/customers", token, { method: "POST", body: JSON.stringify(other) })).status, 201);
  await page.goto(`${CONSOLE}/posts/1`);
  await page.getByRole("link", { name: "Delete…" }).click();
  await page.fill("#reason", "twice");
  await page.getByRole("button", { name: "Move to the trash" }).click();
  await page.getByText("Moved to the trash.").waitFor();
  await page.getByRole("button", { name: "Restore" }).click();
  await page.waitForURL("**/posts/1*");
  // The form shows a customer with the same name before it saves another. What the list beside the name has shown in time
  // would not be shown again.
  await page.route("**/customers/similar*", (route) => route.fulfill({ body: "" }));
  await page.goto(`${CONSOLE}/customers/new?name=JOAO+CONCEICAO`);
  await page.selectOption("#f-customers_origins_id", "1");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("alert").getByRole("link", { name: "João Conceição" }).waitFor();
  await page.getByText("Nothing is saved yet.").waitFor();
  assert.ok(await page.getByRole("button", { name: "Save anyway" }).isVisible());
  await page.unroute("**/customers/similar*");
  page.once("dialog", (dialog) => dialog.accept());
  await page.goto(`${CONSOLE}/customers/1/merge`);
  await page.locator("#f-from").pressSequentially("joao conc");
  await page.locator("[role=option][data-id='2']").click();
  await page.getByRole("button", { name: "Compare" }).click();
  await page.locator("[name=take-city][value=other]").check();
  assert.deepEqual(page.complaints, []);
  await context.close();
  passed("a task, the agenda, a paid transaction, the trash, two customers side by side");
}

/** Movements, publications and documents of a lawsuit. Uploaded files must not run scripts in the server's origin. */
async function cases(browser, token) {
  const { context, page } = await visitor(browser);
  const post = async (path, body) => assert.ok((await api(path, token, { method: "POST", body: JSON.stringify(body) })).ok, path);
  await post("/publications", { publications: [{ lawsuit_id: 1, date: "2026-11-20", publication: `Intimação: <b>manifeste-se</b> ${"a parte autora ".repeat(60)}` }] });
  await post("/holidays", { day: "2026-12-08", name: "Dia da Justiça", scope: "TRF5", effect: "partial", must_be_proven: true, source: "Calendário do tribunal" });
  await page.goto(`${CONSOLE}/lawsuits/1`);
  await page.getByRole("link", { name: "New movement" }).click();
  await page.locator(".chips a").waitFor();
  await page.fill("#f-description", "Conclusos para despacho");
  await page.keyboard.press("Control+Enter");
  await page.waitForURL("**/movements/1?**");
  await page.getByRole("link", { name: /0000002-65/ }).waitFor();

  // The lawsuit is removed from the form and found again with the keyboard.
  await page.goto(`${CONSOLE}/movements/1/edit`);
  await page.getByRole("button", { name: /^Remove/ }).click();
  await page.keyboard.type("0000002");
  await page.locator("[role=option]").first().waitFor();
  await page.keyboard.press("Enter");
  assert.match(await page.locator(".chips").innerText(), /0000002-65/);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Conclusos para despacho").first().waitFor();

  await page.goto(`${CONSOLE}/publications`);
  await page.getByRole("button", { name: "Treat" }).click();
  await page.getByText("No publication is left").waitFor();

  for (const [name, mimeType] of [["evil.html", "text/html"], ["evil.svg", "image/svg+xml"]]) {
    const script = "<script>document.title = 'ran'; fetch('/console/ran')</script>";
    const text = name.endsWith("svg") ? `<svg xmlns="http://www.w3.org/2000/svg">${script}</svg>` : script;
    await page.goto(`${CONSOLE}/documents/new?lawsuit_id=1`);
    await page.setInputFiles("#f-file", { name, mimeType, buffer: Buffer.from(text) });
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name }).waitFor();
    const content = `${page.url().split("?")[0]}/content`;
    const requested = [];
    page.on("request", (sent) => requested.push(sent.url()));
    // Opening it as a page downloads it. In a frame or as the source of an image, its script would not run either.
    const [download] = await Promise.all([page.waitForEvent("download"), page.goto(content).catch(() => {})]);
    assert.equal(download.suggestedFilename(), name);
    assert.equal(readFileSync(await download.path(), "utf8"), text);
    assert.ok(!requested.some((url) => url.endsWith("/ran")) && (await page.title()) !== "ran", `${name} ran: ${requested}`);
    const { headers, status } = await page.evaluate(async (url) => {
      const response = await fetch(url);
      return { status: response.status, headers: Object.fromEntries(response.headers) };
    }, content);
    assert.deepEqual([status, headers["content-type"], headers["content-security-policy"], headers["x-content-type-options"]],
      [200, "application/octet-stream", "sandbox; default-src 'none'", "nosniff"], name);
  }
  assert.deepEqual(page.complaints, []);
  await context.close();
  passed("a movement, a treated publication, and files with scripts, which are only downloaded");
}

async function twoTabs(browser) {
  const { context, page } = await visitor(browser);
  const other = await context.newPage();
  for (const tab of [page, other]) await tab.goto(`${CONSOLE}/customers/1/edit`);
  await page.fill("#f-city", "Içara");
  await page.fill("#f-occupation", "Advogada");
  await page.getByRole("button", { name: "Save" }).click();
  await page.waitForURL("**/customers/1");
  await other.fill("#f-city", "Laguna");
  await other.getByRole("button", { name: "Save" }).click();
  await other.getByText("while you were editing it").waitFor();
  assert.equal(await other.inputValue("#f-city"), "Laguna");
  assert.match(await other.locator(".theirs", { hasText: "Saved now" }).innerText(), /Içara/);
  assert.equal(await other.inputValue("#f-occupation"), "Advogada", "a change of the other tab is missing");
  await other.getByRole("button", { name: "Use this" }).click();
  assert.equal(await other.inputValue("#f-city"), "Içara");
  await other.fill("#f-city", "Criciúma");
  await other.getByRole("button", { name: "Save" }).click();
  await other.waitForURL("**/customers/1");
  assert.deepEqual(page.complaints, []);
  await context.close();
  passed("two tabs edit a record: both values are shown");
}

/** Each tab keeps its own text of a form, also what was typed without a pause. */
async function drafts(browser) {
  const { context, page } = await visitor(browser);
  const form = `${CONSOLE}/customers/new`;
  const other = await context.newPage();
  for (const tab of [page, other]) await tab.goto(form);
  await page.fill("#f-name", "Dona Aba A");
  await other.fill("#f-name", "Dona Aba B");
  await context.setOffline(true);
  for (const tab of [page, other]) {
    await tab.keyboard.press("Control+Enter");
    await tab.getByText("Nothing was sent, and your input stays on this page").waitFor();
  }
  await context.setOffline(false);
  for (const tab of [page, other]) await tab.reload();
  for (const [tab, name] of [[page, "Dona Aba A"], [other, "Dona Aba B"]]) {
    await tab.getByText("Pleito did not answer at").waitFor();
    assert.equal(await tab.inputValue("#f-name"), name);
  }
  // A third tab gets neither, as both are shown. Once a tab is gone, its text comes back in the next one.
  const third = await context.newPage();
  await third.goto(form);
  await third.waitForTimeout(300);
  assert.equal(await third.inputValue("#f-name"), "");
  await other.close();
  await third.reload();
  await third.getByText("Pleito did not answer at").waitFor();
  assert.equal(await third.inputValue("#f-name"), "Dona Aba B");
  await third.getByRole("button", { name: "Discard" }).click();
  await third.waitForFunction(() => document.querySelector("#f-name")?.value === "");
  await third.close();
  assert.equal(await page.inputValue("#f-name"), "Dona Aba A");
  await page.getByRole("button", { name: "Discard" }).click();
  await page.waitForFunction(() => document.querySelector("#f-name")?.value === "");

  const quick = "sem parar de digitar";
  await page.locator("#f-name").pressSequentially(quick, { delay: 20 });
  await page.reload();
  assert.equal(await page.inputValue("#f-name"), quick);
  await page.locator("#f-name").press("End");
  await page.locator("#f-name").pressSequentially("!", { delay: 20 });
  await page.close({ runBeforeUnload: false });
  const last = await context.newPage();
  await last.goto(form);
  await last.getByText("This form has unsaved input").waitFor();
  await last.getByRole("button", { name: "Resume" }).click();
  await last.waitForFunction((typed) => document.querySelector("#f-name")?.value === typed, `${quick}!`);
  await context.close();
  passed("each tab keeps its own text of a form, also what was typed without a pause");
}

/** A backup is made, a record is changed, and the backup is restored. */
async function backups(browser, token) {
  const { context, page } = await visitor(browser);
  await page.getByRole("link", { name: "Backups" }).click();
  await page.getByRole("button", { name: "Back up now" }).click();
  await page.getByText("The backup was made and verified.").waitFor();
  // The newest one is first. On a slow machine the program has made one of its own by now, two minutes after its start.
  await page.getByRole("button", { name: "Verify" }).first().click();
  await page.getByText("is sound.").waitFor();
  const downloaded = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download" }).first().click();
  const file = await downloaded;
  const { size } = statSync(await file.path());
  assert.equal(size, statSync(`${DATA}/backups/${file.suggestedFilename()}`).size);

  const city = async () => (await (await api("/customers/1", token)).json()).city;
  const before = await city();
  assert.equal((await api("/customers/1", token, { method: "PUT", body: JSON.stringify({ city: "Tubarão" }) })).status, 200);
  await page.locator(".backup summary").first().click();
  await page.getByText("Later changes are undone").first().waitFor();
  await page.getByRole("button", { name: "Go back to this backup" }).first().click();
  await page.getByText("The replaced data was kept:").waitFor();
  assert.equal(await city(), before);
  assert.ok(await page.locator(".backup").count() >= 2);
  assert.deepEqual(page.complaints, []);
  await context.close();
  passed("a backup made, verified, downloaded and restored");
}

/** `pleito console` opens a file in the browser, and waits until the file was used. */
async function fromTheDesktop(browser) {
  const context = await browser.newContext({ locale: "en-US" });
  const page = await context.newPage();
  const session = async () => (await context.cookies(CONSOLE)).find(({ name }) => name.startsWith("pleito_console")).value;
  const before = [];
  for (const times of [1, 2]) {
    const command = spawn(BIN, ["console", "--data-dir", DATA], { env: { ...process.env, PATH: OPENER, DISPLAY: ":99" }, stdio: "ignore" });
    const ended = once(command, "exit");
    const opened = () => existsSync(OPENED) ? readFileSync(OPENED, "utf8").trim().split("\n") : [];
    while (opened().length < times) await Promise.race([new Promise((resolve) => setTimeout(resolve, 50)), ended.then(() => assert.fail("it opened nothing"))]);
    const file = opened().at(-1);
    assert.ok(file.startsWith("/") && file.endsWith(".html"), file);
    await page.goto(`file://${file}`, { waitUntil: "commit" });
    await page.waitForURL(CONSOLE);
    await page.getByRole("button", { name: "Sign out" }).waitFor();
    assert.deepEqual(await ended, [0, null]);
    assert.ok(!existsSync(file), "the used file was not deleted");
    before.push(await session());
  }
  // The second time, the browser sent the cookie of the first session, so the server ended that session.
  const [{ name }] = await context.cookies(CONSOLE);
  const old = await browser.newContext();
  await old.addCookies([{ name, value: before[0], url: CONSOLE, sameSite: "Strict" }]);
  assert.equal((await (await old.newPage()).goto(CONSOLE)).status(), 403);

  // Other servers on this machine get no cookie, regardless of the host name.
  const sent = [];
  const neighbour = createServer(({ headers }, response) => { sent.push(headers.cookie ?? ""); response.end("."); });
  await new Promise((resolve) => neighbour.listen(0, "127.0.0.1", resolve));
  for (const host of ["127.0.0.1", "localhost", "app.localhost"]) await page.goto(`http://${host}:${neighbour.address().port}/console`);
  neighbour.close();
  assert.ok(sent.length >= 3 && sent.every((cookie) => cookie === ""), `${sent}`);
  await context.close();
  await old.close();
  passed("opened from the desktop through a file, twice; other ports get no cookie");
}

/** A list fades and shows why if the session has ended or the server does not respond, and recovers with the server. */
async function stale(browser) {
  const { context, page } = await visitor(browser);
  await page.goto(`${CONSOLE}/customers`);
  const rows = page.locator("#results.stale");
  const type = (text) => page.locator("#q").pressSequentially(text);
  await page.route("**/console/customers**", (route) => route.abort());
  await type("j");
  await page.getByRole("alert").getByText("Pleito does not answer").waitFor();
  assert.equal(await rows.count(), 1);
  await page.unroute("**/console/customers**");
  await type("o");
  await rows.waitFor({ state: "detached" });
  assert.equal(await page.getByRole("alert").count(), 0);
  await context.clearCookies();
  await type("a");
  await page.getByRole("alert").getByText("Your session has ended").waitFor();
  assert.equal(await rows.count(), 1);
  await context.close();
  passed("a list that cannot be updated fades and shows why");
}

/** A printed record contains no controls of the console. */
async function printed(browser) {
  const { context, page } = await visitor(browser);
  await page.goto(`${CONSOLE}/customers/1`);
  await page.emulateMedia({ media: "print" });
  for (const hidden of [".bar", ".title .tools", ".history", ".copyable button"]) assert.equal(await page.locator(hidden).first().isVisible(), false, hidden);
  assert.deepEqual(await page.locator("button, a.button").filter({ visible: true }).allTextContents(), []);
  assert.ok(await page.getByRole("heading", { name: "João da Conceição" }).isVisible());
  assert.doesNotMatch(await page.locator(".dates").innerText(), /·\s*$/, "no separator without its link");
  assert.ok(await page.locator(".letterhead span").isVisible(), "the day");
  // A week is a list of times in each of its columns, on a wide sheet.
  await page.goto(`${CONSOLE}/agenda?by=week`);
  assert.equal(await page.locator(".days .slots").first().isVisible(), false);
  assert.equal(await page.locator("main").evaluate((main) => getComputedStyle(main).page), "wide");
  const sheet = (await page.pdf({ preferCSSPageSize: true })).toString("latin1");
  const [, width, height] = /MediaBox \[\s*0 0 ([\d.]+) ([\d.]+)/.exec(sheet);
  assert.ok(Number(width) > Number(height), `${width} x ${height}`);
  await context.close();
  passed("a record and a week in print");
}

/** The progress of a running job updates in place. A focused button keeps the focus until the job ends. */
async function underWay(browser) {
  const { context, page } = await visitor(browser);
  const real = await page.goto(`${CONSOLE}/imports/move`);
  const { "content-encoding": _, "content-length": __, ...headers } = await real.allHeaders();
  const frame = await real.text();
  let requests = 0;
  await page.route(`${CONSOLE}/imports/move`, async (route) => {
    requests += 1;
    const main = requests < 4 ? `<div data-again><p role="status">step ${requests}</p></div><button id="stop">Stop</button>` : "<p>All done</p>";
    await route.fulfill({ headers, body: frame.replace(/<main([^>]*)>[^]*<\/main>/, `<main$1>${main}</main>`) });
  });
  await page.reload();
  await page.locator("#stop").focus();
  await page.getByText("step 3").waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.id), "stop");
  await page.getByText("All done").waitFor();
  assert.deepEqual(page.complaints, []);
  await context.close();
  passed("progress updates in place");
}

/** A new office name applies immediately. After a restart, the page returns to the console without signing in. */
async function restart(browser) {
  const { context, page } = await visitor(browser);
  await page.goto(`${CONSOLE}/settings`);
  await page.getByLabel("The office's name").fill("Silva & Souza");
  await page.keyboard.press("Control+Enter");
  await page.getByText("Saved, and in force.").waitFor();
  await page.getByRole("link", { name: "Overview" }).click();
  await page.getByRole("heading", { name: "Silva & Souza" }).waitFor();
  await page.goto(`${CONSOLE}/settings`);
  await page.getByRole("button", { name: "Restart Pleito" }).click();
  await page.getByRole("heading", { name: "Pleito is restarting" }).waitFor();
  await page.getByRole("heading", { name: "Silva & Souza" }).waitFor();
  assert.equal(page.url(), CONSOLE);
  // While the server restarts, the files of the waiting page cannot be loaded.
  assert.deepEqual(page.complaints.filter((line) => !line.includes("ERR_CONNECTION_REFUSED")), []);
  await context.close();
  passed("the office's name applies immediately; a restart returns to the console");
}

async function keptOut(browser, token) {
  const context = await browser.newContext({ locale: "en-US" });
  const page = await context.newPage();
  assert.equal((await page.goto(CONSOLE)).status(), 403);
  await page.getByText("It opens with a link").first().waitFor();
  assert.equal((await page.goto(CONSOLE.replace("//pleito-", "//pleito-0"))).status(), 421);
  const late = link();
  const links = `${DATA}/console-links`;
  for (const name of readdirSync(links)) {
    const [made, hash] = name.split("-");
    renameSync(`${links}/${name}`, `${links}/${made - 61}-${hash}`);
  }
  assert.equal(await enter(page, late), 403);
  await page.getByText("This link is no longer valid").first().waitFor();
  const used = link();
  assert.equal(await enter(page, used), 303);
  await page.waitForURL(CONSOLE);
  const stranger = await (await browser.newContext({ locale: "en-US" })).newPage();
  assert.equal(await enter(stranger, used), 403);

  // A page of another origin, on this machine.
  const evil = createServer((_, response) => response.setHeader("Content-Type", "text/html").end(
    `<form method=post action="${CONSOLE}/token"><button>go</button></form><iframe src="${CONSOLE}"></iframe>`));
  await new Promise((resolve) => evil.listen(0, "127.0.0.1", resolve));
  await page.goto(`http://127.0.0.1:${evil.address().port}/`);
  assert.ok(!(await page.frames()[1].content()).includes("Pleito"), "the console was shown in a frame");
  const refused = page.waitForResponse(`${CONSOLE}/token`);
  await page.getByRole("button").click();
  assert.equal((await refused).status(), 403);
  evil.close();
  assert.equal((await api("/settings", token)).status, 200, "the token was replaced");

  // The LAN listener has no console for this session, not even on this machine.
  const [cookie] = await context.cookies(CONSOLE);
  const status = await new Promise((resolve, reject) => {
    const headers = { Cookie: `${cookie.name}=${cookie.value}` };
    request(`${NETWORK}/console`, { headers, rejectUnauthorized: false }, (response) => { response.resume(); resolve(response.statusCode); })
      .on("error", reject).end();
  });
  assert.equal(status, 404);
  await page.goto(CONSOLE);
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("button", { name: "Sign out" }).waitFor({ state: "detached" });
  assert.equal((await page.goto(CONSOLE)).status(), 403);
  await context.close();
  passed("expired and used links, forms and frames of another origin, the LAN listener, signing out");
}

/** Selects several rows with mouse and keyboard, drops several files on a record, and views a PDF in a sandbox. */
async function many(browser, token) {
  const { context, page } = await visitor(browser);
  for (const name of ["Primeira", "Segunda", "Terceira", "Quarta"]) {
    const body = JSON.stringify({ users_id: 1, customers_origins_id: 1, name: `${name} Escolhida` });
    assert.equal((await api("/customers", token, { method: "POST", body })).status, 201);
  }
  await page.goto(`${CONSOLE}/customers?q=escolhida`);
  const boxes = page.locator("td.tick input"), bar = page.locator("form.chosen"), status = bar.locator("output");
  assert.deepEqual([await boxes.count(), await bar.isVisible()], [4, false]);
  await boxes.nth(0).click();
  await boxes.nth(2).click({ modifiers: ["Shift"] });
  assert.equal(await status.textContent(), "3 selected");
  const names = page.locator("[data-rows] .name a");
  await names.nth(0).focus();
  await page.keyboard.press("Space");
  await names.nth(3).focus();
  await page.keyboard.press("Space");
  await names.nth(0).focus();
  await page.keyboard.press("Shift+Space");
  assert.equal(await status.textContent(), "4 selected");
  await boxes.nth(3).click();
  // The selection is kept when the list is searched again.
  await page.locator("#q").fill("Escolhida");
  await page.waitForURL("**/customers?q=Escolhida");
  assert.equal(await status.textContent(), "3 selected");
  await bar.getByRole("button", { name: "Delete…" }).click();
  await page.getByRole("button", { name: "Delete 3 customers" }).click();
  await page.getByText("3 customers in the trash.").waitFor();
  await page.getByRole("link", { name: "See the trash" }).click();
  for (const at of [0, 1, 2]) await boxes.nth(at).check();
  await bar.getByRole("button", { name: "Restore" }).click();
  await page.getByText("3 customers restored.").waitFor();

  await page.goto(`${CONSOLE}/customers/1`);
  const files = await page.evaluateHandle(() => {
    const dropped = new DataTransfer();
    for (const [name, text] of [["dropped.pdf", "%PDF-1.4\n%%EOF"], ["dropped.txt", "text"], ["empty.txt", ""]]) dropped.items.add(new File([text], name));
    return dropped;
  });
  for (const name of ["dragover", "drop"]) await page.dispatchEvent("main", name, { dataTransfer: files });
  await page.locator("form.drop .stored").nth(1).waitFor();
  await page.locator("form.drop .refused", { hasText: "empty.txt" }).waitFor();
  // The browser's viewer opens, although the content is sandboxed.
  const viewer = page.waitForRequest((sent) => sent.url().startsWith("chrome"));
  const viewed = page.waitForResponse((response) => response.url().endsWith("/view"));
  await page.locator("form.drop .stored", { hasText: "dropped.pdf" }).getByRole("link").click();
  await page.locator("iframe").scrollIntoViewIfNeeded();
  const { "content-security-policy": policy, "content-type": type } = await (await viewed).allHeaders();
  assert.deepEqual([policy, type], ["sandbox; default-src 'none'; frame-ancestors 'self'", "application/pdf"]);
  await viewer;
  assert.deepEqual(page.complaints.filter((line) => !line.startsWith("requested: chrome")), []);
  await context.close();
  passed("rows selected, files dropped and viewed");
}

/** Returns the violations that axe-core finds, as readable lines. */
async function barriers(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
  return violations.map(({ id, help, nodes }) => `${id}: ${help}\n    ${nodes.slice(0, 3).map((node) => node.html).join("\n    ")}`);
}

/** The code on a customer's page is read by a published decoder, in light and dark colours, and is the contact that is downloaded. */
async function contact(browser) {
  const { context, page } = await visitor(browser);
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme });
    await page.goto(`${CONSOLE}/customers/1`);
    await page.getByText("QR code of the contact").click();
    const image = page.getByRole("img", { name: "QR code of the contact" });
    await image.evaluate(async (image) => { await image.decode(); });
    const { data, width, height } = await image.evaluate((image) => {
      const canvas = Object.assign(document.createElement("canvas"), { width: 2 * image.width, height: 2 * image.height });
      const drawing = canvas.getContext("2d");
      drawing.drawImage(image, 0, 0, canvas.width, canvas.height);
      const { data, width, height } = drawing.getImageData(0, 0, canvas.width, canvas.height);
      return { data: [...data], width, height };
    });
    const code = readCode(Uint8ClampedArray.from(data), width, height);
    const whole = await page.evaluate(async () => (await fetch(`${location.pathname}/file`)).text());
    assert.equal(Buffer.from(code.binaryData).toString(), whole);
    assert.match(whole, /FN:João da Conceição\r\n/);
  }
  assert.deepEqual(page.complaints, []);
  await context.close();
  passed("the contact of a customer as a code");
}

/** Checks in light and dark colours that a page is not wider than the window and that axe-core finds no violations. */
async function check(page, viewport, here) {
  const over = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  for (const width of viewport.width < 1000 ? [NARROWEST, viewport.width] : [viewport.width]) {
    await page.setViewportSize({ ...viewport, width });
    assert.ok(await over() <= 0, `${here}: ${await over()} px wider than a window of ${width}`);
  }
  for (const colorScheme of ["light", "dark"]) {
    // Turns off transitions, because axe-core cannot check the contrast of a changing colour.
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    assert.deepEqual(await barriers(page), [], `${here}, ${colorScheme}`);
  }
}

/** Checks pages that replace others: a rejected form, a conflicting change, signed out. */
async function replacedPages(browser, token, { name, ...kind }) {
  const { context, page } = await visitor(browser, kind);
  const checkPage = (here) => check(page, kind.viewport, `${name}, ${here}`);
  await page.goto(`${CONSOLE}/customers/new`);
  await page.fill("#f-identification", "1");
  await page.keyboard.press("Control+Enter");
  await page.locator("#e-identification").waitFor();
  await checkPage("a rejected form");
  page.on("dialog", (dialog) => dialog.accept());
  await page.goto(`${CONSOLE}/customers/1/edit`);
  await page.fill("#f-occupation", `Juíza ${kind.locale}`);
  assert.equal((await api("/customers/1", token, { method: "PUT", body: JSON.stringify({ city: `Cidade ${kind.locale}` }) })).status, 200);
  await page.keyboard.press("Control+Enter");
  await page.locator("[data-into=f-city]").waitFor();
  await checkPage("changed by another person");
  await page.keyboard.press("Control+Enter");
  await page.locator("[data-done]").waitFor();
  await checkPage("saved");
  await page.goBack();
  await page.locator(".notice").waitFor();
  await checkPage("saved already");
  await page.goto(`${CONSOLE}/lists/origins`);
  assert.match(await page.evaluate(() => document.activeElement.id), /^f-new-/);
  await page.keyboard.type(`Indicação ${kind.locale}`);
  await page.keyboard.press("Control+Enter");
  await page.locator("[data-done]").waitFor();
  assert.match(await page.evaluate(() => document.activeElement.id), /^f-new-/, "the next field has no focus");
  await checkPage("an entry added");
  await page.goto(`${CONSOLE}/keys/new?address=${encodeURIComponent("/posts?user_id=1")}`);
  await page.fill("#f-name", `Agenda ${kind.locale}`);
  await page.keyboard.press("Control+Enter");
  await page.locator(".once").waitFor();
  await checkPage("the addresses of a calendar");
  await page.goto(`${CONSOLE}/customers`);
  await page.locator("form.leave").evaluate((form) => form.requestSubmit());
  await page.locator(".notice").waitFor();
  await checkPage("signed out");
  await page.goto(CONSOLE);
  await checkPage("without a session");
  await context.close();
  passed(`${name}: pages that replace others`);
}

/** Pages work in a three-year-old browser, without popovers and `URLSearchParams.size`. */
async function old(browser) {
  const { context, page } = await visitor(browser, { locale: "en-US", viewport: { width: 390, height: 844 } });
  await page.addInitScript(() => {
    for (const name of ["popover", "showPopover", "hidePopover", "togglePopover"]) delete HTMLElement.prototype[name];
    delete URLSearchParams.prototype.size;
  });
  await page.goto(`${CONSOLE}/customers`);
  assert.equal(await page.evaluate(() => [new URLSearchParams("a=1").size, document.body.showPopover].join()), ",");
  await page.fill("#q", "joao");
  await page.waitForFunction(() => location.search === "?q=joao" && document.querySelectorAll("[data-rows] tbody tr").length > 0);
  await page.keyboard.press("Control+k");
  await page.keyboard.type("conceicao");
  await page.locator(".everywhere .found li a").first().click();
  await page.waitForURL("**/console/customers/*");
  assert.deepEqual(page.complaints, []);
  await context.close();
  passed("a three-year-old browser");
}

async function look(browser, { name, ...kind }) {
  const { context, page } = await visitor(browser, kind);
  let heaviest = 0;
  for (const path of [...PAGES, ...WORK]) {
    const here = `${name}, ${path || "/"}`;
    await page.goto(`${CONSOLE}${path}`);
    for (const one of await page.locator("main details").all()) await one.evaluate((details) => { details.open = true; });
    await check(page, kind.viewport, here);
    const weight = await page.evaluate(() => [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
      .reduce((sum, one) => sum + one.encodedBodySize, 0));
    heaviest = Math.max(heaviest, weight);
    assert.ok(weight < HEAVIEST, `${here}: ${weight} bytes`);
  }
  assert.deepEqual(page.complaints, [], name);
  await context.close();
  passed(`${name}: ${PAGES.length + WORK.length} pages, the largest ${heaviest} bytes`);
}

async function withoutScript(browser) {
  const { context, page } = await visitor(browser, { locale: "pt-BR", javaScriptEnabled: false });
  for (const [path, text] of [["", "Próximos 7 dias"], ["/api", "Endereços"], ["/posts/1", "Responsáveis"], ["/agenda?day=2026-12-10", "14:30"], ["/publications?treated=true", "Intimação"], ["/documents/1", "evil.html"], ["/customers?q=joao", "João da Conceição"], ["/search?q=joao", "João da Conceição"], ["/customers/1", "529.982.247-25"],
    ["/lawsuits?q=0000002", "0000002-65.2005.4.05.8100"], ["/lawsuits/1", "Ação de cobrança"], ["/birthdays", "Aniversários"],
    ["/lists/origins", "Origens"], ["/backups", "Voltar a este backup"], ["/settings", "Limites da API"]]) {
    await page.goto(`${CONSOLE}${path}`);
    assert.ok((await page.content()).includes(text), `${path}: ${text}`);
  }
  await page.goto(`${CONSOLE}/customers/1/edit`);
  await page.fill("#f-email", "joao@exemplo.com.br");
  await page.getByRole("button", { name: "Salvar" }).click();
  await page.locator("a[href='mailto:joao@exemplo.com.br']").waitFor();
  await context.close();
  passed("without scripts");
}

const browser = await chromium.launch({
  executablePath: BROWSER,
  args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync"],
});
try {
  const token = await firstRun(browser);
  await fromTheDesktop(browser);
  await customers(browser);
  await work(browser, token);
  await cases(browser, token);
  await contact(browser);
  await twoTabs(browser);
  await drafts(browser);
  await backups(browser, token);
  await stale(browser);
  await printed(browser);
  await underWay(browser);
  await restart(browser);
  await keptOut(browser, token);
  await old(browser);
  await many(browser, token);
  for (const kind of LOOKS) {
    await look(browser, kind);
    await replacedPages(browser, token, kind);
  }
  await withoutScript(browser);
} finally {
  await browser.close();
}

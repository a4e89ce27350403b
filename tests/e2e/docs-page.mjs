// Tests /docs and its guides in Chromium: light, dark, and on the width of a phone. The page must:
//
// - show every operation in the reader's language, and remember a chosen language;
// - log nothing to the browser's console, follow its content security policy, and only send requests to its own server;
// - send requests that the reader tries, and not store or show the token;
// - link to guides whose links work and whose code can be copied;
// - never be wider than the window, and have no accessibility violations that axe-core finds.

import assert from "node:assert/strict";
import { createRequire } from "node:module";

const { BROWSER, NODE_PACKAGES, ORIGIN, TOKEN } = process.env;
const require = createRequire(`${NODE_PACKAGES}/`);
const { chromium } = require("playwright-core");
const axeSource = require("axe-core").source;

// axe-core takes about ten seconds for the page of all operations, so it checks each width and each colour scheme once.
const LOOKS = [
  { name: "light", axe: true, locale: "en-US", colorScheme: "light", viewport: { width: 1400, height: 900 } },
  { name: "dark, in Portuguese", locale: "pt-BR", colorScheme: "dark", viewport: { width: 1400, height: 900 } },
  { name: "360 px wide", locale: "en-US", colorScheme: "light", viewport: { width: 360, height: 740 } },
  { name: "360 px wide, dark", axe: true, locale: "pt-BR", colorScheme: "dark", viewport: { width: 360, height: 740 } },
];

async function wide(page, when) {
  const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.equal(over, 0, `${when}: ${over} px wider than the window`);
}

/** Returns the violations that axe-core finds in an element, as readable lines. */
async function barriers(page, selector = "html") {
  await page.evaluate(axeSource);
  const { violations } = await page.evaluate((root) => axe.run(root, { resultTypes: ["violations"] }), selector);
  return violations.map(({ id, help, nodes }) => `${id}: ${help}\n    ${nodes.slice(0, 3).map((node) => node.html).join("\n    ")}`);
}

async function send(page, id, clicks) {
  const operation = page.locator(`#${id}`);
  for (let click = 0; click < clicks; click += 1) {
    if (click) await page.waitForTimeout(800); // A write is confirmed by a second click, but not by a double click.
    await operation.locator("button.main").click();
  }
  const status = operation.locator(".result .status");
  await status.waitFor();
  return status.innerText();
}

const TITLES = { pt: "Cadastrar um cliente", en: "Create a customer" };

async function speaks(page, lang, when) {
  await page.locator("#createCustomer h3", { hasText: TITLES[lang] }).waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.lang.slice(0, 2)), lang, when);
}

/** Selects the other language. The token must stay in use, and the language must be kept when the page is reloaded. */
async function change(page, lang, name) {
  const other = lang === "pt" ? "en" : "pt";
  await page.locator(".languages").getByRole("link", { name: other.toUpperCase() }).click();
  await speaks(page, other, `${name}, changed`);
  assert.ok(await page.locator("#token-kept").isVisible(), `${name}: the token was lost`);
  await page.locator("#filter").evaluate((field) => { // On phones, the field is behind a button.
    field.value = "customers/birthdays";
    field.dispatchEvent(new Event("input"));
  });
  assert.match(await page.locator("#found").textContent(), /^1 (de|of) /, `${name}: the index was not rebuilt`);
  await page.reload();
  await speaks(page, other, `${name}, again`);
  return other;
}

/** Opens all guides that the page links to. */
async function guides(page, lang, name, axe) {
  const paths = await page.locator(".guides a").evaluateAll((all) => all.map((one) => one.pathname));
  assert.deepEqual(paths.slice(0, 2), ["/docs", "/docs/automations"], name);
  for (const path of paths.slice(1)) {
    const when = `${name}, ${path}`;
    await page.goto(`${ORIGIN}${path}`);
    assert.equal(await page.evaluate(() => document.documentElement.lang.slice(0, 2)), lang, when);
    assert.equal(await page.locator(".guides [aria-current]").getAttribute("href"), path, when);
    const links = await page.locator("main a, .guides a").evaluateAll((all) => all.map((one) => one.href));
    for (const link of new Set(links)) {
      const { origin, pathname, search, hash } = new URL(link);
      if (origin !== ORIGIN) continue;
      const response = await page.request.get(`${ORIGIN}${pathname}?lang=${new URLSearchParams(search).get("lang") ?? lang}`);
      assert.equal(response.status(), 200, `${when}: ${link}`);
      const heading = decodeURIComponent(hash.slice(1));
      assert.ok(!heading || (await response.text()).includes(`id="${heading}"`), `${when}: ${link}`);
    }
    const blocks = page.locator("main pre");
    assert.equal(await page.locator("main .copied button").count(), await blocks.count(), when);
    await page.locator("main .copied button").first().click();
    await page.locator("main .copied button", { hasText: /Copied|Copiado/ }).waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), await blocks.first().textContent(), when);
    await wide(page, when);
    if (axe) assert.deepEqual(await barriers(page), [], when);
  }
}

async function look(browser, operations, { name, axe = false, ...kind }) {
  const lang = kind.locale.slice(0, 2);
  const context = await browser.newContext({ ...kind, permissions: ["clipboard-read", "clipboard-write"] });
  const page = await context.newPage();
  page.setDefaultTimeout(90_000);
  const complaints = [];
  page.on("console", (line) => complaints.push(`console: ${line.text()}`));
  page.on("pageerror", (error) => complaints.push(`script: ${error.message}`));
  page.on("requestfailed", (request) => complaints.push(`failed: ${request.url()}`));
  page.on("request", (request) => request.url().startsWith(`${ORIGIN}/`) || complaints.push(`requested: ${request.url()}`));
  await page.addInitScript(() => {
    globalThis.refused = [];
    addEventListener("securitypolicyviolation", (event) => globalThis.refused.push(`${event.violatedDirective} ${event.blockedURI}`));
  });

  await page.goto(`${ORIGIN}/docs`);
  await page.locator("article.operation").first().waitFor();
  const shown = await page.locator("article.operation").evaluateAll((all) => all.map((one) => one.id));
  assert.deepEqual(shown.sort(), operations, `${name}: not every operation is shown`);
  const listed = await page.locator("#entries a").evaluateAll((all) => all.map((one) => one.hash.slice(1)));
  assert.deepEqual(listed.sort(), operations, `${name}: not every operation is in the index`);
  await wide(page, `${name}, at first`);

  await speaks(page, lang, name);
  await page.fill("#token", TOKEN);
  await page.press("#token", "Enter");
  assert.equal(await send(page, "getSettings", 1), "200", name);
  // Examples contain no ids of the office's records, and list entries can be selected by name.
  assert.equal(await page.locator("#getCustomer .parameters input").first().inputValue(), "", name);
  for (const [id, members] of [
    ["createLawsuit", ["customers_id"]], ["createTask", ["lawsuits_id"]], ["mergeCustomers", ["from"]],
  ]) {
    const body = JSON.parse(await page.locator(`#${id} textarea`).inputValue());
    for (const member of members) assert.equal(body[member] ?? null, null, `${name}: ${id} has the id of a record`);
  }
  const captured = JSON.parse(await page.locator("#mergeMovements textarea").inputValue());
  assert.equal(captured.movements[0].lawsuit_id, null, name);
  const customer = page.locator("#createCustomer");
  await customer.getByRole("button", { name: /by name|pelo nome/ }).click();
  const origins = customer.locator("#createCustomer-entry-customers_origins_id");
  await origins.waitFor().catch(async (error) => {
    throw new Error(`${name}: no lists by name; the page says: ${await customer.locator(".problem").allInnerTexts()}`, { cause: error });
  });
  await origins.selectOption({ label: "Site (2)" });
  assert.equal(JSON.parse(await customer.locator("textarea").inputValue()).customers_origins_id, 2, name);
  assert.equal(await send(page, "createCustomer", 2), "201", name);
  // Not by clicks: on a page this long, each one takes a quarter of a second.
  await page.locator("#createCustomer details, #listLawsuits details").evaluateAll((all) => {
    for (const details of all) details.open = true;
  });
  await wide(page, `${name}, with responses and all details open`);
  if (axe) assert.deepEqual(await barriers(page, "#createCustomer"), [], name);

  const kept = await page.evaluate(() => [localStorage.length, sessionStorage.length, document.cookie]);
  assert.deepEqual(kept, [0, 0, ""], `${name}: the page stores data`);
  assert.ok(!(await page.content()).includes(TOKEN), `${name}: the token is in the page`);
  const other = await change(page, lang, name);
  assert.deepEqual(await page.evaluate(() => globalThis.refused), [], `${name}: content security policy`);
  await guides(page, other, name, axe);
  assert.deepEqual(complaints, [], name);
  if (axe) {
    // In a page of its own: Chromium takes half a minute for the next click after such a run.
    const whole = await context.newPage();
    await whole.goto(`${ORIGIN}/docs`);
    await whole.locator("article.operation").first().waitFor();
    assert.deepEqual(await barriers(whole), [], name);
  }
  await context.close();
  console.log(`   ${name}: ${shown.length} operations`);
}

const description = await (await fetch(`${ORIGIN}/openapi.json`)).json();
const operations = Object.values({ ...description.paths, ...description.webhooks }).flatMap((path) => Object.values(path))
  .map((operation) => operation.operationId).sort();
assert.ok(operations.length > 20);

const browser = await chromium.launch({
  executablePath: BROWSER,
  args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync"],
});
try {
  for (const kind of LOOKS) await look(browser, operations, kind);
} finally {
  await browser.close();
}

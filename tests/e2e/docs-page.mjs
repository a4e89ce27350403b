// Opens /docs in Chromium, light, dark and as narrow as a telephone: shows every operation, reports nothing on the
// console, keeps its content policy, asks nobody but its own server, answers a try, keeps the token to itself, is never
// wider than the window, and has nothing that axe-core knows to be in the way of people with disabilities.

import assert from "node:assert/strict";
import { createRequire } from "node:module";

const { BROWSER, NODE_PACKAGES, ORIGIN, TOKEN } = process.env;
const require = createRequire(`${NODE_PACKAGES}/`);
const { chromium } = require("playwright-core");
const axe = require("axe-core").source;

const LOOKS = [
  { name: "light", locale: "en-US", colorScheme: "light", viewport: { width: 1400, height: 900 } },
  { name: "dark, in Portuguese", locale: "pt-BR", colorScheme: "dark", viewport: { width: 1400, height: 900 } },
  { name: "360 px wide", locale: "en-US", colorScheme: "light", viewport: { width: 360, height: 740 } },
  { name: "360 px wide, dark", locale: "pt-BR", colorScheme: "dark", viewport: { width: 360, height: 740 } },
];

async function wide(page, when) {
  const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.equal(over, 0, `${when}: ${over} px wider than the window`);
}

/** What axe-core finds, as lines to read. */
async function barriers(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
  return violations.map(({ id, help, nodes }) => `${id}: ${help}\n    ${nodes.slice(0, 3).map((node) => node.html).join("\n    ")}`);
}

async function send(page, id, clicks) {
  const operation = page.locator(`#${id}`);
  for (let click = 0; click < clicks; click += 1) {
    if (click) await page.waitForTimeout(800); // A write is confirmed by a second click, which no double click is.
    await operation.locator("button.main").click();
  }
  const status = operation.locator(".result .status");
  await status.waitFor();
  return status.innerText();
}

async function look(browser, operations, { name, ...kind }) {
  const context = await browser.newContext(kind);
  const page = await context.newPage();
  const complaints = [];
  page.on("console", (line) => complaints.push(`console: ${line.text()}`));
  page.on("pageerror", (error) => complaints.push(`script: ${error.message}`));
  page.on("requestfailed", (request) => complaints.push(`failed: ${request.url()}`));
  page.on("request", (request) => request.url().startsWith(`${ORIGIN}/`) || complaints.push(`asked: ${request.url()}`));
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

  await page.fill("#token", TOKEN);
  await page.press("#token", "Enter");
  assert.equal(await send(page, "getSettings", 1), "200", name);
  // No try begins on a record of the office's, and an entry is chosen by its name.
  assert.equal(await page.locator("#getCustomersId .parameters input").first().inputValue(), "", name);
  const customer = page.locator("#postCustomers");
  await customer.getByRole("button", { name: /by name|pelo nome/ }).click();
  await customer.locator("#postCustomers-entry-customers_origins_id").selectOption({ label: "Site (2)" });
  assert.equal(JSON.parse(await customer.locator("textarea").inputValue()).customers_origins_id, 2, name);
  assert.equal(await send(page, "postCustomers", 2), "201", name);
  for (const summary of await page.locator("#postCustomers summary, #getLawsuits summary").all()) {
    if (!(await summary.evaluate((one) => one.parentElement.open))) await summary.click();
  }
  await wide(page, `${name}, with answers and everything open`);
  assert.deepEqual(await barriers(page), [], name);

  const kept = await page.evaluate(() => [localStorage.length, sessionStorage.length, document.cookie]);
  assert.deepEqual(kept, [0, 0, ""], `${name}: something is stored`);
  assert.ok(!(await page.content()).includes(TOKEN), `${name}: the token stands in the page`);
  assert.deepEqual(await page.evaluate(() => globalThis.refused), [], `${name}: against the content policy`);
  assert.deepEqual(complaints, [], name);
  await context.close();
  console.log(`   ${name}: ${shown.length} operations`);
}

const description = await (await fetch(`${ORIGIN}/openapi.json`)).json();
const operations = Object.values(description.paths).flatMap((path) => Object.values(path))
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

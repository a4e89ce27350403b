// Everyday tasks in the console, from the overview, as somebody does them who knows it: every click and every key beside the
// text itself is counted, and held to what docs/console.md promises. Prints the table that stands there.

import assert from "node:assert/strict";
import { createRequire } from "node:module";

const { BROWSER, LINK, NODE_PACKAGES } = process.env;
const { chromium } = createRequire(`${NODE_PACKAGES}/`)("playwright-core");

const browser = await chromium.launch({
  executablePath: BROWSER,
  args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync"],
});
const page = await (await browser.newContext({ locale: "en-US", viewport: { width: 1366, height: 800 } })).newPage();
await page.goto(LINK);
await page.waitForURL("**/console");
const { origin } = new URL(LINK);
const found = (text) => page.locator(".everywhere .found a", { hasText: text }).first();

/** A lawsuit that is open, and has a number of the courts' form. */
async function lawsuit() {
  await page.goto(`${origin}/console/lawsuits?open=true`);
  const link = page.locator("[data-rows] tbody a").filter({ hasText: /^\d{7}-\d{2}\.\d{4}/ }).first();
  return { number: await link.innerText(), path: new URL(await link.getAttribute("href"), origin).pathname };
}

let clicks = 0, keys = 0;
const click = (target) => { clicks += 1; return target.click(); };
const press = (key) => { keys += 1; return page.keyboard.press(key); };
const type = (text) => page.keyboard.type(text);
const button = (name) => page.getByRole("button", { name, exact: true });
/** A list that a click would open is no page's to look into: what the click would do but for that. */
const open = (choices) => { clicks += 1; return choices.focus(); };
async function edit() {
  await press("Alt+e");
  await page.waitForURL("**/edit");
}

/** Each task with the most clicks it may take. */
const TASKS = [
  ["Register a customer", 2, async () => {
    await press("Control+k");
    await type("Zulmira Quintanilha");
    await click(found("New customer"));
    await page.waitForURL("**/customers/new?**");
    // What is still to be filled in has the focus.
    const focused = (id) => page.waitForFunction((id) => document.activeElement.id === id, id);
    await focused("f-users_id");
    await press("ArrowDown");
    await press("Tab");
    await focused("f-customers_origins_id");
    await press("ArrowDown");
    await click(button("Save"));
    await page.getByText("Added.").waitFor();
  }],
  ["Find a customer and correct the phone", 3, async () => {
    await press("Control+k");
    await type("zulmira");
    await click(found("Zulmira Quintanilha"));
    await page.getByRole("heading", { name: "Zulmira Quintanilha" }).waitFor();
    await edit();
    await click(page.locator("#f-cellphone"));
    await type("48988880000");
    await click(button("Save"));
    await page.getByRole("link", { name: "(48) 98888-0000" }).waitFor();
  }],
  ["Move a lawsuit to another stage", 2, async ({ number }) => {
    await press("Control+k");
    await type(number);
    await found(number).waitFor();
    await press("ArrowDown");
    await press("Enter");
    await page.getByRole("heading", { name: number }).waitFor();
    await edit();
    await open(page.locator("#f-stages_id"));
    await press("ArrowDown");
    await click(button("Save"));
    await page.getByText("Changes saved.").waitFor();
  }],
  ["Close a lawsuit", 2, async ({ number }) => {
    await press("Control+k");
    await type(number);
    await click(found(number));
    await click(button("Close"));
    await page.getByText("Lawsuit closed today.").waitFor();
  }],
  ["See whose birthday it is today", 0, async () => {
    await page.getByRole("heading", { name: "Birthdays today" }).waitFor();
  }],
  ["Find a lawsuit by the end of its number", 0, async ({ number, path }) => {
    await press("Control+k");
    await type(number.slice(-12));
    await page.locator(`.everywhere .found a[href='${path}']`).waitFor();
  }],
];

const { number, path } = await lawsuit();
const rows = [];
for (const [name, most, act] of TASKS) {
  await page.goto(`${origin}/console`);
  clicks = keys = 0;
  await act({ number, path });
  assert.ok(clicks <= most, `${name}: ${clicks} clicks, ${most} at most`);
  rows.push(`| ${name} | ${clicks} | ${keys} |`);
}
await browser.close();
console.log(["| Task, from the overview | Clicks | Keys beside the text |", "|---|---|---|", ...rows].join("\n"));

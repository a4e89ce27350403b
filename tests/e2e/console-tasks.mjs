// Measures everyday tasks in the console, from the overview, as an experienced user does them. Counts clicks, and keys
// other than typed text, and compares them with the limits in docs/console.md. Prints the table that is in that
// document.

import assert from "node:assert/strict";
import { createRequire } from "node:module";

const { BROWSER, FULL, LINK, NODE_PACKAGES } = process.env;
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
/** Returns the first hit whose name or details contain the text. */
const found = (text) => page.locator(".everywhere .found :has(> a)", { hasText: text }).locator("> a").first();

/** A lawsuit number in the format of the courts. */
const NUMBER = /\d{7}-\d{2}\.\d{4}\.\d\.\d{2}\.\d{4}/;

/** Returns an open lawsuit with a number in that format. */
async function lawsuit() {
  await page.goto(`${origin}/console/lawsuits?open=true`);
  const row = page.locator("[data-rows] tbody tr").filter({ hasText: NUMBER }).first();
  const [number] = NUMBER.exec(await row.innerText());
  return { number, path: new URL(await row.locator("a").first().getAttribute("href"), origin).pathname };
}

let clicks = 0, keys = 0, pages = 0;
page.on("domcontentloaded", () => { pages += 1; });
const click = (target) => { clicks += 1; return target.click(); };
const press = (key) => { keys += 1; return page.keyboard.press(key); };
const type = (text) => page.keyboard.type(text);
/** Types text whose letters count as keys. */
const write = (text) => { keys += text.length; return type(text); };
const button = (name) => page.getByRole("button", { name, exact: true });
/** Counts a click on a list and focuses it. Scripts cannot see the options that a click would open. */
const open = (choices) => { clicks += 1; return choices.focus(); };
async function edit() {
  await press("Alt+e");
  await page.waitForURL("**/edit");
}

/** Each task with its maximum clicks and, if documented, its maximum keys (including letters) and pages. */
const TASKS = [
  ["Register a customer", 2, async () => {
    await press("Control+k");
    await type("Zulmira Quintanilha");
    await click(found("New customer"));
    await page.waitForURL("**/customers/new?**");
    // The first empty required field has the focus.
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
  ["Move a lawsuit to another stage", 2, async ({ number, path }) => {
    await press("Control+k");
    await type(number);
    await found(number).waitFor();
    await press("ArrowDown");
    await press("Enter");
    await page.waitForURL(`**${path}`);
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
  ["Open a customer by name and end of phone", 0, async () => {
    await press("Control+k");
    await type("rosangela 3456");
    await press("Enter");
    await page.waitForURL(/\/console\/customers\/\d+$/);
    await page.getByRole("heading", { name: "Rosângela Quintanilha" }).waitFor();
    assert.deepEqual([keys + "rosangela 3456".length, pages], [16, 1], "16 keys with the text, and one page");
  }],
  ["Find a lawsuit by the end of its number", 0, async ({ number, path }) => {
    await press("Control+k");
    await type(number.slice(-12));
    await page.locator(`.everywhere .found a[href='${path}']`).waitFor();
  }],
  ["Fees of a case in 12 instalments, all keys counted", 2, async ({ path }) => {
    await page.goto(`${origin}${path}`);
    clicks = keys = pages = 0;
    await click(page.getByRole("link", { name: "New transaction", exact: true }).first());
    await page.waitForFunction(() => document.activeElement.id === "f-amount");
    await write("18000");
    await press("Tab");
    await write("10/12");
    await press("Tab");
    await write("12");
    // The form shows the instalments before they are saved.
    await page.locator("#parts [name=amount-12]").waitFor();
    await click(button("Save"));
    await page.getByText("Added.").waitFor();
    assert.equal(await page.locator(".below tr:has-text('/12')").count(), 12);
  }, { keys: 14, pages: 2 }],
  ["Delete a lawsuit with its 12 instalments, from its page", 2, async () => {
    await page.goto(`${origin}/console/lawsuits/${FULL}`);
    let pages = 0;
    page.on("load", () => { pages += 1; });
    await click(page.getByRole("link", { name: "Delete…", exact: true }));
    await page.getByText("12 transactions").waitFor();
    await click(button("Move to the trash"));
    await page.getByText("Moved to the trash.").waitFor();
    // The text may be there before the page has loaded and counts.
    await page.waitForLoadState();
    assert.deepEqual([keys, pages], [0, 2], "keys and pages");
    // One click restores it with its instalments.
    await page.locator("tr", { has: page.locator(`form[action$='/lawsuits/${FULL}/restore']`) }).getByRole("button").click();
    await page.getByText("Restored.").waitFor();
    await page.getByRole("heading", { name: "Transactions 12" }).waitFor();
  }],
  ["Receive a part of an instalment, from its page", 2, async () => {
    await page.goto(`${origin}/console/lawsuits/${FULL}`);
    await page.locator(".below a[href*='/transactions/']:has-text('/12')").first().click();
    await page.getByLabel("Amount (R$)").waitFor();
    // The form is there before its page has loaded and counts.
    await page.waitForLoadState();
    let pages = 0;
    page.on("load", () => { pages += 1; });
    await click(page.getByLabel("Amount (R$)"));
    await write("50");
    await click(button("Receive"));
    await page.getByText("Payment recorded.").waitFor();
    await page.waitForLoadState();
    assert.deepEqual([keys, pages], [2, 1], "keys and pages");
  }],
  ["See which deadlines a new holiday touches", 2, async ({ number, path }) => {
    await page.goto(`${origin}/console/posts/new?lawsuits_id=${path.split("/").pop()}`);
    const deadline = page.locator("[name=date_deadline]");
    await page.locator("[name=tasks_id]").selectOption({ label: "Prazo" });
    await page.locator("[name=start_date]").fill("tomorrow");
    await deadline.fill("15 du");
    // The day counts as seen once the count stands beside the field. Without it, the form would ask.
    await page.locator("output.count details").waitFor();
    clicks = keys = pages = 0;
    await click(button("Save"));
    await page.getByText("Added.").waitFor();
    const counted = await page.locator("main").innerText();
    const [day] = /\d{4}-\d\d-\d\d(?=: last day of the deadline)/.exec(counted);
    await page.goto(`${origin}/console/holidays/new`);
    await page.locator("[name=day]").fill(day);
    await page.locator("[name=scope]").fill("br");
    await click(button("Save"));
    await page.getByText("Added.").waitFor();
    const review = page.locator("section", { has: page.getByRole("heading", { name: "Deadlines to review" }) });
    await review.getByRole("row", { name: number }).getByText(day).waitFor();
  }],
];

const { number, path } = await lawsuit();
const rows = [];
for (const [name, most, act, also] of TASKS) {
  await page.goto(`${origin}/console`);
  clicks = keys = pages = 0;
  await act({ number, path });
  assert.ok(clicks <= most, `${name}: ${clicks} clicks, at most ${most}`);
  assert.ok(!also || (keys <= also.keys && pages <= also.pages), `${name}: ${keys} keys, ${pages} pages`);
  rows.push(`| ${name} | ${clicks} | ${keys} |`);
}
await browser.close();
console.log(["| Task, from the overview | Clicks | Keys beside the text |", "|---|---|---|", ...rows].join("\n"));

// Tests the console on a touch screen of 390 px: calls a client, completes a task, stores a photo and opens a
// publication. No page may be wider than the window, and all touch targets must be large enough. If the server cannot
// be reached, the page shows that and keeps typed text. Also tests the page /trust on phones and desktops.

import assert from "node:assert/strict";
import { createRequire } from "node:module";

const { BROWSER, CUSTOMER, E2E_PICTURES, FINGERPRINT, LINK, NETWORK, NODE_PACKAGES } = process.env;
const require = createRequire(`${NODE_PACKAGES}/`);
const { chromium } = require("playwright-core");
const axe = require("axe-core").source;

/** Minimum width and height of touch targets, in CSS pixels (WCAG 2.5.5). */
const TARGET = 44;
const IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1";
const PHONE = { locale: "pt-BR", viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const { origin } = new URL(LINK);
const passed = (what) => console.log(`   ${what}`);

const browser = await chromium.launch({
  executablePath: BROWSER,
  args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync"],
});
const context = await browser.newContext(PHONE);
const page = await context.newPage();
page.on("pageerror", (error) => assert.fail(error.message));
await page.goto(LINK);
await page.waitForURL("**/console");

/** Returns targets that are too small. A link may cover its whole row. */
const small = () => page.evaluate((target) => {
  const size = (one) => {
    const covers = getComputedStyle(one, "::after").position === "absolute";
    const { width, height } = (covers ? one.closest("tr, li") : one.closest("label") ?? one).getBoundingClientRect();
    return [width, height].map(Math.round);
  };
  const isShown = (one) => one.checkVisibility() && !one.closest(".hidden, .skip, .gone");
  return [...document.querySelectorAll("a[href], button, input:not([type=hidden]), select, textarea, summary")]
    .filter((one) => isShown(one) && Math.min(...size(one)) < target)
    .map((one) => `${size(one).join(" x ")}: ${one.outerHTML.slice(0, 120)}`);
}, TARGET);

async function fits(name) {
  const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(over <= 0, `${name}: ${over} px too wide`);
  assert.deepEqual(await small(), [], name);
  if (E2E_PICTURES) await page.screenshot({ path: `${E2E_PICTURES}/phone-${name}.png` });
}

async function open(path, name) {
  await page.goto(`${origin}/console${path}`);
  await fits(name);
}

await fits("who-works-here");
const people = await page.locator(".panel.acting button").allInnerTexts();
await page.locator(".panel.acting button").first().tap();
await page.locator("button.person").tap();
const others = page.locator(".colleagues button");
assert.deepEqual(await others.allInnerTexts(), people.slice(1));
await fits("colleagues");
await others.last().tap();
await page.waitForFunction((name) => document.querySelector("button.person").innerText === name, people.at(-1));
const head = await page.locator(".bar").evaluate((one) => one.getBoundingClientRect().height);
assert.ok(head < 64, `the head of the page is ${head} px high`);
passed("the person who works here is changed in the head, which is one row");

for (const [path, name] of [["", "overview"], ["/agenda", "agenda"], ["/agenda?by=month", "month"], ["/customers", "customers"], ["/lawsuits", "lawsuits"],
  ["/transactions/cash", "cash"], ["/transactions/overdue", "overdue"], ["/transactions/1", "transaction"], ["/birthdays", "birthdays"],
  ["/conflicts", "conflicts"], ["/imports", "imports"], ["/trash", "trash"], ["/lists/users", "team"], ["/lists/stages", "stages"], ["/people/1", "person"],
  ["/customers/1", "client"], ["/customers/1/merge", "merge"], ["/customers/1/delete", "delete"], ["/customers/duplicates", "duplicates"], ["/backups", "backups"],
  ["/settings", "settings"], ["/api", "api"], ["/agenda?by=day", "day"], ["/posts", "tasks"], ["/transactions", "transactions"], ["/posts/new", "new-task"], ["/customers/1/edit", "edit"], ["/search?q=silva", "search"]]) await open(path, name);
assert.equal(await page.evaluate(() => { scrollTo(0, 1e4); return document.querySelector(".bar").getBoundingClientRect().top; }), 0, "the navigation scrolls away");
await page.getByRole("button", { name: "Menu" }).tap();
await fits("menu");
passed("pages fit the window, and touch targets are large enough");

await page.goto(`${origin}/console/agenda`);
const today = await page.locator(".days .today h2").evaluate((one) => one.getBoundingClientRect().bottom);
assert.ok(today < PHONE.viewport.height, `today is at ${today}`);
passed("the agenda of a week begins with today");

await open(`/customers/${CUSTOMER}`, "customer");
const links = await page.locator(".reach a").evaluateAll((all) => all.map((one) => [one.getAttribute("href"), one.rel]));
assert.deepEqual(links, [["tel:48988883456", ""], ["https://wa.me/5548988883456", "noreferrer"], ["tel:4833334444", ""]]);
passed("links to call a client and to send a message");

await page.goto(`${origin}/console/posts`);
await page.locator("[data-rows] tbody tr", { has: page.getByRole("button", { name: "Concluir" }) }).first().tap({ position: { x: 200, y: 12 } });
await page.waitForURL(/posts\/\d+$/);
await fits("task");
await page.locator(".tools").getByRole("button", { name: "Concluir" }).tap();
await page.locator("[data-done]").waitFor();
passed("a task is completed");

await open("/lawsuits/1", "lawsuit");
const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.getByRole("button", { name: "Tirar foto" }).tap()]);
const PIXEL = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64");
await chooser.setFiles({ name: "foto.png", mimeType: "image/png", buffer: PIXEL });
await page.locator("form.drop .stored a").waitFor();
await fits("photo");
await page.locator("form.drop .stored a").tap();
await page.locator(".viewer img").waitFor();
await open("/documents/new?lawsuit_id=1", "new-document");
assert.ok(await page.getByRole("button", { name: "Tirar foto" }).isVisible());
passed("a photo is stored in a lawsuit");

await page.goto(`${origin}/console/publications`);
await fits("publications");
await page.locator("[data-rows] tbody tr").first().tap();
await page.waitForURL(/publications\/\d+$/);
await fits("publication");
passed("a publication is opened");

await page.goto(`${origin}/console/customers/${CUSTOMER}/edit`);
await page.fill("#f-occupation", "Costureira");
await context.setOffline(true);
await page.getByRole("button", { name: "Salvar" }).tap();
await page.locator(".away").waitFor();
assert.match(await page.locator(".away").innerText(), /O Pleito não responde/);
await fits("away");
await page.locator("a.brand").tap();
await page.waitForTimeout(300);
assert.equal(await page.inputValue("#f-occupation"), "Costureira", "typed text was lost");
await context.setOffline(false);
await page.locator(".away").waitFor({ state: "detached" });
await page.getByRole("button", { name: "Salvar" }).tap();
await page.locator("[data-done]").waitFor();
assert.match(await page.locator("main").innerText(), /Costureira/);
passed("without a connection, the page shows an error and keeps typed text");

const manifest = await page.evaluate(async () => (await fetch(document.querySelector("link[rel=manifest]").href)).json());
assert.equal(manifest.name, "Silva & Souza Advocacia");
const client = await context.newCDPSession(page);
const { errors } = await client.send("Page.getAppManifest");
assert.deepEqual(errors, []);
const { installabilityErrors } = await client.send("Page.getInstallabilityErrors");
assert.deepEqual(installabilityErrors.map((error) => error.errorId).filter((id) => id !== "in-incognito"), []);
await context.close();
passed("the console can be added to the home screen");

for (const [name, kind, first] of [
  ["iphone", { ...PHONE, userAgent: IPHONE }, "iphone"],
  ["android-dark", { ...PHONE, locale: "en-US", colorScheme: "dark" , userAgent: "Mozilla/5.0 (Linux; Android 14; K) Chrome/130.0.0.0 Mobile" }, "android"],
  ["windows", { locale: "pt-BR", viewport: { width: 1366, height: 768 }, userAgent: "Mozilla/5.0 (Windows NT 10.0; Win64; x64)" }, "windows"],
]) {
  const context = await browser.newContext({ ...kind, ignoreHTTPSErrors: true });
  const page = await context.newPage();
  const complaints = [];
  page.on("console", (line) => complaints.push(line.text()));
  await page.goto(`${NETWORK}/trust`);
  assert.equal(await page.locator(".fingerprint").innerText(), FINGERPRINT, name);
  assert.equal(await page.locator(".system").first().getAttribute("id"), first);
  assert.ok(await page.locator(".system").first().locator("svg").first().isVisible(), `${name}: drawings`);
  for (const system of await page.locator(".system").all()) await system.evaluate((one) => { one.open = true; });
  const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(over <= 0, `/trust, ${name}: ${over} px too wide`);
  if (E2E_PICTURES) await page.screenshot({ path: `${E2E_PICTURES}/trust-${name}.png`, fullPage: true });
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
  assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`), [], name);
  const download = page.waitForEvent("download");
  await page.locator(".system a.button").first().click();
  assert.match((await download).suggestedFilename(), /^pleito(-ca)?\.(cmd|mobileconfig|crt)$/);
  assert.deepEqual(complaints, [], name);
  assert.deepEqual(await context.cookies(), [], "no cookies");
  await context.close();
}
passed("/trust: fingerprint, instructions for the own system first, downloads");
await browser.close();

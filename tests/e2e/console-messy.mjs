// Imports untidy spreadsheets in the console. Counts clicks, keys and pages from the overview on, including two clicks
// in the system's file dialog, and compares them with the documented limits.

import assert from "node:assert/strict";
import { createRequire } from "node:module";

const { BROWSER, FILES, LINK, NODE_PACKAGES } = process.env;
const { chromium } = createRequire(`${NODE_PACKAGES}/`)("playwright-core");

const browser = await chromium.launch({
  executablePath: BROWSER,
  args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync"],
});
const page = await (await browser.newContext({ locale: "pt-BR", viewport: { width: 1366, height: 800 } })).newPage();
await page.goto(LINK);
await page.waitForURL("**/console");
const { origin } = new URL(LINK);

let clicks = 0, pages = 0;
const click = (target) => { clicks += 1; return target.click(); };
const button = (name) => page.getByRole("button", { name, exact: true });
/** Opening a list and selecting an option are two clicks. */
const choose = (label, option) => { clicks += 2; return page.getByLabel(label).selectOption(option); };

/** Uploads a file and opens its preview. */
async function open(name) {
  await page.goto(`${origin}/console`);
  [clicks, pages] = [0, 1];
  await click(page.getByRole("link", { name: "Importar", exact: true }));
  await page.waitForURL("**/imports");
  pages += 1;
  clicks += 2;
  await page.setInputFiles("#f-file", `${FILES}/${name}`);
  await click(button("Ver a prévia"));
  await page.locator("#f-resource").waitFor();
  pages += 1;
}

/** Saves the import. Returns the number of rejected rows. */
async function store(name, most) {
  await click(button("Importar"));
  await page.getByText("A importação foi salva.").waitFor();
  pages += 1;
  assert.ok(clicks <= most[0] && pages <= most[1], `${name}: ${clicks} clicks and ${pages} pages, at most ${most}`);
  const refused = await page.getByRole("link", { name: /^recusada/ }).first().innerText();
  console.log(`| ${name} | ${clicks} | 0 | ${pages} | ${refused} |`);
  return Number(refused.match(/\((\d+)\)/)[1]);
}

await open("clientes.csv");
// The preview shows no errors before the user has changed anything.
assert.equal(await page.locator(".alert:not(.alike), .wrong, [aria-invalid]").count(), 0);
assert.equal(await page.getByLabel("DDD padrão").inputValue(), "48");
await click(page.getByLabel("Importar assim mesmo"));
await choose(/^Origem/, { label: "Indicação" });
assert.equal(await store("309 clients", [8, 4]), 2, "rows without a name");
await page.getByText("Um backup foi feito em seguida.").waitFor();

await open("clientes da Carla.xlsx");
await click(page.getByLabel("Importar assim mesmo"));
await choose(/^Origem/, { label: "Outra" });
assert.equal(await store("60 clients of another lawyer", [8, 4]), 0);

await open("processos.xlsx");
await click(page.getByLabel("Importar assim mesmo"));
await choose(/^Bioética/, { label: "criar em Administrativo" });
await choose(/^Juntada de AR/, { label: "criar em Judicial" });
assert.equal(await store("120 cases", [10, 4]), 0);
// The result has a link to the records.
await page.locator(".done a[href='/console/lawsuits']").click();
await page.waitForURL("**/console/lawsuits");
await browser.close();

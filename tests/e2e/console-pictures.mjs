// Takes screenshots of the pages that the documentation shows, in Chromium. Run by console-pictures.

import { createRequire } from "node:module";

const { BROWSER, LINK, NODE_PACKAGES, PICTURES } = process.env;
const { chromium } = createRequire(`${NODE_PACKAGES}/`)("playwright-core");

/** Name, page, language and colour scheme of each screenshot. */
const SHOWN = [
  ["console", "", "en-US", "light"],
  ["console-agenda", "/agenda", "en-US", "light"],
  ["console-api", "/api", "en-US", "light"],
  ["console-backups", "/backups", "en-US", "light"],
  ["console-birthdays", "/birthdays", "en-US", "light"],
  ["console-customer", "/customers/1", "en-US", "light"],
  ["console-customers", "/customers?q=silva", "en-US", "light"],
  ["console-lawsuit", "/lawsuits/1", "pt-BR", "light"],
  ["console-lawsuit-edit", "/lawsuits/1/edit", "en-US", "light"],
  ["console-lawsuits-dark", "/lawsuits", "pt-BR", "dark"],
  ["console-lists", "/lists/stages", "en-US", "light"],
  ["console-publications", "/publications", "pt-BR", "light"],
  ["console-settings", "/settings", "en-US", "light"],
  ["console-transactions", "/transactions", "pt-BR", "dark"],
];

const browser = await chromium.launch({
  executablePath: BROWSER,
  args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync"],
});
// The link opens only once, so all screenshots share its session.
const first = await browser.newContext();
const page = await first.newPage();
await page.goto(LINK);
await page.waitForURL("**/console");
await page.click(".panel.acting button >> nth=3");
await page.waitForSelector(".panel.acting", { state: "detached" });
const session = await first.storageState();
const { origin } = new URL(LINK);
for (const [name, path, locale, colorScheme] of SHOWN) {
  const viewport = { width: 1240, height: 760 };
  const context = await browser.newContext({ locale, colorScheme, viewport, storageState: session });
  const page = await context.newPage();
  await page.goto(`${origin}/console${path}`);
  await page.screenshot({ path: `${PICTURES}/${name}.png` });
  await context.close();
}

/** A spreadsheet that lacks a column, for the preview of an import. */
const ROWS = `Nome;CPF;Celular;E-mail;Cidade
Maria da Conceição;529.982.247-25;(48) 98888-0001;maria@correio.example;Criciúma
João Batista de Souza;;(48) 98888-0002;joao@correio.example;Içara
Antônia Ferreira;111.222.333-44;(48) 98888-0003;;Criciúma
`;
for (const [name, locale] of [["console-import", "en-US"], ["console-import-pt", "pt-BR"]]) {
  const viewport = { width: 1240, height: 760 };
  const context = await browser.newContext({ locale, viewport, storageState: session });
  const page = await context.newPage();
  await page.goto(`${origin}/console/imports`);
  const file = { name: "clientes.csv", mimeType: "text/csv", buffer: Buffer.from(ROWS) };
  await page.setInputFiles("input[type=file]", file);
  await page.click("form:has(input[type=file]) button[type=submit]");
  await page.waitForSelector("#f-resource");
  await page.screenshot({ path: `${PICTURES}/${name}.png`, fullPage: true });
  await context.close();
}
await browser.close();

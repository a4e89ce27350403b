// Measures the tasks of a day at a law office that docs/console.md lists, in Portuguese. Counts clicks, pages, and keys
// other than typed text, and compares them with the goals. console-messy.mjs counts those for imports of spreadsheets.

import assert from "node:assert/strict";
import { createRequire } from "node:module";

const { BROWSER, LINK, NODE_PACKAGES } = process.env;
const { chromium } = createRequire(`${NODE_PACKAGES}/`)("playwright-core");

const browser = await chromium.launch({
  executablePath: BROWSER,
  args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync"],
});

let page, origin, clicks = 0, keys = 0, pages = 0;
const click = (target) => { clicks += 1; return target.click(); };
const press = (key) => { keys += 1; return page.keyboard.press(key); };
const type = (text) => page.keyboard.type(text);
const field = (name) => page.locator(`[name="${name}"]`);
const focused = (name) => page.waitForFunction((name) => document.activeElement.name === name, name);

/** Signs in with a link, and counts the pages that are loaded after that. */
async function enter(link) {
  await page?.context().close();
  const context = await browser.newContext({ locale: "pt-BR", viewport: { width: 1366, height: 800 } });
  page = await context.newPage();
  await page.goto(link);
  await page.waitForURL("**/console");
  ({ origin } = new URL(link));
  page.on("domcontentloaded", () => { pages += 1; });
}

/** Each task: name; maximum clicks, keys and pages; page where it begins (not counted); steps. */
const DAY = [
  ["Agendar uma audiência de duas pessoas, terça às 14:30", [3, 6, 2], "/console", async () => {
    await click(page.getByRole("link", { name: "Nova tarefa" }));
    await focused("lawsuits_id");
    await type("silva");
    await page.locator("[role=option]").first().waitFor();
    await press("Enter");
    // The form selects the person responsible for the case.
    await page.locator("[name=guests]:checked").waitFor();
    await click(page.locator("[name=guests]:not(:checked)").first());
    await click(field("start_date"));
    await type("ter");
    await press("Tab");
    await focused("start_time");
    await type("14:30");
    await press("Tab");
    await type("Audi");
    await press("Control+Enter");
    await page.getByText("14:30").first().waitFor();
    assert.match(await page.locator("main").innerText(), /Audiência/);
  }],
  ["Ver o que está atrasado, e de quem", [0, 0, 1], "", async () => {
    await page.goto(`${origin}/console`);
    const late = page.locator("section, article", { has: page.getByRole("heading", { name: /^Atrasadas/ }) });
    assert.match(await late.last().innerText(), /— [A-ZÀ-Ú]/);
  }],
  ["Criar o prazo de uma publicação, com os dias contados", [1, 2, 2], "publication", async () => {
    await click(page.getByRole("button", { name: "Tratar e criar tarefa" }).or(page.getByRole("link", { name: "Tratar e criar tarefa" })));
    await focused("date_deadline");
    // The publication of the demo is old, and what it proposes is over. A deadline on a Saturday or Sunday would be asked about.
    await field("date_deadline").fill("");
    await type(new Date().getDay() > 3 ? "+18" : "+15");
    await page.locator(".day-of", { has: field("date_deadline") }).locator("output").getByText(/^(seg|ter|qua|qui|sex) \d\d\/\d\d/).first().waitFor();
    await press("Control+Enter");
    await page.getByRole("link", { name: "Editar" }).waitFor();
    assert.match(await page.locator("main").innerText(), /Prazo/);
  }],
  ["Marcar uma consulta sem processo, na página do cliente", [2, 4, 1], "customer", async () => {
    await press("Alt+n");
    await focused("start_date");
    await type("amanhã");
    await press("Tab");
    await focused("start_time");
    await type("14:30");
    await press("Control+Enter");
    await page.getByText("14:30").first().waitFor();
    assert.match(await page.locator("main").innerText(), /Reunião com cliente/);
  }],
  ["Atender quem chega sem hora: cadastrar, anotar, dar a tarefa", [1, 8, 2], "/console", async () => {
    await press("Control+k");
    await type("Dalva Prado Nunes");
    await click(page.locator(".everywhere .found a", { hasText: "Novo cliente" }).first());
    await focused("users_id");
    await press("ArrowDown");
    await press("Tab");
    await focused("customers_origins_id");
    await press("ArrowDown");
    await press("Alt+r");
    await focused("walk_in_notes");
    await type("Quer se divorciar; trará a certidão.");
    await press("Tab");
    await focused("next_day");
    await type("+3");
    await press("Tab");
    await focused("next_type");
    await type("Peti");
    await press("Control+Enter");
    await page.getByText("Cadastrado.").waitFor();
    const main = await page.locator("main").innerText();
    assert.match(main, /Petição/);
    assert.match(main, /Concluída/);
  }],
  ["Corrigir um nome errado", [0, 6, 2], "/console", async () => {
    await press("Control+k");
    await type(customer);
    await page.locator(".everywhere .found li a", { hasText: customer }).first().waitFor();
    await press("Alt+e");
    await focused("name");
    await press("Control+a");
    await type("Certa da Costa");
    await press("Control+Enter");
    await page.getByRole("heading", { name: "Certa da Costa" }).waitFor();
  }],
];
const FIRST = [
  ["Dar o nome do escritório na primeira vez", [2, 1, 2], "/console", async () => {
    await click(page.getByRole("link", { name: "Abrir as configurações" }));
    await page.waitForFunction(() => document.activeElement.name?.includes("office"));
    await type("Advocacia Exemplo");
    await press("Control+Enter");
    await page.waitForURL(/done=/);
    // The new name applies without a restart.
    await page.locator(".letterhead", { hasText: "Advocacia Exemplo" }).waitFor({ state: "attached" });
  }],
];

await enter(LINK);
await page.goto(`${origin}/console/customers`);
const customer = process.argv[2] === "first" ? "" : await page.locator("[data-rows] tbody a").first().innerText();
for (const [name, most, path, act] of process.argv[2] === "first" ? FIRST : DAY) {
  if (path === "publication") {
    // One whose deadline nobody has counted yet.
    await page.goto(`${origin}/console/publications?treated=false`);
    await page.locator("[data-rows] tbody tr", { has: page.locator("[data-label=Prazo]:empty") }).first().locator("a").first().click();
    await page.getByText("Tratar e criar tarefa").waitFor();
  } else if (path === "customer") {
    await page.goto(`${origin}/console/customers`);
    await page.locator("[data-rows] tbody a").first().click();
    await page.getByText("Registrar atendimento").waitFor();
  } else if (path) {
    await page.goto(origin + path);
  }
  clicks = keys = pages = 0;
  await act();
  const counted = [clicks, keys, pages];
  console.log(`| ${name} | ${counted.join(" | ")} |`);
  assert.ok(counted.every((count, at) => count <= most[at]), `${name}: ${counted}, at most ${most}`);
}
await browser.close();

// Tests colleagues at work in Portuguese, each with a browser on their own machine. The owner invites them on the
// office's machine. They trust its authority, and after that, pages only open with a certificate that their browser has
// verified. Ana can edit everything, and Bia can read everything except transactions. Then both edit one record, and
// Bia loses access while she edits a form.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";

const { ADDRESS, ANA, AUTHORITY, BIA, BROWSER, E2E_PICTURES, LINK, NAME, NODE_PACKAGES, OTHER, PASSWORD } = process.env;
const require = createRequire(`${NODE_PACKAGES}/`);
const { chromium } = require("playwright-core");
const axe = require("axe-core").source;

const DESK = { width: 1366, height: 800 };
const PHONE = { width: 390, height: 844 };
const CONSOLE = `${NAME}/console`;
/** The colleagues. `program` starts the person's browser. */
const ana = { name: "Ana Prado", password: PASSWORD, level: "write", without: [], program: ANA };
const bia = { name: "Bia Lima", password: "moinho azeite caderno", level: "read", without: ["transactions"], program: BIA };
const REFUSED = "O nome ou a senha não conferem.";
const began = Date.now();
const passed = (what) => console.log(`   ${what} (${((Date.now() - began) / 1000).toFixed(0)} s)`);

const start = (executablePath) => chromium.launch({
  executablePath,
  args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync"],
});

/** Opens a page. Collects console messages and script errors in `complaints`, except those about 4xx responses. */
async function opened(browser, more = {}) {
  const context = await browser.newContext({ locale: "pt-BR", viewport: DESK, ...more });
  const page = await context.newPage();
  page.complaints = [];
  page.on("console", (line) => /status of 4/.test(line.text()) || page.complaints.push(`console: ${line.text()}`));
  page.on("pageerror", (error) => page.complaints.push(`script: ${error.message}`));
  return page;
}

/** Checks on desktop and phone, light and dark, that a page fits the window and that axe-core finds no violations. */
async function check(page, name) {
  for (const [place, viewport] of Object.entries({ phone: PHONE, desk: DESK })) {
    await page.setViewportSize(viewport);
    const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(over <= 0, `${name}, ${place}: ${over} px too wide`);
    for (const colorScheme of ["dark", "light"]) {
      // Turns off transitions, because axe-core cannot check the contrast of a changing colour.
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      if (E2E_PICTURES) await page.screenshot({ path: `${E2E_PICTURES}/people-${name}-${place}-${colorScheme}.png`, fullPage: true });
      if (place === "phone") continue;
      await page.evaluate(axe);
      const { violations } = await page.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
      assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`), [], `${name}, ${colorScheme}`);
    }
  }
}

const shows = (page, text) => page.locator("body", { hasText: text }).waitFor();
const send = (page, name) => page.getByRole("button", { name, exact: true }).click();

/** Opens a URL. Returns the certificate error with which the browser rejects it, or an empty string. */
async function refusal(page, url) {
  return page.goto(url).then(() => "", (error) => error.message.match(/ERR_CERT_\w+/)?.[0] ?? assert.fail(error.message));
}

// The owner, on the office's machine.

const office = await start(BROWSER);
const owner = await opened(office);
await owner.goto(LINK);
await owner.waitForURL("**/console");
const { origin: HERE } = new URL(LINK);
await owner.goto(`${HERE}/console/api`);
const fingerprint = (await owner.locator(".fingerprint").textContent()).trim();
assert.equal(fingerprint, new X509Certificate(readFileSync(AUTHORITY)).fingerprint256);

/** Adds a person to the team and gives access. Sets the URLs of the person's page and of the invitation. */
async function invite(person) {
  const { name } = person;
  await owner.goto(`${HERE}/console/lists/users`);
  await owner.locator("form.entry.new [name=name]").fill(name);
  await send(owner, "Incluir");
  await owner.locator("[data-done]", { hasText: name }).waitFor();
  await owner.getByRole("link", { name: `Dar acesso…: ${name}` }).click();
  await owner.getByRole("heading", { name: `Dar acesso a ${name}` }).waitFor();
  await owner.locator(`[name=level][value=${person.level}]`).check();
  for (const noun of person.without) await owner.locator(`[name=only][value=${noun}]`).uncheck();
  await send(owner, "Dar acesso e convidar");
  await owner.getByRole("heading", { name: `Convite para ${name}` }).waitFor();
  const link = (await owner.locator(".once code").first().textContent()).trim();
  assert.ok(link.startsWith(`${CONSOLE}/join/`), link);
  Object.assign(person, { access: owner.url(), link });
}

await invite(ana);
await check(owner, "access");
await invite(bia);
await owner.reload();
assert.equal(await owner.locator(".once").count(), 0, "the invitation was shown again");
assert.ok(!(await owner.content()).includes(bia.link));
passed("the owner gives access and invites");

/** Lets a person's browser trust the authority. It must reject the server before, and afterwards under a foreign name. */
async function trust(person) {
  const before = await start(person.program);
  const stranger = await opened(before);
  for (const url of [person.link, `${NAME}/trust`, ADDRESS]) assert.equal(await refusal(stranger, url), "ERR_CERT_AUTHORITY_INVALID", url);
  // As in docs/network.md, the user accepts the warning once, for the page with the certificate.
  const once = await opened(before, { ignoreHTTPSErrors: true });
  await once.goto(`${ADDRESS}/trust`);
  assert.equal(await once.locator("p > .fingerprint").innerText(), fingerprint);
  if (person === ana) await check(once, "trust");
  const [download] = await Promise.all([once.waitForEvent("download"), once.locator("#linux a.button").first().click()]);
  const home = dirname(person.program), authority = `${home}/${download.suggestedFilename()}`;
  await download.saveAs(authority);
  assert.equal(new X509Certificate(readFileSync(authority)).fingerprint256, fingerprint);
  await before.close();

  const store = `${home}/.pki/nssdb`;
  mkdirSync(store, { recursive: true });
  execFileSync("certutil", ["-N", "--empty-password", "-d", `sql:${store}`]);
  execFileSync("certutil", ["-A", "-d", `sql:${store}`, "-t", "C,,", "-n", "pleito", "-i", authority]);
  person.browser = await start(person.program);
  person.page = await opened(person.browser);
  assert.equal(await refusal(person.page, `${ADDRESS}/trust`), "");
  assert.equal(await refusal(person.page, `${OTHER}/trust`), "ERR_CERT_COMMON_NAME_INVALID");
  passed(`${person.name} trusts the authority with the owner's fingerprint, and the server only after that`);
}

/** Follows an invitation, sets a password, signs out and in again, and opens the page of the account. */
async function join({ page, link, name, password }, look) {
  await page.goto(link);
  await page.getByRole("heading", { name: `Boas-vindas, ${name}` }).waitFor();
  await look("join");
  const choose = async (password) => {
    for (const label of ["Nova senha", "Repita a senha"]) await page.getByLabel(label).fill(password);
    await send(page, "Entrar");
  };
  await choose(name.repeat(2));
  await page.getByLabel("Nova senha").and(page.locator("[aria-invalid=true]")).waitFor();
  await choose(password);
  await page.waitForURL(CONSOLE);
  // That of the session and that of the device.
  const cookies = await page.context().cookies();
  assert.equal(cookies.length, 2);
  for (const { name, secure, httpOnly, sameSite } of cookies) assert.deepEqual([name.slice(0, 7), secure, httpOnly, sameSite], ["__Host-", true, true, "Strict"]);
  await send(page, "Sair");
  await shows(page, "A sessão foi encerrada");
  await page.goto(link);
  await page.getByRole("heading", { name: "Este convite não vale mais" }).waitFor();
  await signIn({ page, name, password: "girafa lâmpada" });
  await shows(page, REFUSED);
  await look("sign-in");
  await signIn({ page, name, password });
  await page.waitForURL(CONSOLE);
  await page.getByRole("link", { name, exact: true }).click();
  await page.getByRole("heading", { name, exact: true }).waitFor();
  await look("me");
}

async function signIn({ page, name, password }) {
  await page.goto(`${CONSOLE}/sign-in`);
  await page.getByLabel("Nome ou e-mail").fill(name);
  await page.getByLabel("Senha").fill(password);
  await send(page, "Entrar");
}

for (const person of [ana, bia]) await trust(person);
await join(ana, (name) => check(ana.page, name));
await join(bia, () => {});
passed("invited, signed out and signed in again");

// The day's tasks.

const { page } = ana, { page: other } = bia;
await page.goto(`${CONSOLE}/customers/new`);
assert.equal(await page.locator("#f-users_id option:checked").innerText(), "Ana Prado", "the form proposes another user");
await page.fill("#f-name", "Rosângela Quintanilha");
await page.fill("#f-identification", "529.982.247-25");
await page.selectOption("#f-customers_origins_id", { index: 1 });
await send(page, "Salvar");
await page.getByRole("heading", { name: "Rosângela Quintanilha" }).waitFor();
const customer = NAME + new URL(page.url()).pathname;
await page.getByRole("link", { name: "Novo processo" }).click();
await page.locator(".chips", { hasText: "Rosângela Quintanilha" }).waitFor();
await page.selectOption("#f-type_lawsuits_id", { index: 1 });
await page.selectOption("#f-stages_id", { index: 1 });
// Nobody was responsible before in this browser or in this office.
await page.selectOption("#f-users_id", { label: "Ana Prado" });
await send(page, "Salvar");
await page.getByRole("link", { name: "Nova tarefa" }).click();
await page.locator("#f-tasks_id").waitFor();
assert.deepEqual(await page.locator("label", { has: page.locator("[name=guests]:checked") }).allInnerTexts(), ["Ana Prado"]);
await page.selectOption("#f-tasks_id", { label: "Audiência" });
await page.locator("#f-start_date").pressSequentially("10/12/2026");
await page.locator("#f-start_time").pressSequentially("1430");
await send(page, "Salvar");
await page.locator("[data-done]").waitFor();
const task = NAME + new URL(page.url()).pathname;

// Bia can read it, but cannot edit it or see transactions.
await other.goto(`${CONSOLE}/customers`);
await other.locator("[data-rows] a", { hasText: "Rosângela Quintanilha" }).click();
await shows(other, "529.982.247-25");
await other.waitForURL(customer);
assert.equal(await other.getByRole("link", { name: /Editar|Novo|Nova/ }).count(), 0);
const places = async (page) => (await page.locator("nav.places a").allTextContents()).join(", ");
assert.match(await places(page), /Clientes.*Financeiro/);
assert.doesNotMatch(await places(page), /Importar|Backups|Configurações|API/, "pages for the owner only");
assert.match(await places(other), /Clientes/);
assert.doesNotMatch(await places(other), /Financeiro/);
for (const address of [`${customer}/edit`, bia.access.replace(HERE, NAME), `${CONSOLE}/transactions/new`, `${CONSOLE}/transactions`]) {
  assert.equal((await other.goto(address)).status(), 403, address);
  await other.getByRole("heading", { name: "Esta página não é para você" }).waitFor();
}
await check(other, "not-for-you");

await page.goto(task);
await send(page, "Concluir");
await page.locator("[data-done]").waitFor();
await other.goto(`${CONSOLE}/posts?status=all`);
const row = other.locator("[data-rows] tbody tr", { hasText: "Audiência" });
assert.match(await row.innerText(), /Rosângela Quintanilha[^]*Concluída[^]*Ana Prado/);
await other.locator("nav.months", { hasText: "De todos" }).getByRole("link", { name: "Minhas" }).click();
await other.waitForURL(/user_id=\d/);
assert.equal(await row.count(), 0);
passed("a client, her lawsuit and a completed task; the colleague sees them, but no transactions");

// Both edit one record. Bia's access is extended while she is signed in.
await owner.goto(bia.access);
await owner.locator("[name=level][value=write]").check();
await send(owner, "Salvar");
await shows(owner, "Salvo.");
for (const each of [page, other]) {
  await each.goto(`${customer}/edit`);
  await each.locator("#f-occupation").waitFor();
}
await page.fill("#f-occupation", "Costureira");
await send(page, "Salvar");
await page.locator("[data-done]").waitFor();
await other.fill("#f-occupation", "Bordadeira");
await send(other, "Salvar");
await shows(other, "Outra pessoa alterou este cadastro enquanto você o editava.");
assert.match(await other.getByRole("alert").innerText(), /Ana Prado/);
assert.match(await other.locator(".theirs").innerText(), /Salvo agora: Costureira/);
assert.equal(await other.inputValue("#f-occupation"), "Bordadeira");
await check(other, "both-changed");
await send(other, "Salvar");
await other.locator("[data-done]").waitFor();
await page.goto(customer);
await page.locator("details.history summary").click();
assert.match(await page.locator("details.history").innerText(), /Bia Lima[^]*Costureira → Bordadeira[^]*Ana Prado[^]*vazio → Costureira/);
passed("both edit one record: the second sees both versions, the history shows both people");

// Bia loses access while she edits a form.
await other.goto(`${customer}/edit`);
await other.fill("#f-city", "Içara do Sul");
await owner.goto(bia.access);
await send(owner, "Tirar o acesso");
await shows(owner, "Acesso tirado. Todas as sessões foram encerradas.");
await send(other, "Salvar");
await other.getByRole("heading", { name: "Sua sessão terminou" }).waitFor();
await other.getByText("Ver e copiar o que você digitou").click();
await other.locator("dd", { hasText: "Içara do Sul" }).waitFor();
await check(other, "shut-out");
await signIn(bia);
await shows(other, REFUSED);
await other.goto(customer);
await other.getByRole("heading", { name: "Entrar" }).waitFor();
await page.goto(customer);
await shows(page, "Bordadeira");
assert.ok(!(await page.content()).includes("Içara do Sul"), "text of a rejected form was stored");
passed("access removed while editing a form: the typed text can be copied; the colleague is not affected");

for (const each of [owner, page, other]) assert.deepEqual(each.complaints, []);
for (const each of [office, ana.browser, bia.browser]) await each.close();

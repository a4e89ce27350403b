//! The reference at /docs: reads /openapi.json of its own origin, shows every route of it, and lets a reader try them.
//
// Whatever comes from the description or from an answer enters the page as text nodes, never as markup. The token lives
// in one variable of this module: it is in no storage, address or cookie, and ends with the page.

const WORDS = Object.fromEntries(`
skip = Ir para a referência = Skip to the reference
loading = Carregando a descrição… = Loading the description…
token = Token = Token
use = Usar = Use
forget = Esquecer = Forget
tokenHint = Só na memória desta página: some ao fechar ou recarregar. = In this page's memory only: gone on close or reload.
tokenKept = Em uso, final {0} = In use, ends in {0}
tokenOdd = Não parece um token do Pleito: são \`plt_\` e mais 49 caracteres. = Not like a token of Pleito: \`plt_\` and 49 more characters.
tokenBad = Um token não tem espaços nem acentos. = A token has no spaces or accents.
light = Tema claro = Light theme
dark = Tema escuro = Dark theme
routes = Rotas = Routes
filter = Filtrar rotas  (Ctrl K) = Filter routes  (Ctrl K)
found = {0} de {1} rotas = {0} of {1} routes
none = Nenhuma rota com esse texto. = No route has that text.
other = Outras = Other
version = versão {0} = version {0}
base = Endereço base = Base address
copy = Copiar = Copy
copied = Copiado = Copied
copyFailed = Não copiado: selecione o texto = Not copied: select the text
raw = Descrição completa = Full description
tokenFree = Sem token = No token needed
deprecated = Obsoleta = Deprecated
parameters = Parâmetros = Parameters
name = Nome = Name
description = Descrição = Description
value = Valor = Value
required = obrigatório = required
example = Exemplo = Example
examples = Preencher com exemplos = Fill in the examples
clear = Limpar = Clear
eg = ex.: = e.g.
body = Corpo da requisição = Request body
bodyEdit = JSON a enviar = JSON to send
restore = Restaurar exemplo = Restore example
byName = Escolher das tabelas pelo nome = Choose from the lists by name
byNameToken = Informe antes o token, no alto da página. = Enter the token first, at the top of the page.
byNameNot = As tabelas não puderam ser lidas: {0} = The lists could not be read: {0}
bodyBad = Não é um JSON válido: {0} = Not valid JSON: {0}
noRecord = \`null\` está no lugar de um registro: escolha um e ponha o id. = \`null\` stands in the place of a record: choose one and put its id there.
members = Campos = Members
variants = Alternativas = Alternatives
anyKey = qualquer nome = any name
variant = alternativa {0} = alternative {0}
answers = Respostas = Responses
headers = Cabeçalhos = Headers
schema = Esquema = Schema
empty = Sem corpo. = No body.
length = {0} caracteres = {0} characters
items = {0} itens = {0} items
unique = sem repetição = each once
oneOf = um de = one of
pattern = padrão = pattern
initial = se ausente = default
multiple = múltiplo de {0} = multiple of {0}
request = Requisição = Request
snippetIn = Exemplo de código = Code example
send = Enviar = Send
sending = Enviando… = Sending…
confirm = Confirmar e salvar = Confirm and write
cancel = Cancelar = Cancel
confirmWhy = {0} altera dados reais. Clique de novo para enviar. = {0} changes real data. Click again to send.
missing = Preencha {0} para enviar. = Fill in {0} before sending.
answer = Resposta = Answer
close = Fechar = Close
limit = Limite = Limit
left = Restam = Remaining
reset = Renova em = Resets in
retry = Tente em = Retry after
why401 = O token falta ou não vale mais. Gere um com \`pleito token new\` e informe-o no alto da página. O novo encerra o anterior. = The token is missing or no longer good. Make one with \`pleito token new\` and enter it at the top of the page. It ends the old one.
enter = Informar o token = Enter the token
why429 = O limite foi atingido. Espere o tempo indicado. = The limit is reached. Wait for the time shown.
why503 = Nada foi salvo; pode enviar de novo. = Nothing was stored; it is safe to send again.
unreachable = A requisição não se completou = The request did not complete
trouble = Não foi possível carregar a descrição da API = The description of the API could not be loaded
whatToDo = Veja se o Pleito está em execução (\`pleito check\`) e tente de novo. O log diz a causa. = See whether Pleito is running (\`pleito check\`) and try again. The log tells the cause.
again = Tentar de novo = Try again
`.trim().split("\n").map((row) => row.split(" = ")).map(([key, ...both]) => [key, both])); // [Portuguese, English]

const METHODS = ["get", "post", "put", "patch", "delete"];
const WRITES = new Set(["post", "put", "patch", "delete"]);
const COLOURED_AT_MOST = 200_000; // characters; a page of 1000 records stays plain text, so that the tab stays quick

const SLIGHT = "button.slight";
const UNTOUCHED = { autocomplete: "off", autocapitalize: "off", spellcheck: "false" }; // typed text goes nowhere else

let api = {};
let token = "";
let language; // 0 or 1, as the rows of WORDS have them
let snippetKind = "curl";
const redrawSnippets = []; // one function an operation, called when another language is picked
const $ = (id) => document.getElementById(id);
const on = (id, event, act, options) => $(id).addEventListener(event, act, options);

// --- Building nodes

/** An element from "tag.class.class", attributes and `on…` listeners if any, and children; empty ones are left out. */
function el(kind, ...children) {
  const attributes = children[0]?.constructor === Object ? children.shift() : {};
  const empty = (one) => one === undefined || one === null || one === false;
  const [tag, ...classes] = kind.split(".");
  const node = document.createElement(tag);
  if (classes.length) node.className = classes.join(" ");
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (!empty(value)) node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => !empty(child)));
  return node;
}

const sayings = new WeakMap(); // node → what fills the {0} of its words
const words = (key, given = []) => WORDS[key][language].replace(/\{(\d)\}/g, (_, at) => given[at] ?? "");

/** Gives a node interface words that follow the language toggle. */
function say(node, key, ...given) {
  node.dataset.say = key;
  sayings.set(node, given);
  node.replaceChildren(...inline(words(key, given)));
  return node;
}
const said = (key, ...given) => say(el("span"), key, ...given);
const sayButton = (key, onclick, kind = "button") => say(el(kind, { type: "button", onclick }), key);

function hush(node) {
  delete node.dataset.say;
  node.replaceChildren();
}

/** The same for an attribute such as aria-label or placeholder. */
function sayIn(node, attribute, key, ...given) {
  node.dataset.sayIn = `${attribute} ${key}`;
  sayings.set(node, given);
  node.setAttribute(attribute, words(key, given));
  return node;
}

/** Says everything in the language of the frame, as the server gave it. */
function relabel() {
  language = document.documentElement.lang === "en" ? 1 : 0;
  for (const node of document.querySelectorAll("[data-say], [data-say-in]")) {
    const given = sayings.get(node) ?? [];
    node.dataset.say ? say(node, node.dataset.say, ...given) : sayIn(node, ...node.dataset.sayIn.split(" "), ...given);
  }
}

function inline(text) {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).filter(Boolean).map((part) => {
    if (part.length > 2 && part.startsWith("`")) return el(part.length < 24 ? "code.whole" : "code", part.slice(1, -1));
    if (part.length > 4 && part.startsWith("**")) return el("strong", part.slice(2, -2));
    return part;
  });
}

/** The simple Markdown that descriptions use: paragraphs, lists, `code`, **bold**. */
function prose(text) {
  if (!text) return null;
  const box = el("div.prose");
  let block = null;
  for (const line of text.split("\n")) {
    const item = /^\s*[-*]\s+(.*)/.exec(line);
    if (item) {
      if (block?.tagName !== "UL") block = box.appendChild(el("ul"));
      block.append(el("li", inline(item[1])));
    } else if (!line.trim()) {
      block = null;
    } else if (block) {
      (block.lastElementChild?.tagName === "LI" ? block.lastElementChild : block).append(" ", ...inline(line.trim()));
    } else {
      block = box.appendChild(el("p", inline(line.trim())));
    }
  }
  return box;
}

/** A `details` whose content is built when it is first opened: schemas may refer to themselves, and most stay shut. */
function disclosure(kind, summary, build, open = false) {
  const node = el(kind, el("summary", summary));
  const fill = () => node.open && node.childElementCount === 1 && node.append(...[build()].flat().filter(Boolean));
  node.addEventListener("toggle", fill);
  node.open = open;
  fill();
  return node;
}

function mark(input, wrong) {
  wrong ? input.setAttribute("aria-invalid", "true") : input.removeAttribute("aria-invalid");
}

function announce(text) {
  $("live").textContent = text;
}

/** Browsers keep the clipboard from plain HTTP on a network address: then the button says to select the text. */
function copyButton(read) {
  const button = sayButton("copy", async () => {
    const done = await navigator.clipboard?.writeText(read()).then(() => true, () => false);
    say(button, done ? "copied" : "copyFailed");
    announce(button.textContent);
    setTimeout(() => say(button, "copy"), 2000);
  }, SLIGHT);
  return button;
}

// --- JSON as text

const PIECE = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|\b(?:true|false|null)\b|[{}[\]:,]/g;

/** Indents JSON piece by piece: parsing it would turn 1500.50 into 1500.5 and round long integers. */
function indent(json) {
  let out = "";
  let depth = 0;
  let before = "";
  const line = () => `\n${"  ".repeat(depth)}`;
  for (const [piece] of json.matchAll(PIECE)) {
    const opened = before === "{" || before === "[";
    if (piece === "}" || piece === "]") {
      depth -= 1;
      out += opened ? piece : line() + piece;
    } else {
      out += (opened || before === "," ? line() : "") + (piece === ":" ? ": " : piece);
      if (piece === "{" || piece === "[") depth += 1;
    }
    before = piece;
  }
  return out;
}

/** What is wrong with `text` as JSON, or nothing. */
function jsonError(text) {
  try {
    JSON.parse(text);
  } catch (error) {
    return error.message;
  }
}

/** `text` as nodes, with a class for each match that `classOf` names. */
function coloured(text, pattern, classOf) {
  if (text.length > COLOURED_AT_MOST) return [text];
  const nodes = [];
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    const kind = classOf(match[0], text.slice(match.index + match[0].length, match.index + match[0].length + 2));
    if (!kind) continue;
    nodes.push(text.slice(end, match.index), el(`span.${kind}`, match[0]));
    end = match.index + match[0].length;
  }
  return [...nodes, text.slice(end)];
}

function jsonNodes(text) {
  return coloured(text, PIECE, (piece, after) => {
    if (piece.startsWith('"')) return after.startsWith(":") ? "key" : "text";
    return /^[-\dtfn]/.test(piece) ? "atom" : null;
  });
}

/** A block that scrolls if its content is long. It takes the focus, so that the keyboard can scroll it. */
const block = (content) => el("pre.json", { tabindex: "0", role: "group" }, content);

const printed = (value) => JSON.stringify(value, null, 2);

// --- Reading the description

/** Follows `$ref` inside the description; what stands beside it wins, as JSON Schema 2020-12 has it. */
function resolve(thing) {
  for (let hops = 0; typeof thing?.$ref === "string" && hops < 16; hops += 1) {
    const { $ref, ...beside } = thing;
    const steps = decodeURIComponent($ref).replace(/^#\/?/, "").split("/")
      .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
    thing = { called: steps.at(-1), ...steps.reduce((at, step) => at?.[step], api), ...beside };
  }
  return thing && typeof thing === "object" ? thing : {};
}

/** A schema with its reference followed, `allOf` merged, and "X or null" written as a type. */
function plain(schema) {
  let shape = resolve(schema);
  if (shape.allOf) {
    const { allOf, ...own } = shape;
    const parts = [...allOf.map(plain), own];
    shape = Object.assign({}, ...parts);
    shape.properties = Object.assign({}, ...parts.map((part) => part.properties));
    shape.required = parts.flatMap((part) => part.required ?? []);
  }
  const choices = shape.anyOf ?? shape.oneOf;
  if (choices) {
    const { anyOf, oneOf, ...own } = shape;
    const real = choices.filter((choice) => resolve(choice).type !== "null");
    const nulls = real.length < choices.length;
    if (real.length !== 1) return { ...own, choices: real, nulls };
    const only = plain(real[0]);
    shape = { ...only, ...own, type: nulls ? [...new Set([only.type ?? "object", "null"].flat())] : only.type };
  }
  return shape;
}

function typesOf(shape) {
  return [shape.type ?? (shape.properties ? "object" : shape.items ? "array" : "any")].flat();
}

function typeText(schema) {
  const shape = plain(schema);
  if (shape.choices) return [...new Set(shape.choices.map(typeText)), ...(shape.nulls ? ["null"] : [])].join(" | ");
  const names = typesOf(shape).map((type) => {
    if (type === "array" && shape.items) return `array<${typeText(shape.items)}>`;
    return type === "object" && shape.called ? shape.called : type;
  });
  return names.join(" | ") + (shape.format && !/^u?int/.test(shape.format) ? ` (${shape.format})` : "");
}

function span(least, most) {
  if (least === undefined) return most === undefined ? null : `≤ ${most}`;
  if (most === undefined) return `≥ ${least}`;
  return least === most ? `${least}` : `${least} – ${most}`;
}

/** The bounds a value must keep, each a short piece of text. */
function bounds(schema) {
  const shape = plain(schema);
  const facts = [];
  const add = (...content) => facts.push(el("span.fact", ...content));
  const code = (value) => el("code", typeof value === "string" ? value || '""' : JSON.stringify(value));
  const length = span(shape.minLength, shape.maxLength);
  const items = span(shape.minItems, shape.maxItems);
  const number = span(shape.minimum, shape.maximum);
  if (number) add(number);
  if (shape.exclusiveMinimum !== undefined) add(`> ${shape.exclusiveMinimum}`);
  if (shape.exclusiveMaximum !== undefined) add(`< ${shape.exclusiveMaximum}`);
  if (shape.multipleOf) add(said("multiple", shape.multipleOf));
  if (length) add(said("length", length));
  if (items) add(said("items", items));
  if (shape.uniqueItems) add(said("unique"));
  if (shape.enum) add(said("oneOf"), " ", shape.enum.flatMap((value, at) => [at ? " " : "", code(value)]));
  if (shape.const !== undefined) add("= ", code(shape.const));
  if (shape.pattern) add(said("pattern"), " ", code(shape.pattern));
  if (shape.default !== undefined) add(said("initial"), " ", code(shape.default));
  return facts;
}

/** The first example: a schema's `examples` are values, those of a parameter or a body are named. */
function given(thing) {
  if (thing.example !== undefined) return thing.example;
  return Array.isArray(thing.examples) ? thing.examples[0] : resolve(Object.values(thing.examples ?? {})[0]).value;
}

/** A value that fits the schema, from its own examples where it has them. */
function sample(schema, wanted = () => true, depth = 0) {
  const shape = plain(schema);
  const ready = given(shape) ?? shape.default ?? shape.const ?? shape.enum?.[0];
  if (ready !== undefined) return ready;
  if (depth > 6) return null;
  if (shape.choices) return sample(shape.choices[0], wanted, depth + 1);
  const types = typesOf(shape);
  switch (types.includes("null") && !shape.properties ? "null" : types[0]) {
    case "object": {
      const members = Object.entries(shape.properties ?? {})
        .filter(([name, of]) => wanted(plain(of), shape.required?.includes(name)));
      return Object.fromEntries(members.map(([name, of]) => [name, sample(of, wanted, depth + 1)]));
    }
    case "array": return shape.items?.$ref || shape.minItems ? [sample(shape.items, wanted, depth + 1)] : [];
    case "integer": case "number": return shape.minimum ?? 1;
    case "boolean": return true;
    case "string": return { date: "2026-01-31", email: "nome@example.com" }[shape.format] ?? "…";
    default: return null;
  }
}

function jsonOf(content) {
  const kind = Object.keys(content ?? {}).find((type) => /json/.test(type)) ?? Object.keys(content ?? {})[0];
  return kind ? { kind, ...content[kind] } : null;
}

const FORM = "multipart/form-data";

/** The operations in the description's order, HEAD and OPTIONS aside, with what path and operation say together; then the
 * messages that the server itself sends, which have the name of their type in the place of a path. */
function routes() {
  const found = [];
  const messages = Object.entries(api.webhooks ?? {});
  for (const [path, entry, isMessage] of [...Object.entries(api.paths), ...messages.map((one) => [...one, true])]) {
    const item = resolve(entry);
    for (const method of METHODS.filter((name) => item[name])) {
      const own = item[method];
      const parameters = new Map();
      for (const parameter of [item.parameters ?? [], own.parameters ?? []].flat().map(resolve)) {
        parameters.set(`${parameter.in} ${parameter.name}`, parameter);
      }
      const body = own.requestBody && resolve(own.requestBody);
      found.push({
        ...own, method, path, isMessage,
        id: own.operationId ?? `${method}${path.replace(/\W+/g, "-")}`,
        tag: own.tags?.[0] ?? "",
        base: isMessage ? "" : basePath(own.servers ?? item.servers ?? api.servers),
        parameters: [...parameters.values()],
        body: body && { ...body, media: body.content[FORM] ? null : jsonOf(body.content), form: body.content[FORM] },
        free: !isMessage && !(own.security ?? api.security ?? [{ token: [] }]).some((way) => Object.keys(way).length),
      });
    }
  }
  return found;
}

/** Only the path of a server's address is used: the page talks to the origin it came from and to no other. */
function basePath(servers) {
  return new URL(servers?.[0]?.url ?? "/", location.href).pathname.replace(/\/$/, "");
}

// --- Schemas and tables

const requiredMark = () => say(el("span.required"), "required");

const openKeys = (shape) => (shape.additionalProperties === true ? null : shape.additionalProperties);

/** The members of a schema. In answers nothing is marked as required: that is a word for who sends. */
function tree(schema, sent) {
  const shape = plain(schema);
  const rows = [];
  if (shape.choices) {
    rows.push(...shape.choices.map((choice, at) => member(said("variant", at + 1), choice, sent)));
  } else if (shape.items) {
    rows.push(member("[ ]", shape.items, sent, false, true));
  }
  for (const [name, of] of Object.entries(shape.properties ?? {})) {
    rows.push(member(el("code.name", name), of, sent, shape.required?.includes(name)));
  }
  if (openKeys(shape)) rows.push(member(said("anyKey"), openKeys(shape), sent));
  return rows.length ? el("ul.tree", rows) : el("p.facts", el("code.type", typeText(schema)), bounds(schema));
}

function member(name, schema, sent, required = false, open = false) {
  const shape = plain(schema);
  const deep = nested(schema);
  return el("li",
    el("div.who", name, sent && required && requiredMark()),
    el("div.what",
      el("p.facts", el("code.type", typeText(schema)), bounds(schema)),
      prose(shape.description),
      deep && disclosure("details.deep", said(plain(deep).choices ? "variants" : "members"), () => tree(deep, sent), open)));
}

/** The schema that has members of its own below this one, if any: an object, the items of an array, alternatives. */
function nested(schema) {
  const shape = plain(schema);
  if (Object.keys(shape.properties ?? {}).length || openKeys(shape)) return schema;
  if (shape.choices?.some((choice) => nested(choice) || bounds(choice).length || plain(choice).description)) {
    return schema;
  }
  return shape.items ? nested(shape.items) : null;
}

function heads(...keys) {
  return el("thead", el("tr", keys.map((key) => say(el("th", { scope: "col" }), key))));
}

const row = (name, ...cells) =>
  el("tr", el("th", { scope: "row" }, name), cells.map((cell) => el("td", cell)));

function headerTable(headers) {
  const rows = Object.entries(headers).map(([name, entry]) => {
    const { schema, description } = resolve(entry);
    return row([el("code", name), el("span.kind", typeText(schema))], [prose(description), el("p.facts", bounds(schema))]);
  });
  return el("table.headers", say(el("caption"), "headers"), heads("name", "description"), el("tbody", rows));
}

/** An input that suits the parameter. A required one begins with the example, so that a first try is one click, but for what
 * names a record: nobody tries things out on one of the office's that they have not chosen. */
function field(route, parameter, at) {
  const shape = plain(parameter.schema);
  const types = typesOf(shape);
  const example = given(parameter) ?? given(shape);
  const id = `${route.id}-${at}`;
  const common = {
    form: `${route.id}-form`, required: parameter.required,
    "aria-labelledby": `${id}-name`, "aria-describedby": `${id}-about`,
  };
  const choices = shape.enum?.filter((value) => value !== null) ?? (types.includes("boolean") ? [true, false] : null);
  const input = choices
    ? el("select", common, ["", ...choices].map((value) => el("option", { value }, String(value) || "—")))
    : el("input", { ...common, type: "text", inputmode: types[0] === "integer" && "numeric", ...UNTOUCHED });
  const begin = parameter.required && parameter.in !== "path" ? String(example ?? "") : "";
  input.value = begin;
  const line = el("tr",
    el("th", { scope: "row" },
      el("code.name", { id: `${id}-name` }, parameter.name), parameter.required && requiredMark(),
      el("span.kind", `${parameter.in} · ${typeText(parameter.schema)}`)),
    el("td", { id: `${id}-about` },
      prose(parameter.description),
      el("p.facts", bounds(parameter.schema),
        example !== undefined && el("span.fact", said("eg"), " ", el("code", String(example))))),
    el("td", input));
  return { parameter, input, example, begin, line };
}

// --- One operation

function routeView(route) {
  if (route.isMessage) {
    return el("article.operation", { id: route.id, "aria-labelledby": `${route.id}-title` },
      heading(route), messageView(route), responsesView(route));
  }
  const fields = route.parameters.filter((one) => one.in !== "cookie").map((one, at) => field(route, one, at));
  const draft = { fields, body: null };
  const panel = tryPanel(route, draft);
  return el("article.operation", { id: route.id, "aria-labelledby": `${route.id}-title` },
    heading(route),
    el("div.inputs",
      fields.length > 0 && parametersView(draft, panel.redraw),
      route.body?.media && bodyView(route, draft, panel.redraw),
      route.body?.form && formView(route.body)),
    panel.view,
    responsesView(route));
}

function heading(route) {
  const id = `${route.id}-title`;
  return el("div",
    el("h3", { id }, el("a", { href: `#${route.id}` }, route.summary ?? route.id)),
    el("p.route", el("span", { id: `${route.id}-method` }, badge(route.method)), " ", pathNodes(route),
      route.free && say(el("span.mark"), "tokenFree"),
      route.deprecated && say(el("span.mark"), "deprecated")),
    prose(route.description));
}

/** What the server sends by itself: nothing to try. */
function messageView({ parameters, body: { media } }) {
  return el("div.inputs",
    headerTable(Object.fromEntries(parameters.map((one) => [one.name, one]))),
    el("section",
      el("div.line", say(el("h4"), "body"), el("code.type", media.kind)),
      disclosure("details.plate", said("schema"), () => tree(media.schema, false), true),
      disclosure("details.plate", said("example"),
        () => block(jsonNodes(printed(given(media) ?? sample(media.schema)))), false)));
}

const badge = (method) => el(`span.badge.${method}`, method.toUpperCase());

function pathNodes(route) {
  const parts = route.path.split(/(\{[^}]+\})/).filter(Boolean);
  return el("code.path", el("span.base", route.base),
    parts.map((part) => (part.startsWith("{") ? el("span.hole", part) : part)));
}

function parametersView(draft, redraw) {
  const fill = (valueOf) => () => {
    for (const one of draft.fields) one.input.value = one.parameter.in === "path" ? one.input.value : valueOf(one);
    redraw();
  };
  const examples = fill(({ example, parameter }) => (parameter.in === "header" ? "" : example ?? ""));
  const clear = fill(({ begin }) => begin);
  const fillable = draft.fields.some(({ parameter }) => !parameter.required && parameter.in !== "header");
  const tools = el("span.tools",
    sayButton("examples", examples, SLIGHT), sayButton("clear", clear, SLIGHT));
  return el("section",
    el("div.line", say(el("h4"), "parameters"), fillable && tools),
    el("table.parameters", { oninput: redraw },
      heads("name", "description", "value"), el("tbody", draft.fields.map((one) => one.line))));
}

/** A form with a file: what it consists of. The page sends none. */
function formView({ form, required }) {
  return el("section",
    el("div.line", say(el("h4"), "body"), el("code.type", FORM), required && requiredMark()),
    disclosure("details.plate", said("members"),
      () => [prose(plain(form.schema).description), tree(form.schema, true)], true));
}

/** What a description says of a member that is the id of an entry. */
const LISTED = /`(\w+)` (?:in|em) `GET \/settings`/;

/** For the members of a body that are ids of reference lists: the entries by name, read when somebody asks for them. */
function entriesView(route, media, read, write) {
  const members = Object.entries(plain(media.schema).properties ?? {}).flatMap(([name, of]) => {
    const shape = plain(of);
    const list = LISTED.exec(shape.description ?? "")?.[1];
    const isMany = typesOf(shape).includes("array");
    return list ? [{ name, list, isMany }] : [];
  });
  if (!members.length) return null;
  const note = el("p.problem", { role: "status" });
  const fields = el("div.entries", { hidden: true });
  const choice = (settings) => ({ name, list, isMany }) => {
    const id = `${route.id}-entry-${name}`;
    // Its name is what it says beside its number.
    const called = (entry) => Object.entries(entry).find(([key, value]) => key !== "id" && typeof value === "string")?.[1];
    const entries = settings[list] ?? settings.financial?.[list] ?? [];
    const select = el("select", { id, onchange: () => write(name, isMany ? [Number(select.value)] : Number(select.value)) },
      el("option", { value: "", disabled: true }, "—"),
      entries.map((entry) => el("option", { value: entry.id }, `${called(entry)} (${entry.id})`)));
    select.value = [read()?.[name]].flat()[0] ?? "";
    return el("div", el("label", { for: id }, el("code", name)), select);
  };
  async function show() {
    if (!token) return say(note, "byNameToken");
    try {
      const answer = await fetch(`${route.base}/settings`, {
        headers: { Authorization: `Bearer ${token}` }, credentials: "omit", cache: "no-store", signal: AbortSignal.timeout(60_000),
      });
      if (!answer.ok) return say(note, "byNameNot", answer.status);
      fields.replaceChildren(...members.map(choice(await answer.json())));
      fields.hidden = false;
      hush(note);
    } catch (error) {
      say(note, "byNameNot", error.message);
    }
  }
  return el("div", sayButton("byName", show, SLIGHT), note, fields);
}

/** The example as a body begins: without the ids of records, which nobody has chosen yet. */
function begun(value, schema) {
  const shape = plain(schema);
  if (Array.isArray(value) && nested(shape.items)) return value.map((one) => begun(one, shape.items));
  if (value && shape.properties) {
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, begun(one, shape.properties[name])]));
  }
  return isRecord(shape) ? null : value;
}

/** Whether a member is the id of a record, or some, and of no entry: by the bounds of ids. */
function isRecord(shape) {
  const { minimum, maximum } = shape.items ? plain(shape.items) : shape;
  return minimum === 1 && maximum === 2 ** 32 - 1 && !LISTED.test(shape.description);
}

function bodyView(route, draft, redraw) {
  const { media } = route.body;
  const examples = Object.entries(media.examples ?? {}).map(([name, entry]) => ({ summary: name, ...resolve(entry) }));
  if (!examples.length) {
    const wanted = (shape, required) => required || (!shape.readOnly && given(shape) !== undefined);
    examples.push({ value: media.example ?? sample(media.schema, wanted) });
  }
  for (const example of examples) example.value = begun(example.value, media.schema);
  const id = `${route.id}-body`;
  const hasHole = examples.some(({ value }) => /: null\b/.test(printed(value)));
  const trouble = el("p.problem", { id: `${id}-trouble`, role: "status" });
  const area = el("textarea", { id, "aria-describedby": trouble.id, oninput: check, ...UNTOUCHED });
  const pick = el("select", { onchange: restore },
    examples.map(({ summary }, value) => el("option", { value }, summary ?? "")));

  function check() {
    const error = jsonError(area.value);
    area.rows = Math.min(24, area.value.split("\n").length);
    mark(area, error);
    error ? say(trouble, "bodyBad", error) : hush(trouble);
    redraw();
  }
  function restore() {
    area.value = printed(examples[pick.selectedIndex].value);
    check();
  }
  draft.body = area;
  restore();
  return el("section",
    el("div.line", say(el("h4"), "body"), el("code.type", media.kind), route.body.required && requiredMark()),
    prose(route.body.description),
    el("div.line", say(el("label", { for: id }), "bodyEdit"), el("span.tools",
      examples.length > 1 && sayIn(pick, "aria-label", "example"), sayButton("restore", restore, SLIGHT))),
    area, trouble, hasHole && say(el("p.quiet"), "noRecord"),
    entriesView(route, media, () => (jsonError(area.value) ? null : JSON.parse(area.value)), (name, value) => {
      if (jsonError(area.value)) return;
      area.value = printed({ ...JSON.parse(area.value), [name]: value });
      check();
    }),
    disclosure("details.plate", said("members"),
      () => [prose(plain(media.schema).description), tree(media.schema, true)], true));
}

function responsesView(route) {
  return el("section.responses", say(el("h4"), "answers"),
    Object.entries(route.responses ?? {}).map(([status, entry]) => {
      const answer = resolve(entry);
      const good = status.startsWith("2");
      const summary = [statusMark(status), el("span", inline(answer.description ?? ""))];
      return disclosure("details.response", summary, () => {
        const media = jsonOf(answer.content);
        if (!media && !answer.headers) return say(el("p.quiet"), "empty");
        const example = media && (given(media) ?? (media.schema && sample(media.schema)));
        return [
          media?.schema && disclosure("details.plate", said("schema"), () => tree(media.schema, false), good),
          (example ?? null) !== null && disclosure("details.plate", said("example"),
            () => block(jsonNodes(printed(example))), !good),
          answer.headers && headerTable(answer.headers),
        ];
      }, good);
    }));
}

const statusMark = (status) => el(`span.status.s${String(status)[0]}`, String(status));

// --- The request as it stands, and the same in other words

function compose(route, draft) {
  const of = (place) => draft.fields.filter((one) => one.parameter.in === place && one.input.value !== "");
  const path = route.path.replace(/\{([^}]+)\}/g, (hole, name) => {
    const value = of("path").find((one) => one.parameter.name === name)?.input.value;
    return value === undefined ? hole : encodeURIComponent(value);
  });
  const pairs = (place) => of(place).map((one) => [one.parameter.name, one.input.value]);
  const query = pairs("query");
  const text = query.map((pair) => pair.map(encodeURIComponent).join("=")).join("&");
  const address = location.origin + route.base + path;
  return {
    method: route.method.toUpperCase(), address, query,
    url: text ? `${address}?${text}` : address,
    secured: !route.free,
    headers: draft.body ? [...pairs("header"), ["Content-Type", "application/json"]] : pairs("header"),
    body: draft.body?.value,
    missing: draft.fields.filter((one) => one.parameter.required && one.input.value === ""),
  };
}

const quoted = JSON.stringify; // a JSON string is a string of JavaScript and of Python as well
const lines = (...all) => all.flat().filter((one) => one !== null && one !== undefined && one !== false).join("\n");
const deeper = (text, by) => text.replaceAll("\n", `\n${by}`);
const entry = (by) => ([name, value]) => `${by}${quoted(name)}: ${quoted(value)},`;
const sound = (body) => body !== undefined && !jsonError(body);

const SNIPPETS = {
  curl(ask) {
    const shell = (text) => `'${text.replaceAll("'", "'\\''")}'`;
    return [
      ...(ask.method === "GET" ? [`curl -sS ${shell(ask.url)}`] : [`curl -sS -X ${ask.method}`, shell(ask.url)]),
      ask.secured && '-H "Authorization: Bearer $PLEITO_TOKEN"',
      ...ask.headers.map(([name, value]) => `-H ${shell(`${name}: ${value}`)}`),
      ask.body !== undefined && `--data-raw ${shell(ask.body)}`,
    ].filter(Boolean).join(" \\\n  ");
  },
  Python(ask) {
    const json = sound(ask.body);
    const names = { true: "True", false: "False", null: "None" };
    const literal = (piece) => names[piece] ?? (piece.startsWith('"') ? quoted(JSON.parse(piece)) : piece);
    const headers = [
      ask.secured && "        \"Authorization\": f\"Bearer {os.environ['PLEITO_TOKEN']}\",",
      ...ask.headers.filter(([name]) => name !== "Content-Type" || !json).map(entry("        ")),
    ].filter(Boolean);
    return lines(
      ask.secured && "import os", "import requests", "",
      `answer = requests.${ask.method.toLowerCase()}(`,
      `    ${quoted(ask.address)},`,
      ask.query.length > 0 && ["    params={", ...ask.query.map(entry("        ")), "    },"],
      headers.length > 0 && ["    headers={", ...headers, "    },"],
      json && `    json=${deeper(ask.body.replace(PIECE, literal), "    ")},`,
      ask.body !== undefined && !json && `    data=${quoted(ask.body)}.encode(),`,
      "    timeout=30,", ")", "answer.raise_for_status()", "print(answer.json())");
  },
  JavaScript(ask) {
    const headers = [
      ask.secured && "    Authorization: `Bearer ${process.env.PLEITO_TOKEN}`,",
      ...ask.headers.map(entry("    ")),
    ].filter(Boolean);
    const body = sound(ask.body) ? `JSON.stringify(${deeper(ask.body, "  ")})` : quoted(ask.body);
    const options = lines(
      ask.method !== "GET" && `  method: ${quoted(ask.method)},`,
      headers.length > 0 && ["  headers: {", ...headers, "  },"],
      ask.body !== undefined && `  body: ${body},`);
    return lines(
      `const answer = await fetch(${quoted(ask.url)}${options && `, {\n${options}\n}`});`,
      "console.log(answer.status, await answer.json());");
  },
  PowerShell(ask) {
    const string = (text) => `'${text.replace(/['‘’‚‛]/g, "$&$&")}'`; // curly quotes count as straight there
    const headers = [
      ask.secured && '  Authorization = "Bearer $env:PLEITO_TOKEN"',
      ...ask.headers.filter(([name]) => name !== "Content-Type").map((pair) => `  ${pair.map(string).join(" = ")}`),
    ].filter(Boolean);
    return lines(
      headers.length > 0 && ["$headers = @{", ...headers, "}"],
      ask.body !== undefined && ["$body = @'", ask.body, "'@"],
      `Invoke-RestMethod -Method ${ask.method} -Uri ${string(ask.url)}${headers.length ? " -Headers $headers" : ""}${
        ask.body ? " `\n  -ContentType 'application/json' -Body ([Text.Encoding]::UTF8.GetBytes($body))" : ""}`);
  },
};

const CODE = /'(?:[^'\\]|\\.|'\\'')*'|"(?:[^"\\\n]|\\.)*"|`[^`\n]*`/g;
const codeNodes = (text) => coloured(text, CODE, (piece) => (piece.includes("PLEITO_TOKEN") ? "secret" : "text"));

// --- Try it

/** The panel beside an operation: the request in the reader's language, the button that sends it, and the answer. */
function tryPanel(route, draft) {
  const code = el("code");
  const result = el("div.result", { hidden: true });
  const note = el("p.problem", { role: "status" });
  const sender = say(el("button.main", { type: "submit" }), "send");
  const cancel = sayButton("cancel", () => disarm(true));
  let armed = 0; // when the first of the two clicks came
  let busy = false;

  const redraw = () => {
    code.replaceChildren(...codeNodes(SNIPPETS[snippetKind](compose(route, draft))));
    disarm(false);
  };
  function disarm(refocus) {
    armed = 0;
    say(sender, "send");
    sender.classList.remove("armed");
    cancel.hidden = true;
    hush(note);
    if (refocus) sender.focus();
  }
  async function submit(event) {
    event.preventDefault();
    if (busy) return;
    const ask = compose(route, draft);
    for (const one of draft.fields) mark(one.input, ask.missing.includes(one));
    if (ask.missing.length) {
      say(note, "missing", ask.missing.map((one) => one.parameter.name).join(", "));
      ask.missing[0].input.focus();
      return;
    }
    const now = performance.now();
    if (armed && now - armed < 700) { // a double click, or a key held down, is one decision
      armed = now;
      return;
    }
    if (WRITES.has(route.method) && !armed) {
      armed = now;
      say(sender, "confirm");
      sender.classList.add("armed");
      cancel.hidden = false;
      say(note, "confirmWhy", `${ask.method} ${new URL(ask.url).pathname}`);
      return;
    }
    disarm(false);
    busy = true;
    say(sender, "sending");
    await perform(ask, route, result);
    busy = false;
    say(sender, "send");
  }

  const kinds = Object.keys(SNIPPETS);
  const tabs = el("div.tabs", { role: "tablist", onkeydown: (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    choose(kinds[(kinds.indexOf(snippetKind) + step + kinds.length) % kinds.length]);
    tabs.querySelector("[aria-selected=true]").focus();
  } }, kinds.map((kind) => el("button", {
    type: "button", role: "tab", id: `${route.id}-${kind}`, "aria-controls": `${route.id}-code`,
    onclick: () => choose(kind),
  }, kind)));
  const plate = el("pre.snippet", { role: "tabpanel", id: `${route.id}-code`, tabindex: "0" }, code);
  redrawSnippets.push(() => {
    for (const tab of tabs.children) {
      const chosen = tab.textContent === snippetKind;
      tab.setAttribute("aria-selected", chosen);
      tab.tabIndex = chosen ? 0 : -1;
      if (chosen) plate.setAttribute("aria-labelledby", tab.id);
    }
    redraw();
  });
  const form = {
    id: `${route.id}-form`, "aria-labelledby": `${route.id}-request ${route.id}-method ${route.id}-title`, novalidate: true,
    onsubmit: submit, onkeydown: (event) => event.key === "Escape" && armed && disarm(true),
  };
  const view = el("form.try", form,
    el("div.line", say(el("h4", { id: `${route.id}-request` }), "request"), el("span.tools", cancel, sender)),
    note, result,
    el("div.shell", el("div.line", sayIn(tabs, "aria-label", "snippetIn"), copyButton(() => code.textContent)), plate));
  return { redraw, view };
}

function choose(kind) {
  snippetKind = kind;
  for (const redraw of redrawSnippets) redraw();
}

async function perform(ask, route, result) {
  const headers = new Headers();
  const begun = performance.now();
  try {
    for (const [name, value] of ask.headers) headers.set(name, value);
    if (ask.secured && token) headers.set("Authorization", `Bearer ${token}`);
    const answer = await fetch(ask.url, {
      method: ask.method, headers, body: ask.body,
      credentials: "omit", cache: "no-store", signal: AbortSignal.timeout(60_000),
    });
    const text = await answer.text();
    showAnswer(result, route, answer, text, Math.round(performance.now() - begun));
  } catch (error) {
    result.replaceChildren(
      el("div.line", el("strong", said("unreachable")), el("span.tools", closeButton(result))),
      say(el("p.advice"), "whatToDo"), el("p.quiet", error.message));
    announce(words("unreachable"));
  }
  result.hidden = false;
}

function closeButton(result) {
  return sayButton("close", () => {
    result.hidden = true;
    result.closest("form").querySelector("button.main").focus();
  }, SLIGHT);
}

/** Seconds as people say them: to the minute past two of them, to the hour past two of those. */
function lasting(seconds) {
  const [, size, unit] = [[120, 1, "s"], [7200, 60, "min"], [Infinity, 3600, "h"]].find(([end]) => seconds < end);
  return `${Math.ceil(seconds / size)} ${unit}`;
}

const LIMITS = [
  ["limit", "x-ratelimit-limit", String], ["left", "x-ratelimit-remaining", String],
  ["reset", "x-ratelimit-reset", lasting], ["retry", "retry-after", lasting],
];

function showAnswer(result, route, answer, text, ms) {
  const isJson = !jsonError(text);
  const shown = isJson ? indent(text) : text;
  const meaning = resolve(route.responses?.[answer.status]).description;
  const advice = { 401: "why401", 429: "why429", 503: "why503" }[answer.status];
  const enter = sayButton("enter", () => {
    forgetToken();
    $("token").focus();
  }, "button.link");
  const limits = LIMITS.filter(([, name]) => answer.headers.has(name)).map(([key, name, shown]) =>
    el("div", say(el("dt"), key), el("dd", shown(answer.headers.get(name)))));
  const body = block(isJson ? jsonNodes(shown) : shown);
  result.replaceChildren(
    el("div.line",
      el("strong", statusMark(answer.status), " ", answer.statusText, " ", el("span.quiet", `${ms} ms`)),
      el("span.tools", text && copyButton(() => shown), closeButton(result))),
    meaning ? el("p.quiet", inline(meaning)) : "",
    advice ? el("p.advice", said(advice), answer.status === 401 && [" ", enter]) : "",
    limits.length ? el("dl.limits", limits) : "",
    text ? sayIn(body, "aria-label", "answer") : say(el("p.quiet"), "empty"),
    disclosure("details.plate", said("headers"), () => el("table",
      heads("name", "value"), el("tbody", [...answer.headers].map(([name, value]) => row(el("code", name), el("code", value)))))));
  announce(`${words("answer")}: ${answer.status} ${answer.statusText}, ${ms} ms`);
}

// --- The token

/** Takes the typed token out of the field, so that the page's markup does not hold it either. */
function keepToken() {
  const typed = $("token").value.trim().replace(/^Bearer\s+/i, "");
  if (!typed) return;
  if (!/^[\x21-\x7e]+$/.test(typed)) {
    mark($("token"), true);
    say($("token-hint"), "tokenBad");
    return;
  }
  token = typed;
  showToken(true);
  say($("token-kept"), "tokenKept", typed.slice(-4));
  say($("token-hint"), /^plt_[0-9A-Za-z]{49}$/.test(typed) ? "tokenHint" : "tokenOdd");
}

function forgetToken() {
  token = "";
  showToken(false);
  say($("token-hint"), "tokenHint");
}

function showToken(kept) {
  $("token").value = "";
  mark($("token"), false);
  for (const node of $("token-form").querySelectorAll("input, [type=submit]")) node.hidden = kept;
  $("token-kept").hidden = !kept;
  $("token-forget").hidden = !kept;
}

function wireToken() {
  on("token", "change", keepToken);
  on("token-form", "submit", (event) => {
    event.preventDefault();
    keepToken();
    if (token) $("token-forget").focus();
  });
  on("token-forget", "click", () => {
    forgetToken();
    $("token").focus();
  });
}

// --- The index

const folded = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

const tagName = (tag) => tag.name || said("other");

let indexed = new AbortController(); // ends what listens to the index of a description that is shown no more

function indexView(groups) {
  indexed.abort();
  indexed = new AbortController();
  const { signal } = indexed;
  const entries = [];
  $("entries").replaceChildren(...groups.map(([tag, all], at) => {
    const items = all.map((route) => {
      const { method, path, id, summary, parameters } = route;
      const steps = path.split(/(?<=.\/)/).flatMap((step, at) => (at ? [el("wbr"), step] : step));
      const link = el("a", { href: `#${id}`, title: summary }, badge(method), el("code", steps));
      const item = el("li", link);
      const text = folded([method, path, id, summary, tag.name, ...parameters.map((one) => one.name)].join(" "));
      entries.push({ link, item, text });
      return item;
    });
    const id = `index-${at}`;
    return el("section", el("h2", { id }, tagName(tag)), el("ul", { "aria-labelledby": id }, items));
  }));
  const visible = () => entries.filter((entry) => !entry.item.hidden);
  const narrow = () => {
    const wanted = folded($("filter").value).split(/\s+/).filter(Boolean);
    for (const entry of entries) entry.item.hidden = !wanted.every((word) => entry.text.includes(word));
    for (const group of $("entries").children) group.hidden = !group.querySelector("li:not([hidden])");
    const count = visible().length;
    wanted.length ? say($("found"), count ? "found" : "none", count, entries.length) : hush($("found"));
  };
  sayIn($("filter"), "placeholder", "filter");
  $("filter").value = "";
  narrow();
  on("filter", "input", narrow, { signal });
  on("index", "keydown", (event) => {
    const shown = visible();
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      const at = shown.findIndex((entry) => entry.link === document.activeElement) + step;
      (at < 0 ? $("filter") : shown[Math.min(at, shown.length - 1)]?.link)?.focus();
    } else if (event.key === "Enter" && event.target === $("filter")) {
      shown[0]?.link.click();
    } else if (event.key === "Escape") {
      $("filter").value = "";
      narrow();
      openMenu(false);
      $("menu").focus();
    }
  }, { signal });
  on("entries", "click", (event) => event.target.closest("a") && openMenu(false), { signal });
  follow(new Map(entries.map((entry) => [entry.link.hash.slice(1), entry.link])), signal);
}

/** Marks the entry whose operation is being read. */
function follow(links, signal) {
  const seen = new Set();
  const watcher = new IntersectionObserver((changes) => {
    for (const change of changes) change.isIntersecting ? seen.add(change.target.id) : seen.delete(change.target.id);
    const current = [...links.keys()].find((id) => seen.has(id));
    for (const [id, link] of links) {
      id === current ? link.setAttribute("aria-current", "location") : link.removeAttribute("aria-current");
    }
    links.get(current)?.scrollIntoView({ block: "nearest" });
  }, { rootMargin: "-90px 0px -60% 0px" });
  for (const id of links.keys()) watcher.observe($(id));
  signal.addEventListener("abort", () => watcher.disconnect());
}

function openMenu(open) {
  $("menu").setAttribute("aria-expanded", open);
  $("index").classList.toggle("open", open);
}

// --- The page

function intro() {
  const { title = "API", version = "?", description } = api.info ?? {};
  const base = location.origin + basePath(api.servers);
  return el("section.intro",
    el("h1", title, " ", el("span.version", said("version", version), ` · OpenAPI ${api.openapi}`)),
    el("p.address",
      said("base"), el("code", base), copyButton(() => base), el("a", { href: descriptionPath() }, said("raw"))),
    prose(description));
}

/** Operations by their first tag: the description's tags in its order, then any other. */
function grouped() {
  const all = routes();
  const tags = new Map((api.tags ?? []).map((tag) => [tag.name, tag]));
  for (const { tag } of all) if (!tags.has(tag)) tags.set(tag, { name: tag });
  const groups = [...tags.values()].map((tag) => [tag, all.filter((route) => route.tag === tag.name)]);
  return groups.filter(([, list]) => list.length);
}

function show() {
  const groups = grouped();
  $("main").replaceChildren(intro(), ...groups.map(([tag, list], at) => {
    const id = `tag-${at}`;
    return el("section.tag", { "aria-labelledby": id },
      el("h2", { id }, tagName(tag)), prose(tag.description), list.map(routeView));
  }));
  choose(snippetKind);
  indexView(groups);
  $("index").hidden = false;
  arrive();
}

/** A deep link names an operation that did not exist when the browser looked for it. */
function arrive() {
  const target = $(location.hash.slice(1));
  if (!$("main").contains(target)) return;
  target.scrollIntoView();
  target.querySelector("h3 a")?.focus({ preventScroll: true });
}

function showTrouble(reason) {
  $("index").hidden = true;
  $("main").replaceChildren(el("div.state", { role: "alert" },
    say(el("h1"), "trouble"), say(el("p"), "whatToDo"), el("p.quiet", reason),
    el("p.tools", sayButton("again", load, "button.main"), el("a", { href: descriptionPath() }, said("raw")))));
}

const descriptionPath = () => `/openapi.json?lang=${language ? "en" : "pt"}`;

async function load() {
  $("main").replaceChildren(el("div.state", { role: "status" }, say(el("p"), "loading")));
  redrawSnippets.length = 0;
  try {
    const answer = await fetch(descriptionPath());
    if (!answer.ok) throw new Error(`GET /openapi.json: ${answer.status} ${answer.statusText}`);
    api = await answer.json();
    if (!/^3\./.test(api?.openapi) || !api.paths) throw new Error("GET /openapi.json: not an OpenAPI 3 description");
    show();
  } catch (error) {
    showTrouble(error.message);
  }
}

/** Another language without another page, which would forget the token: the server gives the frame, and remembers. */
async function changeLanguage(event) {
  event.preventDefault();
  try {
    const answer = await fetch(event.currentTarget.href);
    const frame = new DOMParser().parseFromString(await answer.text(), "text/html");
    document.documentElement.lang = frame.documentElement.lang;
    for (const kind of [".guides", ".languages"]) document.querySelector(kind).replaceWith(frame.querySelector(kind));
  } catch (error) {
    showTrouble(error.message);
    return;
  }
  wireLanguages();
  document.querySelector(".languages [aria-current]").focus();
  relabel();
  load();
}

function wireLanguages() {
  for (const link of document.querySelectorAll(".languages a")) link.addEventListener("click", changeLanguage);
}

function wireSwitches() {
  const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]);
  const palette = rules.find((rule) => rule.media?.mediaText.includes("dark"))?.media ?? {};
  const isDark = () => getComputedStyle(document.documentElement).colorScheme === "dark";
  const name = () => say($("theme"), isDark() ? "light" : "dark");
  on("theme", "click", () => {
    palette.mediaText = isDark() ? "not all" : "all";
    name();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", name);
  on("menu", "click", () => openMenu($("menu").getAttribute("aria-expanded") !== "true"));
  addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || $("index").hidden) return;
    event.preventDefault();
    openMenu(true);
    $("filter").focus();
    $("filter").select();
  });
  name();
}

relabel();
wireSwitches();
wireLanguages();
wireToken();
load();

// Runs a workflow of n8n's as far as the documents use n8n, by hand: the nodes' own requests, expressions and code.
//
//   node n8n.mjs FILE     a workflow, or the code of one node (.js), on the items of standard input; prints those of the last node
//
// PLEITO_TOKEN is the credential. What `$getWorkflowStaticData('global')` remembers stands in the file N8N_MEMORY, written as
// n8n does: only when the run succeeds. Whatever the documents do not use is refused.
import { createRequire } from 'node:module';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const text = readFileSync(process.argv[2], 'utf8');
const given = JSON.parse(readFileSync(0, 'utf8'));
const kept = process.env.N8N_MEMORY;
const memory = kept && existsSync(kept) ? JSON.parse(readFileSync(kept, 'utf8')) : {};
// What n8n accepts unless a node says otherwise.
const ACCEPT = 'application/json,text/html,application/xhtml+xml,application/xml,text/*;q=0.9, image/*;q=0.8, */*;q=0.7';
const AsyncFunction = (async () => {}).constructor;

// What stands between `{{` and `}}`, with what n8n lets expressions see: no static data.
function expression(value, seen) {
  if (typeof value !== 'string' || !value.startsWith('=')) return value;
  const compute = (code) => new Function(...Object.keys(seen), `return (${code});`)(...Object.values(seen));
  const whole = /^=\{\{((?:(?!\}\}).|\}\}(?= *\}))*)\}\}$/s.exec(value);
  if (whole) return compute(whole[1]);
  return value.slice(1).replace(/\{\{(.*?)\}\}/gs, (_, code) => compute(code));
}

async function code(source, items) {
  const helpers = { getBinaryDataBuffer: async (at, name) => Buffer.from(items[at].binary[name], 'base64') };
  const $input = { all: () => items, first: () => items[0] };
  const global = (scope) => {
    if (scope !== 'global') throw new Error(`static data of ${scope}`);
    return memory;
  };
  const run = new AsyncFunction('$input', '$getWorkflowStaticData', 'require', source);
  const made = await run.call({ helpers }, $input, global, createRequire(import.meta.url));
  if (!Array.isArray(made) || made.some((item) => typeof item.json !== 'object')) throw new Error('a node gives items');
  return made;
}

const only = (object, ...names) => {
  const other = Object.keys(object ?? {}).filter((name) => !names.includes(name));
  if (other.length) throw new Error(`not known here: ${other}`);
};

async function send(node, item) {
  const set = node.parameters;
  only(set, 'method', 'url', 'authentication', 'genericAuthType', 'sendQuery', 'queryParameters', 'sendHeaders',
    'headerParameters', 'sendBody', 'specifyBody', 'jsonBody', 'bodyParameters', 'options');
  only(set.options, 'pagination', 'response');
  if (`${set.authentication} ${set.genericAuthType}` !== 'genericCredentialType httpHeaderAuth') throw new Error('no credential');
  const pages = set.options.pagination?.pagination;
  const answers = [];
  for (let $response = {}, $pageCount = 0; ; ) {
    const seen = { $json: item.json, $response, $pageCount };
    const pairs = (list) => (list?.parameters ?? []).map(({ name, value }) => [name, expression(value, seen)]);
    const url = new URL(expression(set.url, seen));
    for (const [name, value] of set.sendQuery ? pairs(set.queryParameters) : []) url.searchParams.set(name, value);
    for (const { type, name, value } of pages?.parameters.parameters ?? []) {
      if (type !== 'qs') throw new Error(`a parameter of ${type}`);
      url.searchParams.set(name, expression(value, seen));
    }
    const headers = { accept: ACCEPT, authorization: `Bearer ${process.env.PLEITO_TOKEN}` };
    for (const [name, value] of set.sendHeaders ? pairs(set.headerParameters) : []) headers[name.toLowerCase()] = String(value);
    let body;
    if (set.sendBody) {
      headers['content-type'] = 'application/json';
      body = set.specifyBody === 'json' ? expression(set.jsonBody, seen) : Object.fromEntries(pairs(set.bodyParameters));
    }
    const answer = await fetch(url, { method: set.method ?? 'GET', headers, body: body && JSON.stringify(body) });
    const came = await answer.text();
    if (!answer.ok) throw new Error(`${node.name}: ${answer.status} ${came}`);
    const asText = set.options.response?.response;
    const read = asText ? came : JSON.parse(came);
    $response = { body: read, headers: Object.fromEntries(answer.headers), statusCode: answer.status };
    $pageCount += 1;
    answers.push(asText ? { [asText.outputPropertyName]: came } : read);
    if (!pages || expression(pages.completeExpression, { $json: item.json, $response, $pageCount })) break;
    if ($pageCount > 20) throw new Error(`${node.name}: no end of pages`);
  }
  return answers.flat().map((json) => ({ json }));
}

const KINDS = {
  scheduleTrigger: () => [{ json: {} }],
  code: (node, items) => code(node.parameters.jsCode, items),
  httpRequest: async (node, items) => {
    const made = [];
    for (const item of items) made.push(...(await send(node, item)));
    return made;
  },
  splitOut: (node, items) => items.flatMap(({ json }) => json[node.parameters.fieldToSplitOut]).map((json) => ({ json })),
  aggregate: (node, items) => [{ json: { [node.parameters.destinationFieldName]: items.map(({ json }) => json) } }],
};

async function workflow({ nodes, connections, ...rest }) {
  only({ ...rest });
  const next = (name) => connections[name]?.main[0].map((to) => to.node) ?? [];
  const after = new Set(Object.values(connections).flatMap(({ main }) => main.flat().map((to) => to.node)));
  let [node, ...others] = nodes.filter(({ name }) => !after.has(name));
  if (!node || others.length) throw new Error('one node is the first');
  for (let items = given; ; ) {
    if (!items.length) return items; // As in n8n: nothing that comes behind runs.
    items = await KINDS[node.type.replace('n8n-nodes-base.', '')](node, items);
    const [to, ...more] = next(node.name);
    if (more.length) throw new Error('a branch');
    if (!to) return items;
    node = nodes.find(({ name }) => name === to);
  }
}

const items = process.argv[2].endsWith('.js') ? await code(text, given) : await workflow(JSON.parse(text));
if (kept) writeFileSync(kept, JSON.stringify(memory));
console.log(JSON.stringify(items.map(({ json }) => json)));

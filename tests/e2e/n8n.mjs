// Emulates the part of n8n that the guides use: requests, expressions and code of nodes.
//
//   node n8n.mjs FILE     runs a workflow, or the code of one node (.js), on the items of standard input
//
// Prints the items of the last node.
//
// PLEITO_TOKEN is the credential. The file N8N_MEMORY contains the data of `$getWorkflowStaticData('global')`. As in
// n8n, it is only saved if the run succeeds. Features that the guides do not use are errors.
import { createRequire } from 'node:module';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const text = readFileSync(process.argv[2], 'utf8');
const given = JSON.parse(readFileSync(0, 'utf8'));
const kept = process.env.N8N_MEMORY;
const memory = kept && existsSync(kept) ? JSON.parse(readFileSync(kept, 'utf8')) : {};
// The default Accept header of n8n.
const ACCEPT = 'application/json,text/html,application/xhtml+xml,application/xml,text/*;q=0.9, image/*;q=0.8, */*;q=0.7';
const AsyncFunction = (async () => {}).constructor;

// Evaluates expressions between `{{` and `}}`. As in n8n, they cannot access static data.
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
    if (scope !== 'global') throw new Error(`static data of ${scope} is not supported`);
    return memory;
  };
  const run = new AsyncFunction('$input', '$getWorkflowStaticData', 'require', source);
  const made = await run.call({ helpers }, $input, global, createRequire(import.meta.url));
  if (!Array.isArray(made) || made.some((item) => typeof item.json !== 'object')) throw new Error('no items');
  return made;
}

const only = (object, ...names) => {
  const other = Object.keys(object ?? {}).filter((name) => !names.includes(name));
  if (other.length) throw new Error(`not supported: ${other}`);
};

async function send(node, item) {
  const set = node.parameters;
  only(set, 'method', 'url', 'authentication', 'genericAuthType', 'sendQuery', 'queryParameters', 'sendHeaders',
    'headerParameters', 'sendBody', 'specifyBody', 'jsonBody', 'bodyParameters', 'options');
  only(set.options, 'pagination', 'response');
  if (`${set.authentication} ${set.genericAuthType}` !== 'genericCredentialType httpHeaderAuth') throw new Error('no credential');
  const pages = set.options.pagination?.pagination;
  const responses = [];
  for (let $response = {}, $pageCount = 0; ; ) {
    const seen = { $json: item.json, $response, $pageCount };
    const pairs = (list) => (list?.parameters ?? []).map(({ name, value }) => [name, expression(value, seen)]);
    const url = new URL(expression(set.url, seen));
    for (const [name, value] of set.sendQuery ? pairs(set.queryParameters) : []) url.searchParams.set(name, value);
    for (const { type, name, value } of pages?.parameters.parameters ?? []) {
      if (type !== 'qs') throw new Error(`parameters of type ${type} are not supported`);
      url.searchParams.set(name, expression(value, seen));
    }
    const headers = { accept: ACCEPT, authorization: `Bearer ${process.env.PLEITO_TOKEN}` };
    for (const [name, value] of set.sendHeaders ? pairs(set.headerParameters) : []) headers[name.toLowerCase()] = String(value);
    let body;
    if (set.sendBody) {
      headers['content-type'] = 'application/json';
      body = set.specifyBody === 'json' ? expression(set.jsonBody, seen) : Object.fromEntries(pairs(set.bodyParameters));
    }
    const response = await fetch(url, { method: set.method ?? 'GET', headers, body: body && JSON.stringify(body) });
    const content = await response.text();
    if (!response.ok) throw new Error(`${node.name}: ${response.status} ${content}`);
    const asText = set.options.response?.response;
    const read = asText ? content : JSON.parse(content);
    $response = { body: read, headers: Object.fromEntries(response.headers), statusCode: response.status };
    $pageCount += 1;
    responses.push(asText ? { [asText.outputPropertyName]: content } : read);
    if (!pages || expression(pages.completeExpression, { $json: item.json, $response, $pageCount })) break;
    if ($pageCount > 20) throw new Error(`${node.name}: too many pages`);
  }
  return responses.flat().map((json) => ({ json }));
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
  if (!node || others.length) throw new Error('there must be one first node');
  for (let items = given; ; ) {
    if (!items.length) return items; // As in n8n, later nodes do not run.
    items = await KINDS[node.type.replace('n8n-nodes-base.', '')](node, items);
    const [to, ...more] = next(node.name);
    if (more.length) throw new Error('branches are not supported');
    if (!to) return items;
    node = nodes.find(({ name }) => name === to);
  }
}

const items = process.argv[2].endsWith('.js') ? await code(text, given) : await workflow(JSON.parse(text));
if (kept) writeFileSync(kept, JSON.stringify(memory));
console.log(JSON.stringify(items.map(({ json }) => json)));

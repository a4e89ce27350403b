// Uses openapi-fetch with the types that openapi-typescript generates, as an office would. Run by 25-generated-clients.

import createClient from "openapi-fetch";
import type { components, paths, webhooks } from "./schema.js";

declare const process: { env: Record<string, string> };

const { ORIGIN, TOKEN } = process.env;
const client = createClient<paths, "application/json">({
  baseUrl: `${ORIGIN}/api/v1`,
  headers: { Authorization: `Bearer ${TOKEN}` },
});

function same(one: unknown, other: unknown): void {
  const [own, expected] = [one, other].map((value) => JSON.stringify(value));
  if (own !== expected) throw new Error(`${own} instead of ${expected}`);
}

/** Returns the body of the response. Throws if the request failed. */
function done<T>({ data, error, response }: { data?: T; error?: unknown; response: Response }): T {
  if (data === undefined) throw new Error(`${response.status} ${response.url}: ${JSON.stringify(error)}`);
  return data;
}

const stranger = createClient<paths, "application/json">({ baseUrl: `${ORIGIN}/api/v1` });
const refused = await stranger.GET("/customers");
same([refused.response.status, refused.error?.code], [401, "unauthenticated"]);

const settings = done(await client.GET("/settings"));
const [user, origin, stage, type] = [settings.users[0], settings.origins[0], settings.stages[0], settings.type_lawsuits[0]];
if (!user || !origin || !stage || !type) throw new Error("a reference list of the new office is empty");

const person: components["schemas"]["CustomerNew"] = {
  users_id: user.id, customers_origins_id: origin.id, name: "Davi Prado", gender: "M", city: null,
};
const [made] = done(await client.POST("/customers", { body: person, params: { header: { "Idempotency-Key": "ts" } } }));
if (!made) throw new Error("no customer was created");
const one = { params: { path: { id: made.customer_id } } };
const found = done(await client.GET("/customers", { params: { query: { name: "davi", created_start: "2020-01-01" } } }));
same([found.totalCount, found.data[0]?.id], [1, made.customer_id]);
done(await client.PUT("/customers/{id}", { ...one, body: { city: "Laguna" } }));
const read = done(await client.GET("/customers/{id}", one));
same([read.name, read.gender, read.city, read.email], ["Davi Prado", "M", "Laguna", null]);
const wrong = await client.PUT("/customers/{id}", { ...one, body: { email: "x" } });
same([wrong.response.status, wrong.error?.reasons?.["email"]], [422, ["not-an-email"]]);

const lawsuit: components["schemas"]["LawsuitNew"] = {
  users_id: user.id, customers_id: [made.customer_id], stages_id: stage.id, type_lawsuits_id: type.id,
  date: "2026-02-28", fees_money: 1500.5,
};
const first = done(await client.POST("/lawsuits", { body: lawsuit })).lawsuit_id;
const second = done(await client.POST("/lawsuits", { body: lawsuit })).lawsuit_id;
const query = { customer_id: made.customer_id };
const page = done(await client.GET("/lawsuits", { params: { query: { ...query, limit: 1 } } }));
const rest = done(await client.GET("/lawsuits", { params: { query: { ...query, after: first } } }));
same([page.totalCount, page.data.map(({ id }) => id), rest.data.map(({ id }) => id)], [2, [first], [second]]);
done(await client.PUT("/lawsuits/{id}", { params: { path: { id: first } }, body: { folder: "A-12" } }));
const kept = done(await client.GET("/lawsuits/{id}", { params: { path: { id: first } } }));
same([kept.folder, kept.process_date, kept.fees_money, kept.customers[0]?.name], ["A-12", "2026-02-28", 1500.5, "Davi Prado"]);

// The Accept header prefers a page over the event stream.
const changes = done(await client.GET("/changes", {
  params: { query: { resource: "lawsuits", include: "values" } },
  headers: { Accept: "application/json;q=1.0, text/event-stream;q=0.9" },
}));
same(changes.data.at(-1)?.values, { folder: [null, "A-12"] });

done(await client.DELETE("/lawsuits/{id}", { params: { path: { id: second }, query: { reason: "em dobro" } } }));
const gone = await client.GET("/lawsuits/{id}", { params: { path: { id: second } } });
same([gone.response.status, gone.error?.code, typeof gone.error?.deleted_at], [404, "not-found", "string"]);
const other = done(await client.POST("/customers", { body: { ...person, name: "Rui Prado" } }));
done(await client.DELETE("/customers/{id}", { params: { path: { id: other[0]?.customer_id ?? 0 } } }));

// Webhook messages have a type too.
type Message = webhooks["lawsuit.stage_changed"]["post"]["requestBody"]["content"]["application/json"];
const message: Message = {
  type: "lawsuit.stage_changed", timestamp: "2026-11-21T13:30:00Z",
  data: { seq: 4712, resource: "lawsuits", id: first, op: "updated", changed: ["stages_id"] },
};
same(message.data.record?.folder, undefined);
console.log("openapi-typescript: customers, lawsuits and changes");

import { z } from 'zod';
import { ROUTE_NAMES, ROUTES } from './contract.ts';
import { errorAnswer, type Status } from './errors.ts';
import { isStream, type Route, type Stream } from './route.ts';
import { workspaceQuery } from './workspace-query.ts';

type Json = Record<string, unknown>;

/** What every request can be answered with. */
const ALWAYS: readonly Status[] = [400, 401, 403];

const REASONS: Readonly<Record<Status, string>> = {
  400: 'The request can not be understood',
  401: 'No token and no cookie that are good',
  403: 'From another site, or for another host',
  404: 'There is no such thing',
  405: 'Not by this method',
  409: 'The present does not allow it: it moved since, or a choice is needed, told in `details`',
  413: 'Too large',
  415: 'Bodies are JSON',
  422: 'Understood, but not possible',
  500: 'A fault of ours',
  503: 'Somebody else is at work; try again',
  507: 'The disk is full',
};

/** The OpenAPI document of the whole contract, made from the same schemas that requests are checked with. */
export const openApi = (version: string): Json => ({
  openapi: '3.1.0',
  info: {
    title: 'Retake',
    version,
    description: 'Local to this machine. Every request needs the token of `retake serve`, as a bearer or as the cookie of a sign-in.',
  },
  jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
  security: [{ token: [] }, { cookie: [] }],
  paths: paths(),
  components: {
    securitySchemes: {
      token: { type: 'http', scheme: 'bearer' },
      cookie: { type: 'apiKey', in: 'cookie', name: 'retake-PORT' },
    },
    schemas: components(),
  },
});

const paths = (): Json => {
  const all: Record<string, Json> = {};
  for (const name of ROUTE_NAMES) {
    const one: Route = ROUTES[name];
    all[one.path] = { ...all[one.path], [one.method]: operationOf(name, one) };
  }
  return all;
};

const operationOf = (name: string, one: Route): Json => ({
  operationId: name,
  summary: one.summary,
  tags: [one.tag],
  ...(one.isOpen ? { security: [] } : {}),
  parameters: [
    ...parametersOf(one.params, 'path'),
    ...parametersOf(one.query, 'query'),
    ...(one.in === 'workspace' ? parametersOf(workspaceQuery, 'query') : []),
  ],
  ...(one.body === undefined
    ? {}
    : {
        requestBody: {
          required: !one.body.safeParse({}).success,
          content: { 'application/json': { schema: schemaOf(one.body, 'input') } },
        },
      }),
  responses: responsesOf(one),
});

const parametersOf = (schema: z.ZodObject | undefined, where: 'path' | 'query'): Json[] =>
  Object.entries(schema?.shape ?? {}).map(([name, field]) => {
    const { description, ...rest } = schemaOf(field as z.ZodType, 'input');
    const isNeeded = where === 'path' || !(field as z.ZodType).safeParse(undefined).success;
    return { name, in: where, required: isNeeded, ...(description === undefined ? {} : { description }), schema: rest };
  });

const responsesOf = (one: Route): Json => {
  const problems = [...new Set([...ALWAYS, ...one.errors])].sort();
  return {
    [String(one.status ?? 200)]: {
      description: one.summary,
      content: { ...contentOf(one.answer), ...(one.orStream && contentOf(one.orStream)) },
    },
    ...Object.fromEntries(
      problems.map((status) => [
        String(status),
        { description: REASONS[status], content: { 'application/json': { schema: schemaOf(errorAnswer, 'output') } } },
      ]),
    ),
  };
};

const contentOf = (answer: z.ZodType | Stream): Json =>
  'stream' in answer && isStream(answer)
    ? { [answer.stream]: { schema: answer.of === undefined ? { type: 'string' } : schemaOf(answer.of, 'output') } }
    : { 'application/json': { schema: schemaOf(answer as z.ZodType, 'output') } };

const uri = (id: string): string => `#/components/schemas/${id}`;

/** A schema; those that have a name are referred to. */
const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): Json => {
  const id = z.globalRegistry.get(schema)?.id;
  if (id !== undefined) return { $ref: uri(id) };
  const { $schema: _, $defs: __, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'throw' }) as Json;
  return refer(rest) as Json;
};

/** References into a document of its own become references into ours. */
const refer = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(refer);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [
      key,
      key === '$ref' && typeof one === 'string' ? one.replace('#/$defs/', uri('')) : refer(one),
    ]),
  );
};

/** All schemas that have a name. */
const components = (): Json => {
  const { schemas } = z.toJSONSchema(z.globalRegistry, { uri, io: 'output', unrepresentable: 'throw' });
  return Object.fromEntries(
    Object.entries(schemas)
      .filter(([id]) => !id.startsWith('__'))
      .map(([id, { $schema: _, $id: __, ...rest }]) => [id, rest]),
  );
};

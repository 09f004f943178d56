import { z } from 'zod';
import { BadRequest } from './problem.ts';

/** What a field of a query is: all of it is text on its way. */
type Kind = 'number' | 'boolean' | 'list' | 'text';

const kinds = new WeakMap<z.ZodObject, ReadonlyMap<string, Kind>>();

/** A query, or the parameters of a path, by its schema. */
export const decodeFields = <S extends z.ZodObject>(schema: S, search: URLSearchParams, what: string): z.output<S> => {
  const known = kindsOf(schema);
  const given: Record<string, unknown> = Object.create(null);
  for (const key of new Set(search.keys())) {
    const values = search.getAll(key);
    const kind = known.get(key);
    if (kind !== 'list' && values.length > 1) throw new BadRequest('bad-request', `${what}: ${shown(key)} is given more than once`);
    given[key] = kind === 'list' ? values : read(kind, values[0] ?? '');
  }
  return checked(schema, given, what);
};

/** A body by its schema; none is like an empty object, where the schema takes that. */
export const decodeJson = <S extends z.ZodType>(schema: S, bytes: Uint8Array): z.output<S> => {
  const empty = bytes.length === 0 ? schema.safeParse({}) : undefined;
  if (empty?.success) return empty.data;
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new BadRequest('bad-request', 'The body is not JSON in UTF-8');
  }
  return checked(schema, value, 'body');
};

const checked = <S extends z.ZodType>(schema: S, value: unknown, what: string): z.output<S> => {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issues = result.error.issues.slice(0, 10).map(({ path, message }) => ({ path: path.map(String), message }));
  const [first] = issues;
  throw new BadRequest('bad-request', `${[what, ...(first?.path ?? [])].join('.')}: ${first?.message}`.slice(0, 500), {
    details: { issues },
  });
};

/** What is no number or truth value stays the text it is, for the schema to refuse. */
const read = (kind: Kind | undefined, text: string): unknown => {
  if (kind === 'number' && /^-?\d{1,15}$/.test(text)) return Number(text);
  if (kind === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
};

const kindsOf = (schema: z.ZodObject): ReadonlyMap<string, Kind> => {
  const known = kinds.get(schema);
  if (known !== undefined) return known;
  const found = new Map(Object.entries(schema.shape).map(([key, field]) => [key, kindOf(field as z.ZodType)]));
  kinds.set(schema, found);
  return found;
};

const kindOf = (field: z.ZodType): Kind => {
  const { type } = z.toJSONSchema(field, { io: 'input' });
  if (type === 'integer' || type === 'number') return 'number';
  if (type === 'boolean') return 'boolean';
  return type === 'array' ? 'list' : 'text';
};

const shown = (key: string): string => JSON.stringify(key.slice(0, 50));

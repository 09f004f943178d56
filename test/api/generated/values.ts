/** A schema as an OpenAPI document holds it. */
// biome-ignore lint/suspicious/noExplicitAny: JSON Schema is whatever it is
export type Schema = any;

/** A whole number below one that is given, by chance. */
export type Chance = (below: number) => number;

/** Values that are really there, by the name of the field that takes them; undefined where nothing is known to fit. */
export type Live = (field: string) => readonly string[] | undefined;

export interface Making {
  readonly chance: Chance;
  readonly live: Live;
  readonly schemas: Readonly<Record<string, Schema>>;
}

const pick = <T>(chance: Chance, list: readonly T[]): T => list[chance(list.length)] as T;

const TEXTS = [
  'a',
  'src/cart.ts',
  '--output=x',
  '__proto__',
  '../../etc/passwd',
  '🙂',
  "'; DROP TABLE",
  'x y',
  '%00',
  't1',
  '@-1',
  'deadbeef',
];

/** A value that fits a schema; where it names something, mostly one that is there. */
export const fitting = (schema: Schema, field: string, making: Making): unknown => {
  const { chance, live, schemas } = making;
  if (schema.$ref !== undefined) return fitting(schemas[schema.$ref.split('/').at(-1)], field, making);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return pick(chance, schema.enum);
  if (schema.anyOf !== undefined) return fitting(pick(chance, schema.anyOf), field, making);
  switch (schema.type) {
    case 'boolean':
      return chance(2) === 1;
    case 'integer':
    case 'number':
      return boundedNumber(schema, chance);
    case 'null':
      return null;
    case 'array':
      return Array.from({ length: chance(3) }, () => fitting(schema.items, singular(field), making));
    case 'object':
      return fittingObject(schema, making);
    default:
      return fittingText(schema, live(field), chance);
  }
};

/** `steps` holds what `step` is. */
const singular = (field: string): string => field.replace(/s$/, '');

const boundedNumber = ({ minimum = 0, maximum = 1000 }: Schema, chance: Chance): number =>
  minimum + chance(Math.min(maximum, minimum + 50) - minimum + 1);

const fittingObject = (schema: Schema, making: Making): Record<string, unknown> => {
  const required: readonly string[] = schema.required ?? [];
  const fields = Object.entries<Schema>(schema.properties ?? {}).filter(([name]) => required.includes(name) || making.chance(3) === 0);
  return Object.fromEntries(fields.map(([name, one]) => [name, fitting(one, name, making)]));
};

const fittingText = (schema: Schema, live: readonly string[] | undefined, chance: Chance): string => {
  if (live !== undefined && live.length > 0 && chance(8) > 0) return pick(chance, live);
  const { minLength = 0, maxLength = 1000, pattern } = schema;
  if (pattern !== undefined) {
    const fits = ['0'.repeat(40), 'x', 'job-1'].filter((text) => new RegExp(pattern, 'u').test(text));
    return fits[0] ?? 'x';
  }
  const text = pick(chance, TEXTS);
  return text.length < minLength ? 'x'.repeat(minLength) : text.slice(0, maxLength);
};

const MISFITS: readonly unknown[] = [null, -1, 1e21, '', 'x'.repeat(6000), [], {}, [[]], { x: 1 }, true, '\u0000', 0.5];

/** A value that may be anything. */
export const misfit = (chance: Chance): unknown => pick(chance, MISFITS);

import { fitting, type Making, misfit, type Schema } from './values.ts';

export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly name: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly in: 'path' | 'query';
    readonly required: boolean;
    readonly schema: Schema;
  }[];
  readonly body: Schema | undefined;
}

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document
export const operationsOf = (document: any): Operation[] =>
  Object.entries<Schema>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Schema>(methods).map(([method, { operationId, parameters, requestBody }]) => ({
      method: method.toUpperCase(),
      path,
      name: operationId,
      parameters,
      body: requestBody?.content['application/json'].schema,
    })),
  );

/** Fields of a query or a body of which one is given and not more: no schema of single fields can say so. */
const ONE_OF: Readonly<Record<string, readonly string[]>> = { getFile: ['path', 'pathBase64'], rollBackToFork: ['fork', 'at'] };

export interface Generated {
  readonly target: string;
  readonly init: RequestInit;
}

/** A request for an operation: one that fits its schemas, or one in which something does not. */
export const generate = ({ method, path, name: operation, parameters, body }: Operation, isValid: boolean, making: Making): Generated => {
  const { chance } = making;
  const oneOf = ONE_OF[operation] ?? [];
  const chosen = oneOf[chance(oneOf.length)];
  const spoiled = isValid ? -1 : chance(parameters.length + (body === undefined ? 0 : 2));
  const search = new URLSearchParams();
  let target = path;
  for (const [at, { name, in: where, required, schema }] of parameters.entries()) {
    const value = at === spoiled ? misfit(chance) : fitting(schema, name, making);
    if (where === 'path') target = target.replace(`{${name}}`, encodeURIComponent(String(value)).replaceAll('.', '%2E') || '%20');
    // A cursor is an answer's own word; no other fits.
    else if (isValid && name === 'cursor') continue;
    else if (at === spoiled || (oneOf.includes(name) ? name === chosen : required || chance(4) === 0))
      for (const one of [value].flat()) search.append(name, String(one));
  }
  const isBodySpoiled = !isValid && spoiled >= parameters.length;
  const query = search.size === 0 ? '' : `?${search}`;
  if (body === undefined) return { target: target + query, init: { method } };
  return {
    target: target + query,
    init: {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(isBodySpoiled ? spoil(body, making) : withOne(body, oneOf, chosen, making)),
    },
  };
};

/** A body that fits, with one of the fields that exclude each other. */
const withOne = (schema: Schema, oneOf: readonly string[], chosen: string | undefined, making: Making): unknown => {
  const value = fitting(schema, '', making);
  const property = chosen === undefined ? undefined : schema.properties?.[chosen];
  if (property === undefined || chosen === undefined) return value;
  const others = Object.entries(value as object).filter(([name]) => !oneOf.includes(name));
  return { ...Object.fromEntries(others), [chosen]: fitting(property, chosen, making) };
};

/** Not an object at all, or one with a field that does not fit or does not belong. */
const spoil = (schema: Schema, making: Making): unknown => {
  const value = fitting(schema, '', making);
  if (making.chance(4) === 0 || typeof value !== 'object' || value === null) return misfit(making.chance);
  const names = [...Object.keys(schema.properties ?? {}), 'unknown'];
  return { ...value, [names[making.chance(names.length)] as string]: misfit(making.chance) };
};

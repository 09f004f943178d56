import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { openApi, ROUTE_NAMES, ROUTES, type Route } from '../../src/api/index.ts';
import { scene } from '../support/scene.ts';
import { serve } from './served.ts';

// biome-ignore lint/suspicious/noExplicitAny: a document that the test looks into
type Document = any;

test('[API] the OpenAPI document is valid, and what the server gives out', async () => {
  const { signed } = serve(scene());
  const document = (await (await signed('/api/openapi.json')).json()) as Document;
  const { valid, errors } = await new Validator().validate(document);
  expect(errors ?? []).toEqual([]);
  expect(valid).toBe(true);
  expect(document).toEqual(JSON.parse(JSON.stringify(openApi('0.0.0'))));
});

test('[API] it tells of every route, with its parameters, and of nothing else', () => {
  const { paths } = openApi('1') as Document;
  const told = Object.entries(paths).flatMap(([path, methods]) => Object.keys(methods as object).map((method) => `${method} ${path}`));
  expect(told.toSorted()).toEqual(ROUTE_NAMES.map((name) => `${ROUTES[name].method} ${ROUTES[name].path}`).toSorted());
  for (const name of ROUTE_NAMES) {
    const route: Route = ROUTES[name];
    const { parameters, operationId } = paths[route.path][route.method];
    expect(operationId).toBe(name);
    const inPath = parameters.filter((one: Document) => one.in === 'path').map((one: Document) => one.name);
    expect(inPath.map((one: string) => `{${one}}`).toSorted(), name).toEqual((route.path.match(/\{\w+\}/g) ?? []).toSorted());
  }
});

test('[API] every reference in it leads somewhere', () => {
  const document = openApi('1') as Document;
  const references = new Set(JSON.stringify(document).match(/#\/components\/schemas\/\w+/g));
  expect(references.size).toBeGreaterThan(5);
  for (const reference of references) expect(document.components.schemas, reference).toHaveProperty(reference.split('/').at(-1) ?? '');
});

test('[API] docs/api.md names every route, and none that is not there', () => {
  const told = readFileSync(join(import.meta.dirname, '../../docs/api.md'), 'utf8').matchAll(/^\| `([A-Z]+ \/api\S*)` \|/gm);
  const wanted = ROUTE_NAMES.map((name) => `${ROUTES[name].method.toUpperCase()} ${ROUTES[name].path}`);
  expect([...told].map(([, route]) => route).toSorted()).toEqual(wanted.toSorted());
});

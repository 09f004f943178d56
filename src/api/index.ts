/**
 * api: the contract of the HTTP interface. Schemas of all that goes in and out, the routes, the OpenAPI document and the typed client
 * made from them. Read by the server and by browsers.
 */
export * from './addresses.ts';
export * from './client.ts';
export * from './contract.ts';
export * from './errors.ts';
export { type ServerEvent, serverEvent } from './events.ts';
export * from './first-questions.ts';
export { openApi } from './openapi.ts';
export * from './route.ts';
export { workspaceQuery } from './workspace-query.ts';

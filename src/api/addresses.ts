import { ROUTE_NAMES, ROUTES, type RouteName } from './contract.ts';
import { isStream, type Route } from './route.ts';

/** What it takes to ask for something, and to take the answer. */
export interface Address {
  readonly method: string;
  /** As OpenAPI writes it, parameters in braces. */
  readonly path: string;
  /** The answer is no JSON document. */
  readonly streams: boolean;
}

const addressOf = ({ method, path, answer }: Route): Address => ({ method: method.toUpperCase(), path, streams: isStream(answer) });

/**
 * Where everything is asked for. The web page is built with the values in place of this file (scripts/page.ts): schemas are for those who
 * check, and making all of them would take a good part of the time until something is seen.
 */
export const ADDRESSES = Object.fromEntries(ROUTE_NAMES.map((name) => [name, addressOf(ROUTES[name])])) as Readonly<
  Record<RouteName, Address>
>;

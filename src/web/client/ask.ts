import { ADDRESSES, ApiError, createClient, type RouteName, target } from '../../api/index.ts';

/** Asks the server that the page came from. */
export const ask = createClient('');

/** The address of something that is not JSON: a picture, an export, a patch. */
export const addressOf = (name: RouteName, asking: Parameters<typeof target>[1]): string => target(ADDRESSES[name], asking);

/** What went wrong, in words for people. */
export interface Trouble {
  readonly message: string;
  readonly hint: string | undefined;
  readonly isSignedOut: boolean;
}

export const troubleOf = (error: unknown): Trouble => {
  if (error instanceof ApiError) return { message: error.message, hint: error.hint, isSignedOut: error.status === 401 };
  // A request that got no answer at all.
  if (error instanceof TypeError)
    return { message: 'Retake does not answer', hint: 'Is it still running? Start it again with: retake serve', isSignedOut: false };
  return { message: error instanceof Error ? error.message : String(error), hint: undefined, isSignedOut: false };
};

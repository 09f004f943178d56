import { openApi } from '../../api/index.ts';
import { type HandlersOf, WithHeaders } from '../handler.ts';
import { BadRequest } from '../problem.ts';

export const signInHandlers: HandlersOf<'signIn' | 'signOut' | 'openApi'> = {
  signIn: ({ body, shared }) => {
    const signedIn = shared.credentials.redeem(body.code);
    if (signedIn === undefined) {
      throw new BadRequest('bad-code', 'The code is not good, or not any more', { hint: 'retake serve prints a new link.' });
    }
    return new WithHeaders({ signedIn: true, until: signedIn.until }, { 'set-cookie': signedIn.cookie });
  },
  signOut: ({ shared }) => {
    shared.credentials.revoke();
    shared.events.endAll();
    return { signedOut: true };
  },
  openApi: ({ shared }) => openApi(shared.version) as { openapi: string },
};

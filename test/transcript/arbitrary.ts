import fc from '../support/property.ts';
import { boundary, call, link, prompt, reply, result, said } from './support.ts';

const ids = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g');
const parents = fc.option(ids, { nil: null });

/** Lines of all sorts that refer to each other in any way. */
export const anyLines = fc.array(
  fc.oneof(
    fc.tuple(ids, parents).map(([id, parent]) => prompt(id, parent)),
    fc.tuple(ids, parents, ids).map(([id, parent, message]) => reply(id, parent, `m-${message}`, said(id), call(`c-${id}`))),
    fc.tuple(ids, ids, ids).map(([id, parent, asked]) => result(id, parent, `c-${asked}`)),
    fc.tuple(ids, parents).map(([id, parent]) => link(id, parent)),
    fc
      .tuple(ids, ids, ids, ids)
      .map(([id, parent, tailUuid, anchorUuid]) => boundary(id, parent, { preservedSegment: { headUuid: parent, tailUuid, anchorUuid } })),
    fc.constant({ type: 'mode', mode: 'x' }),
  ),
  { maxLength: 12 },
);

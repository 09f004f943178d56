import type { MessageId, SessionId } from '../../src/model/index.ts';
import type { Outline } from '../../src/timeline/index.ts';
import fc from '../support/property.ts';

const times = fc.option(fc.constantFrom('2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z', 'never'), { nil: null });

/** What damaged or hostile files could lead to, and worse. */
export const anyOutlineOf = (messages: readonly string[], sessions: readonly string[]): fc.Arbitrary<Outline> => {
  const ids = fc.constantFrom(...messages) as fc.Arbitrary<MessageId>;
  const maybe = fc.option(ids, { nil: null });
  return fc.record({
    agent: fc.constant('claude-code'),
    session: fc.constantFrom(...sessions) as fc.Arbitrary<SessionId>,
    prompts: fc.array(
      fc.record({
        id: ids,
        anchor: maybe,
        parent: maybe,
        place: fc.nat(2),
        summary: maybe,
        isOrphan: fc.boolean(),
        promptId: maybe,
        title: fc.constant('x'),
        at: times,
        isHandOver: fc.boolean(),
        isCopy: fc.boolean(),
        messages: fc.nat(3),
        tools: fc.nat(3),
        replies: fc.nat(3),
        last: fc.record({ message: ids, at: times }),
      }),
      { maxLength: 6 },
    ),
    summaries: fc.array(fc.record({ id: ids, anchor: maybe, parent: maybe, place: fc.nat(2), summary: maybe, isOrphan: fc.boolean() }), {
      maxLength: 3,
    }),
    copies: fc.array(fc.tuple(ids, ids), { maxLength: 3 }),
    leaf: maybe,
    startedAt: times,
    lastAt: times,
  });
};

import { RetakeError } from '../model/index.ts';

/** Refuses what was not shown yet, with what would be shown. */
export const needsConfirmation = (plan: object): RetakeError =>
  new RetakeError('needs-confirmation', 'This was not shown yet; nothing was changed', {
    hint: 'Look at details.plan, and ask again with its expected.',
    details: { plan },
  });

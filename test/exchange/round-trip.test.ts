import { expect, test } from 'vitest';
import { exported, importedElsewhere, storyOf } from './other-machine.ts';
import { playRichSession } from './rich-session.ts';

test('[STO-4] an exported session has the same timeline on another machine', async () => {
  const { at, session } = await playRichSession({ RETAKE_EXPORT_EXCLUDE: '[]' });
  const file = exported(at, session.id);
  const elsewhere = importedElsewhere(file);
  expect(storyOf(elsewhere, session.id)).toEqual(storyOf(at, session.id));
});

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Answered, Routes } from '../../api/index.ts';
import { ask } from '../client/ask.ts';
import { useWorkspaceId } from '../client/workspace.tsx';
import { Button } from '../parts/button.tsx';
import { useToast } from '../parts/toasts.tsx';
import { count, shortId, visible } from '../parts/words.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';

type Plan = Answered<Routes['restoreReflog']>;

const MOST_SHOWN = 100;

const entries = (number: number): string => count(number, 'entry', 'entries');

/** Puts entries back that a backup has and the logs lack, when they were shown and confirmed. */
export const RestoreReflog = ({ words }: { words: string }) => {
  const workspace = useWorkspaceId();
  const client = useQueryClient();
  const { toast } = useToast();
  const [isOpen, setOpen] = useState(false);
  const q = words === '' ? {} : { q: words };
  return (
    <>
      <div>
        <Button onClick={() => setOpen(true)}>Restore lost entries …</Button>
      </div>
      {isOpen && (
        <ConfirmDialog<Plan>
          title={words === '' ? 'Restore lost entries' : `Restore lost entries with ${visible(words)}`}
          action="Put them back"
          nothing="Nothing to put back: the logs have all that the backups have, or what is missing can not come back."
          preview={(signal) => ask('restoreReflog', { body: { ...q, dryRun: true }, workspace, signal })}
          show={(plan) => (plan.restored.length === 0 ? null : <Restored plan={plan} />)}
          apply={async ({ expected }) => {
            const done = await ask('restoreReflog', { body: { ...q, expected }, workspace });
            toast({ tone: 'good', text: `${entries('count' in done ? done.count : 0)} came back.` });
            for (const name of ['listReflog', 'getReflogStats', 'getHealth'])
              await client.invalidateQueries({ queryKey: [workspace, name] });
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
};

const Restored = ({ plan: { restored, gone, left, expired } }: { plan: Plan }) => (
  <>
    <p>{entries(restored.length)} come back, each in its place. Nothing that is there changes.</p>
    <ul aria-label="What comes back">
      {restored.slice(0, MOST_SHOWN).map(({ ref, commit, at, message, action }) => (
        <li key={[ref, commit, at, message, action].join(' ')}>
          <code>{visible(ref)}</code> <code>{shortId(commit)}</code> {visible(message) || visible(action)}
        </li>
      ))}
    </ul>
    {restored.length > MOST_SHOWN && <p>And {entries(restored.length - MOST_SHOWN)} more.</p>}
    {gone.length > 0 && <p>{entries(gone.length)} stay away: their commits are no longer in the repository.</p>}
    {left.length > 0 && <p>{entries(left.length)} of removed branches or dropped stashes are left.</p>}
    {expired > 0 && <p>git clears {expired} of them away again by its settings; “Fix …” under Health makes it keep them.</p>}
  </>
);

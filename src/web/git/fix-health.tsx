import { useState } from 'react';
import { ask } from '../client/ask.ts';
import { useWorkspaceId } from '../client/workspace.tsx';
import { Button } from '../parts/button.tsx';
import { useToast } from '../parts/toasts.tsx';
import { visible } from '../parts/words.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';

/** Has git keep its reflogs longer, when what that sets was shown and confirmed. */
export const FixHealth = ({ onDone }: { onDone: () => void }) => {
  const workspace = useWorkspaceId();
  const { toast } = useToast();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <div>
        <Button onClick={() => setOpen(true)}>Fix …</Button>
      </div>
      {isOpen && (
        <ConfirmDialog
          title="Have git keep its reflogs longer"
          action="Set them"
          nothing="Nothing has to be set in the repository's own configuration."
          preview={(signal) => ask('fixHealth', { body: { dryRun: true }, workspace, signal })}
          show={({ changed }) =>
            changed.length === 0 ? null : (
              <>
                <p>These are set in the repository's own configuration; nothing else is touched.</p>
                <ul>
                  {changed.map(({ key, before, after }) => (
                    <li key={key}>
                      <code>{visible(key)}</code>: {visible(before ?? "git's default")} → {visible(after)}
                    </li>
                  ))}
                </ul>
              </>
            )
          }
          apply={async ({ expected }) => {
            const done = await ask('fixHealth', { body: { expected }, workspace });
            const others = 'overriding' in done ? done.overriding : [];
            toast({
              tone: others.length === 0 ? 'good' : 'bad',
              text:
                others.length === 0
                  ? 'git keeps its reflogs longer now.'
                  : `Set, but shorter settings still count: ${others.map(visible).join('; ')}`,
            });
            onDone();
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
};

import { useCallback, useState } from 'react';
import { ask } from '../client/ask.ts';
import { useWorkspaceId } from '../client/workspace.tsx';
import { Button } from '../parts/button.tsx';
import { Copyable } from '../parts/copyable.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { useToast } from '../parts/toasts.tsx';
import { shortId, visible } from '../parts/words.ts';

/** What is known of a checkpoint wherever something can be done with it. */
export interface ActionTarget {
  readonly id: string;
  readonly description: string;
  readonly name: string | null;
  readonly pinned: boolean;
  /** Of a turn without a record: the branch that it is counted along. */
  readonly onBranch?: string;
}

type Summary = 'from' | 'upto';

interface ForkMade {
  readonly title: string;
  readonly resume: string;
  readonly prompt: string | null;
}

/** What can be done with a checkpoint that changes no files, and the dialogs that go with it. */
export const useCheckpointActions = (session: string) => {
  const workspace = useWorkspaceId();
  const { toast, toastTrouble } = useToast();
  const [deleting, setDeleting] = useState<ActionTarget>();
  const [made, setMade] = useState<ForkMade>();

  const pin = async ({ id, pinned }: ActionTarget): Promise<void> => {
    try {
      await ask('annotateCheckpoint', { params: { session, checkpoint: id }, body: { pinned: !pinned }, workspace });
      toast({ text: pinned ? 'No longer pinned' : 'Pinned: it is kept until you delete it' });
    } catch (error) {
      toastTrouble(error);
    }
  };
  // Always the same: what has it is not drawn again for it.
  const fork = useCallback(
    async ({ id, description, onBranch: branch }: ActionTarget, summary?: Summary): Promise<void> => {
      try {
        const { resume, prompt } = await ask('forkSession', {
          params: { session },
          body: { checkpoint: id, summary },
          query: branch === undefined ? {} : { branch },
          workspace,
        });
        const titles = { from: 'Summarized from here on', upto: 'Summarized up to here' };
        setMade({ title: `${summary === undefined ? 'Forked' : titles[summary]}: ${visible(description)}`, resume, prompt });
      } catch (error) {
        toastTrouble(error);
      }
    },
    [session, workspace, toastTrouble],
  );
  const remove = async ({ id }: ActionTarget): Promise<void> => {
    setDeleting(undefined);
    try {
      await ask('deleteCheckpoint', { params: { session, checkpoint: id }, workspace });
      toast({ text: `Deleted checkpoint ${shortId(id)}` });
    } catch (error) {
      toastTrouble(error);
    }
  };

  const dialogs = (
    <>
      {deleting !== undefined && (
        <Dialog
          size="small"
          title="Delete this checkpoint?"
          onClose={() => setDeleting(undefined)}
          actions={
            <>
              <Button data-autofocus onClick={() => setDeleting(undefined)}>
                Cancel
              </Button>
              <Button look="danger" onClick={() => void remove(deleting)}>
                Delete the checkpoint
              </Button>
            </>
          }
        >
          <p>
            “{visible(deleting.name ?? deleting.description)}” is taken out of the log, and its content is given up with the next clean-up.
            That can not be undone. Your files stay as they are.
          </p>
        </Dialog>
      )}
      {made !== undefined && (
        <Dialog
          title={made.title}
          onClose={() => setMade(undefined)}
          actions={
            <Button data-autofocus onClick={() => setMade(undefined)}>
              Close
            </Button>
          }
        >
          <p>A new session goes on from there. This one, and your files, stay as they are. To go on with the new one:</p>
          <Copyable text={made.resume} what="Command" />
          {made.prompt !== null && (
            <>
              <p>What was asked there, to edit and send again:</p>
              <Copyable text={made.prompt} what="Prompt" />
            </>
          )}
        </Dialog>
      )}
    </>
  );
  return { pin, fork, askToDelete: setDeleting, dialogs };
};

export type CheckpointActions = ReturnType<typeof useCheckpointActions>;

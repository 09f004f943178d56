import { type FormEvent, useId, useState } from 'react';
import type { Answered, Routes } from '../../api/index.ts';
import { ask } from '../client/ask.ts';
import { useWorkspaceId } from '../client/workspace.tsx';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { TextArea, TextField } from '../parts/field.tsx';
import { ProblemLine } from '../parts/states.tsx';
import { count, shortId, visible } from '../parts/words.ts';

type Created = Answered<Routes['createCheckpoint']>;

interface NewCheckpointProps {
  readonly session: string;
  readonly onClose: () => void;
  readonly onOpen: (id: string) => void;
}

/** Records the workspace as it is now, and tells what was recorded. */
export const NewCheckpoint = ({ session, onClose, onOpen }: NewCheckpointProps) => {
  const workspace = useWorkspaceId();
  const form = useId();
  const [name, setName] = useState('');
  const [note, setNote] = useState('');
  const [created, setCreated] = useState<Created>();
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const create = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    const given = { ...(name.trim() === '' ? {} : { name: name.trim() }), ...(note.trim() === '' ? {} : { note: note.trim() }) };
    try {
      setCreated(await ask('createCheckpoint', { params: { session }, body: given, workspace }));
    } catch (trouble) {
      setError(trouble);
    } finally {
      setBusy(false);
    }
  };
  if (created !== undefined)
    return (
      <Dialog
        size="small"
        title={created.isNew ? 'Checkpoint created' : 'Nothing has changed'}
        onClose={onClose}
        actions={
          <>
            <Button onClick={onClose}>Close</Button>
            <Button look="primary" data-autofocus onClick={() => onOpen(created.id)}>
              Show it
            </Button>
          </>
        }
      >
        <Recorded created={created} name={name.trim()} />
      </Dialog>
    );
  return (
    <Dialog
      size="small"
      title="Create a checkpoint"
      onClose={onClose}
      isBusy={isBusy}
      actions={
        <>
          <Button onClick={onClose} disabled={isBusy}>
            Cancel
          </Button>
          <Button type="submit" form={form} look="primary" disabled={isBusy}>
            {isBusy ? 'Recording …' : 'Create'}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={(event) => void create(event)} style={{ display: 'contents' }}>
        <p>Records all files as they are now. Nothing in your workspace or repository changes.</p>
        <TextField
          data-autofocus
          label="Name"
          placeholder="before the refactoring"
          help="To find it by. Named and noted checkpoints are kept until you delete them."
          maxLength={200}
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        <TextArea label="Note" maxLength={10_000} value={note} onChange={({ target }) => setNote(target.value)} />
        {error !== null && <ProblemLine error={error} />}
      </form>
    </Dialog>
  );
};

const Recorded = ({ created: { id, status, changed, omissions, isNew }, name }: { created: Created; name: string }) => (
  <>
    <p>
      {isNew ? (
        <>
          {name !== '' && <strong>{visible(name)} </strong>}
          <code>{shortId(id)}</code>
          {changed === null ? '. The record before it is damaged.' : `: ${count(changed, 'file')} changed since the record before.`}
        </>
      ) : (
        <>
          Everything is as it was at the newest record, <code>{shortId(id)}</code>, so that no other was made.
        </>
      )}
    </p>
    {status === 'complete' ? (
      <p>It is complete: every file that your ignore rules do not leave out is in it.</p>
    ) : (
      <>
        <p>It is partial. {count(omissions.length, 'file')} could not be captured:</p>
        <ul>
          {omissions.slice(0, 20).map(({ path, reason }) => (
            <li key={path}>
              <code>{visible(path)}</code> {reason}
            </li>
          ))}
        </ul>
      </>
    )}
  </>
);

import { useEffect, useState } from 'react';
import { addressOf } from '../client/ask.ts';
import { useServerAnswer } from '../client/queries.ts';
import { useWorkspaceId } from '../client/workspace.tsx';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Menu } from '../parts/menu.tsx';
import { useToast } from '../parts/toasts.tsx';
import { visible } from '../parts/words.ts';

const DOCUMENTS = {
  html: { label: 'Report as HTML', title: 'A report as HTML', isReport: true, holdsConversation: false },
  markdown: { label: 'Report as Markdown', title: 'A report as Markdown', isReport: true, holdsConversation: false },
  full: { label: 'Export, with the conversation', title: 'An export, with the conversation', isReport: false, holdsConversation: true },
  code: {
    label: 'Export, without the conversation',
    title: 'An export, without the conversation',
    isReport: false,
    holdsConversation: false,
  },
} as const;

type Wanted = keyof typeof DOCUMENTS;

const addressFor = (wanted: Wanted, workspace: string, session: string): string => {
  const params = { session };
  return wanted === 'html' || wanted === 'markdown'
    ? addressOf('getReport', { workspace, params, query: { format: wanted } })
    : addressOf('exportSession', { workspace, params, query: { conversation: wanted === 'full' } });
};

/** A session for elsewhere: reports to read, and the file that `retake import` takes. What leaves the machine is said before. */
export const ExportMenu = ({ session }: { session: string }) => {
  const [wanted, setWanted] = useState<Wanted>();
  return (
    <>
      <Menu
        label="Export"
        icon="download"
        items={(Object.keys(DOCUMENTS) as Wanted[]).map((one) => ({
          label: `${DOCUMENTS[one].label} …`,
          icon: DOCUMENTS[one].isReport ? ('file' as const) : ('download' as const),
          onChoose: () => setWanted(one),
        }))}
      />
      {wanted !== undefined && <SaveDialog session={session} wanted={wanted} onClose={() => setWanted(undefined)} />}
    </>
  );
};

const SaveDialog = ({ session, wanted, onClose }: { session: string; wanted: Wanted; onClose: () => void }) => {
  const workspace = useWorkspaceId();
  const { toast } = useToast();
  const { title, isReport, holdsConversation } = DOCUMENTS[wanted];
  const save = (): void => {
    const link = document.createElement('a');
    link.href = addressFor(wanted, workspace, session);
    link.download = '';
    link.click();
    onClose();
    toast({ text: 'Your browser saves the file' });
  };
  return (
    <Dialog
      title={title}
      size="small"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" icon="download" data-autofocus onClick={save}>
            Save the file
          </Button>
        </>
      }
    >
      {isReport ? (
        <p>
          One document for who reviews what the agent did: each turn with its prompt, its steps, the agent’s last words, and the changes.
        </p>
      ) : (
        <p>
          All that is recorded of the session: checkpoints with every file, rollbacks, forks, names and notes. <code>retake import</code>{' '}
          takes it, on any machine.
        </p>
      )}
      <LeftOut />
      {holdsConversation ? (
        <p>
          <strong>The conversation holds whatever the agent read, wrote and printed.</strong> Patterns for files do not look into it: look
          at the file before you hand it to somebody.
        </p>
      ) : (
        <p>Prompts, commands, names and notes go along, with a secret that was typed there.</p>
      )}
    </Dialog>
  );
};

/** What stays here, by the setting that decides it. */
const LeftOut = () => {
  const workspace = useWorkspaceId();
  const { data, refetch } = useServerAnswer('getSettings', { query: { workspace } });
  useEffect(() => {
    // The files may have been changed by others: no event tells of that.
    void refetch();
  }, [refetch]);
  const value = data?.settings.find(({ key }) => key === 'export.exclude')?.value;
  if (!Array.isArray(value))
    return <p>Contents of files that match the setting export.exclude are left out: .env files, unless that was changed.</p>;
  if (value.length === 0) return <p>No file is left out: the setting export.exclude is empty.</p>;
  return (
    <p>
      Contents of files that match{' '}
      {value.map((pattern, at) => (
        <span key={pattern}>
          {at > 0 && ', '}
          <code>{visible(pattern)}</code>
        </span>
      ))}{' '}
      are left out; their names are told. The setting export.exclude decides that.
    </p>
  );
};

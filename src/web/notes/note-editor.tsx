import { useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { ask } from '../client/ask.ts';
import { askAgain, FIXED } from '../client/keys.ts';
import type { Checkpoint } from '../client/types.ts';
import { useWorkspaceId } from '../client/workspace.tsx';
import { Button } from '../parts/button.tsx';
import { TextArea, TextField } from '../parts/field.tsx';
import { Icon } from '../parts/icon.tsx';
import { ProblemLine } from '../parts/states.tsx';
import { visible } from '../parts/words.ts';
import { useCommands } from '../shell/commands.tsx';
import classes from './note-editor.module.css';

/** What is edited: both are texts that people give a checkpoint. */
type What = 'name' | 'note';

interface EditorProps {
  readonly session: string;
  readonly checkpoint: Pick<Checkpoint, 'id' | What>;
  /** A key that begins editing, where one such editor is on the screen. */
  readonly keys?: string;
}

const LONGEST: Readonly<Record<What, number>> = { name: 200, note: 10_000 };

/** The note of a checkpoint, edited where it stands: empty, it is removed. */
export const NoteEditor = (props: EditorProps) => <Editor key={props.checkpoint.id} what="note" {...props} />;

/** The same for its name. */
export const NameEditor = (props: EditorProps) => <Editor key={props.checkpoint.id} what="name" {...props} />;

const Editor = ({ session, checkpoint, what, keys }: EditorProps & { what: What }) => {
  const given = checkpoint[what] ?? '';
  const { shown, save } = useSaving(session, checkpoint.id, what, given);
  const [typed, setTyped] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const button = useRef<HTMLButtonElement>(null);
  const hasEdited = useRef(false);
  const isEditing = typed !== undefined;
  const edit = (): void => {
    hasEdited.current = true;
    setTyped(shown);
  };
  useEffect(() => {
    // Where one was before.
    if (!isEditing && hasEdited.current) button.current?.focus();
  }, [isEditing]);
  const leave = (): void => {
    setTyped(undefined);
    setError(undefined);
  };
  const submit = async (): Promise<void> => {
    if (typed === undefined || isBusy) return;
    setBusy(true);
    setError(undefined);
    try {
      await save(what === 'name' || typed.trim() === '' ? typed.trim() : typed.trimEnd());
      leave();
    } catch (refusal) {
      setError(refusal);
    } finally {
      setBusy(false);
    }
  };
  useCommands(keys === undefined ? [] : [{ group: 'Checkpoint', label: `Edit the ${what}`, keys, onRun: edit }]);
  if (typed === undefined) return <Shown what={what} text={shown} onEdit={edit} ref={button} />;
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape') leave();
    else if (event.key === 'Enter' && (what === 'name' || event.ctrlKey || event.metaKey)) void submit();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const field = {
    label: what === 'note' ? 'Note' : 'Name',
    isLabelHidden: true,
    value: typed,
    maxLength: LONGEST[what],
    'aria-invalid': error !== undefined,
    onChange: ({ target }: { target: { value: string } }) => setTyped(target.value),
    onKeyDown,
  };
  return (
    <Frame>
      {what === 'note' ? <TextArea {...field} help="Ctrl or ⌘ with Enter saves, Escape gives up" /> : <TextField {...field} />}
      {error !== undefined && <ProblemLine error={error} />}
      <div className={classes.actions}>
        <Button isSmall look="primary" onClick={() => void submit()} disabled={isBusy}>
          {isBusy ? 'Saving …' : typed.trim() === '' && shown !== '' ? `Remove the ${what}` : 'Save'}
        </Button>
        <Button isSmall onClick={leave} disabled={isBusy}>
          Cancel
        </Button>
      </div>
    </Frame>
  );
};

/** What it is in, with the focus in its field from the beginning. */
const Frame = ({ children }: { children: ReactNode }) => {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const field = frame.current?.querySelector<HTMLInputElement | HTMLTextAreaElement>('input, textarea');
    field?.focus();
    field?.setSelectionRange(field.value.length, field.value.length);
  }, []);
  return (
    <div className={classes.frame} ref={frame}>
      {children}
    </div>
  );
};

interface ShownProps {
  readonly what: What;
  readonly text: string;
  readonly onEdit: () => void;
  readonly ref: React.Ref<HTMLButtonElement>;
}

const Shown = ({ what, text, onEdit, ref }: ShownProps) => (
  <button type="button" ref={ref} className={`${classes.shown} ${classes[what]}`} data-empty={text === ''} onClick={onEdit}>
    <Icon name={text === '' ? 'plus' : 'pencil'} size={12} />
    {text === '' ? (
      <span>Add a {what}</span>
    ) : (
      <span className={classes.text}>
        <span className="visually-hidden">Edit the {what}: </span>
        {what === 'name' ? visible(text) : text.split('\n').map(visible).join('\n')}
      </span>
    )}
  </button>
);

/** Saves, and tells what was saved until those who were asked before tell it too. */
const useSaving = (session: string, id: string, what: What, given: string) => {
  const client = useQueryClient();
  const workspace = useWorkspaceId();
  const [saved, setSaved] = useState<{ readonly over: string; readonly text: string }>();
  const shown = saved !== undefined && saved.over === given ? saved.text : given;
  const save = async (text: string): Promise<void> => {
    if (text === shown) return;
    const body = { [what]: text === '' ? null : text };
    const answer = await ask('annotateCheckpoint', { workspace, params: { session, checkpoint: id }, body });
    setSaved({ over: given, text: answer[what] ?? '' });
    askAgain(client, ([own, kind]) => own === workspace && kind !== FIXED);
  };
  return { shown, save };
};

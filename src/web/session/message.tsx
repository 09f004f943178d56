import { useState } from 'react';
import type { Message } from '../client/types.ts';
import { Button } from '../parts/button.tsx';
import { Icon } from '../parts/icon.tsx';
import { Time } from '../parts/time.tsx';
import { number, visible, visibleLines } from '../parts/words.ts';
import classes from './message.module.css';

const WHO: Readonly<Record<Message['kind'], string>> = { prompt: 'You', reply: 'Agent', notice: 'Notice', summary: 'Summary' };

/** One message of a conversation, with the tools that it called. */
export const MessageItem = ({ message }: { message: Message }) => {
  const { role, kind, text, textLength, calls, at, isAdded } = message;
  return (
    <article className={`${classes.message} ${kind === 'prompt' ? classes.prompt : ''}`} data-role={role}>
      <header className={classes.head}>
        <Icon name={kind === 'prompt' ? 'user' : 'agent'} size={14} />
        <span className={classes.who}>{isAdded ? 'You, meanwhile' : WHO[kind]}</span>
        {at !== null && <Time at={at} />}
      </header>
      {text !== '' && <LongText text={text} />}
      {textLength !== undefined && <p className={classes.cut}>… {number(textLength)} characters in all</p>}
      {calls.map((call) => (
        <Call key={call.id} call={call} />
      ))}
    </article>
  );
};

const LINES = 14;
const CHARACTERS = 1200;

/** Its beginning, and all of it when that is wanted. */
const LongText = ({ text }: { text: string }) => {
  const [isWhole, setWhole] = useState(false);
  const lines = text.split('\n');
  const isLong = lines.length > LINES || text.length > CHARACTERS;
  const beginning = lines.slice(0, LINES).join('\n').slice(0, CHARACTERS);
  return (
    <>
      <p className={classes.text} dir="auto">
        {visibleLines(isLong && !isWhole ? `${beginning} …` : text)}
      </p>
      {isLong && (
        <Button look="quiet" isSmall onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show less' : 'Show all'}
        </Button>
      )}
    </>
  );
};

type ToolCall = Message['calls'][number];

/** What a call is about, as far as its input tells. */
const subjectOf = (input: unknown): string => {
  if (typeof input === 'string') return input;
  if (typeof input !== 'object' || input === null) return '';
  const { command, file_path, path, pattern, description, prompt } = input as Readonly<Record<string, unknown>>;
  const told = [command, file_path, path, pattern, description, prompt].find((one) => typeof one === 'string');
  return typeof told === 'string' ? told : '';
};

const Call = ({ call: { name, input, inputLength, result } }: { call: ToolCall }) => (
  <details className={classes.call}>
    <summary>
      <span className={classes.tool}>{visible(name)}</span> <span className={classes.subject}>{visible(subjectOf(input))}</span>
      {result?.isError && <span className={classes.failed}> failed</span>}
    </summary>
    <pre className={classes.text}>{visibleLines(typeof input === 'string' ? input : JSON.stringify(input, null, 2))}</pre>
    {inputLength !== undefined && <p className={classes.cut}>… {number(inputLength)} characters in all</p>}
    {result === null ? <p className={classes.cut}>No answer yet</p> : <pre className={classes.text}>{visibleLines(result.text)}</pre>}
  </details>
);

import { RetakeError, type SessionId } from '../../model/index.ts';

/** What people give to be written down, checked in one place for every face. */

const LONGEST_NAME = 200;
const LONGEST_NOTE = 10_000;
const LONGEST_SESSION = 200;

export const checkName = (name: string): void => {
  if (name.trim() === '') throw new RetakeError('usage', 'A name can not be empty', { hint: 'Leave it away, or give it a text.' });
  checkLength('name', name, LONGEST_NAME);
  if (name.includes('\n')) throw new RetakeError('usage', 'A name is one line', { hint: 'Longer texts go into the note.' });
  if (name.startsWith('@')) throw new RetakeError('usage', 'A name can not begin with @', { hint: '@ and @-1 stand for moments in time.' });
  if (/^t\d+$/.test(name))
    throw new RetakeError('usage', `A name can not be ${name}`, { hint: `${name} stands for a turn of the conversation.` });
};

export const checkNote = (note: string): void => checkLength('note', note, LONGEST_NOTE);

const checkLength = (what: string, text: string, longest: number): void => {
  if (text.length > longest) throw new RetakeError('usage', `A ${what} has at most ${longest} characters`, { hint: 'Make it shorter.' });
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: what an id must not hold
const CONTROLS = /[\u0000-\u001f\u007f-\u009f]/;

export const checkedSession = (session: string): SessionId => {
  if (session.trim() !== '' && session.length <= LONGEST_SESSION && !CONTROLS.test(session)) return session as SessionId;
  throw new RetakeError('usage', 'A session id is a text of 1 to 200 characters in one line', { hint: 'retake log lists the sessions.' });
};

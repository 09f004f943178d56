import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { quote } from './place.ts';
import { askRetake, BIN, Refusal, requireGit, serveTo } from './program.ts';

/** Records a directory of the person's and serves it. No setting of theirs is changed. */
export const protect = (named: string): void => {
  requireGit();
  // npm runs scripts in the checkout, wherever it was called.
  const directory = resolve(process.env.INIT_CWD ?? '.', named);
  const stat = statSync(directory, { throwIfNoEntry: false });
  if (stat === undefined) throw new Refusal(`There is no directory ${directory}`);
  if (!stat.isDirectory()) throw new Refusal(`${directory} is a file: name the directory of a project`);
  const options = { cwd: directory, env: process.env };
  const { id, status, omissions } = askRetake(options, 'checkpoint');
  const { workspace } = askRetake(options, 'status');
  console.log(`Recorded ${workspace} as checkpoint ${id.slice(0, 10)}, ${status}`);
  if (omissions.length > 0)
    console.log(`Left out, and listed by ${quote(BIN)} -C ${quote(workspace)} show ${id.slice(0, 10)}: ${omissions.length}`);
  serveTo(options, console.log);
  console.log(`To have Claude Code's prompts and steps recorded from now on, in all your projects:

    ${quote(BIN)} setup claude-code

That adds hooks to its settings; the same with --dry-run shows the change, with --remove takes it back. Nothing was changed yet.`);
};

import { basename } from 'node:path';
import type { Command } from 'commander';
import { type Adoptable, adopt, chooseAdoptable, listAdoptable, type Workspace } from '../../engine/index.ts';
import { describeAdoptable } from '../adoptable.ts';
import { assertConfirmed, needsYes } from '../confirm.ts';
import { hint, oneLine, print, printJson } from '../output.ts';
import { runAsIs } from '../run.ts';
import { describeVerb, type GlobalOptions, type Guide } from '../verb.ts';

const ADOPT: Guide = {
  examples: [
    ['retake adopt --dry-run', 'what there is that this directory could go on from'],
    ['retake adopt', 'go on from what was recorded before it was moved'],
    ['retake adopt ~/old/shop', 'of several, from the records of that directory'],
  ],
  takes: { records: 'directory' },
};

interface AdoptFlags {
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

/** The verb that gives a directory the records of another place. */
export const addAdoptVerb = (program: Command): void => {
  describeVerb(program, 'adopt', ADOPT)
    .description('go on from what was recorded of this directory at another place, or of another one here')
    .argument('[records]', 'the path of the directory then, or the name of the folder with the records')
    .option('--dry-run', 'show what there is and change nothing')
    .option('--yes', 'do not ask')
    .action(runAsIs<AdoptFlags>(adoptRecords));
};

const adoptRecords = async (workspace: Workspace, flags: AdoptFlags & GlobalOptions, [named]: readonly string[]): Promise<void> => {
  const { json, dryRun = false, yes = false } = flags;
  const all = await listAdoptable(workspace);
  if (dryRun) return json ? printJson({ adoptable: all }) : list(all);
  const chosen = chooseAdoptable(all, named);
  if (chosen.because !== 'moved' || workspace.isProtected) {
    const aside = workspace.isProtected ? '; what was recorded here since is set aside' : '';
    const what = `This directory goes on from ${describeAdoptable(chosen)}${aside}`;
    if (!yes && json) throw needsYes(what);
    if (!yes) {
      print(what);
      await assertConfirmed('Go ahead?');
    }
  }
  const adopted = await adopt(workspace, chosen);
  if (json) return printJson(adopted);
  print(`Adopted ${describeAdoptable(chosen)}`);
  if (adopted.setAside !== null) hint(`What was recorded here before is kept in ${oneLine(adopted.setAside)}, and can be adopted again`);
  hint('retake log shows it all; retake check whether all of it is there');
};

const list = (all: readonly Adoptable[]): void => {
  if (all.length === 0) hint('Nothing is recorded that this directory could go on from');
  for (const one of all) print(`${oneLine(basename(one.data))}  ${describeAdoptable(one)}`);
};

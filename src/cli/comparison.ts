import type { ComparedBranch, Comparison } from '../engine/index.ts';
import { CONFLICTS } from './conflicts.ts';
import { fileTable } from './file-table.ts';
import { shownId } from './ids.ts';
import { count, oneLine, paint, print, showPath, wholeTable } from './output.ts';

export const printComparison = ({ ancestor, a, b, both, divergence }: Comparison): void => {
  print(
    `Ways part ${ancestor.at === null ? 'at the beginning' : `after ${oneLine(ancestor.at)}`}, code ${paint('yellow', shownId(ancestor.checkpoint))}`,
  );
  print();
  printSide('A', a);
  print();
  printSide('B', b);
  print();
  if (both.length === 0) print('No file was changed by both');
  else {
    print(`Changed by both: ${count(both.length, 'file')}`);
    print(
      wholeTable(
        both.map(({ path, conflict }) => [
          conflict === null ? paint('green', '  fits together') : paint('red', '  conflict'),
          showPath(path) + (conflict === null ? '' : paint('dim', ` (${CONFLICTS[conflict]})`)),
        ]),
      ),
    );
  }
  print(`Divergence ${divergence.score.toFixed(2)} ${paint('dim', `(${scaleOf(divergence)})`)}`);
};

const scaleOf = ({ changed: { a, b } }: Comparison['divergence']): string => {
  if ((a === 0) === (b === 0)) return '0 the same, 1 nothing in common';
  return `${a === 0 ? 'B' : 'A'} alone changed the code since`;
};

const printSide = (name: string, { branch, turns, steps, files }: ComparedBranch): void => {
  const here = branch.isCurrent ? paint('cyan', '  ← you are here') : '';
  print(`${paint('bold', name)}  ${paint('yellow', oneLine(branch.id.slice(0, 8)))}  ${oneLine(branch.title)}${here}`);
  print(`   ${count(turns, 'turn')}, ${count(steps, 'step')}, ${count(files.length, 'file')} changed`);
  if (files.length === 0) return;
  print(fileTable(files, '   '));
};

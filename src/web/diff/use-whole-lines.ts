import { useMemo, useState } from 'react';
import type { DiffHunk, DiffLine } from '../client/types.ts';
import { useWorkspaceId } from '../client/workspace.tsx';
import { useToast } from '../parts/toasts.tsx';
import type { DiffSubject } from './subject.ts';
import { askLine, type FileLines } from './use-difference.ts';

/** Of lines that are very long only the beginning is there at first; more of one is read when it is wanted. */
export const useWholeLines = (subject: DiffSubject, { file, hunks }: FileLines) => {
  const workspace = useWorkspaceId();
  const { toastTrouble } = useToast();
  const [longer, setLonger] = useState<ReadonlyMap<number, DiffLine>>(new Map());
  const read = async (place: number): Promise<void> => {
    try {
      const line = await askLine(subject, file, place, { workspace });
      if (line !== undefined) setLonger((all) => new Map(all).set(place, line));
    } catch (error) {
      toastTrouble(error);
    }
  };
  const whole = useMemo(() => (longer.size === 0 ? hunks : withLonger(hunks, longer)), [hunks, longer]);
  return [whole, (place: number) => void read(place)] as const;
};

/** What is no longer there as it was read stays as it is. */
const withLonger = (hunks: readonly DiffHunk[], longer: ReadonlyMap<number, DiffLine>): DiffHunk[] => {
  let place = 0;
  return hunks.map((hunk) => ({
    ...hunk,
    lines: hunk.lines.map((line) => {
      const whole = longer.get(++place);
      return whole !== undefined && whole.kind === line.kind && whole.text.startsWith(line.text) ? whole : line;
    }),
  }));
};

import { type ByteString, toText } from '../../model/index.ts';
import { askGit } from '../ask.ts';
import { refTips } from '../commits/ref-tips.ts';
import type { UserRepository } from '../repository.ts';
import type { ReflogLine } from './reflog-line.ts';

/** Nothing that the configuration may add to `git log` is to run or to be printed. */
const QUIET = ['--no-patch', '--no-show-signature', '--no-color', '--no-mailmap'];

/**
 * The lines of each log as git tells them, oldest first, for logs that only git can read. It keeps silent about lines whose
 * commit is gone, and about where a ref came from: that is where it went to before.
 */
export const reflogsByGit = async (repository: UserRepository): Promise<Map<ByteString, ReflogLine[]>> => {
  const refs = ['HEAD', ...(await refTips(repository)).keys()];
  const format = '--format=%gD%n%H%n%gn <%ge>%n%gs';
  const { stdout } = await askGit(
    repository.top,
    ['log', '--walk-reflogs', '--ignore-missing', '--stdin', ...QUIET, '--encoding=UTF-8', '--date=raw', '-z', format],
    [128, 129],
    Buffer.from(`${refs.join('\n')}\n`, 'latin1'),
  );
  const logs = new Map<ByteString, ReflogLine[]>();
  for (const record of stdout.toString('latin1').split('\0')) {
    const [, ref, time, to = '', who = '', note = ''] = /^(.*)@\{(\d+) [+-]\d{4}\}\n([^\n]*)\n([^\n]*)\n(.*)$/s.exec(record) ?? [];
    if (ref === undefined) continue;
    const lines = logs.get(ref as ByteString) ?? [];
    lines.push({ from: '', to, who: toText(who as ByteString), at: Number(time), note: toText(note as ByteString) });
    logs.set(ref as ByteString, lines);
  }
  for (const [ref, lines] of logs) logs.set(ref, chained(lines.reverse()));
  return logs;
};

const chained = (lines: readonly ReflogLine[]): ReflogLine[] => {
  let from = '0'.repeat(lines[0]?.to.length ?? 0);
  return lines.map((line) => {
    const complete = { ...line, from };
    from = line.to;
    return complete;
  });
};

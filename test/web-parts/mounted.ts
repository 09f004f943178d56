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

/** In what every view is in; what it is given can be changed from outside, as by news of the server. */
const entry = (part: Part, workspace: string, props: object): string => `
import { createElement as make, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import '${WEB}/theme.css';
import { LiveProvider } from '${WEB}/client/live.tsx';
import { WorkspaceProvider } from '${WEB}/client/workspace.tsx';
import { ToastProvider } from '${WEB}/parts/toasts.tsx';
import { CommandProvider } from '${WEB}/shell/commands.tsx';
import { ${part} } from '${WEB}/${PARTS[part]}';
document.title = '${part}';
const Given = () => {
  const [props, setProps] = useState(${JSON.stringify(props)});
  window.give = setProps;
  return make(${part}, props);
};
const around = [
  (inside) => make(QueryClientProvider, { client: new QueryClient() }, inside),
  (inside) => make(ToastProvider, null, inside),
  (inside) => make(CommandProvider, null, inside),
  (inside) => make(WorkspaceProvider, { value: ${JSON.stringify(workspace)} }, inside),
  (inside) => make(LiveProvider, null, inside),
];
const page = make('main', null, make('h1', null, '${part}'), make(Given));
createRoot(document.getElementById('root')).render(around.reduceRight((inside, wrap) => wrap(inside), page));
`;

const ENTRY = 'virtual:part';

const bundle = async (part: Part, workspace: string, props: object): Promise<{ script: string; style: string }> => {
  const built = await build({
    root: WEB,
    configFile: false,
    logLevel: 'error',
    plugins: [
      {
        name: 'part',
        resolveId: (id) => (id === ENTRY ? join(WEB, 'part.js') : undefined),
        load: (id) => (id === join(WEB, 'part.js') ? entry(part, workspace, props) : undefined),
      },
    ],
    build: { write: false, minify: false, cssCodeSplit: false, rolldownOptions: { input: ENTRY } },
  });
  const [{ output } = { output: [] }] = [built].flat() as { output: { fileName: string; code?: string; source?: string | Uint8Array }[] }[];
  return {
    script: output.find(({ fileName }) => fileName.endsWith('.js'))?.code ?? '',
    style: String(output.find(({ fileName }) => fileName.endsWith('.css'))?.source ?? ''),
  };
};

/** A part on a page of its own, with the real server behind it and its policy in force. */
export const mount = async ({ page, url, workspace }: Visit, part: Part, props: object): Promise<void> => {
  const { script, style } = await bundle(part, workspace, props);
  const html = `<!doctype html><html lang="en"><head><title>${part}</title><link rel="stylesheet" href="/part.css"><script type="module" src="/part.js"></script></head><body><div id="root"></div></body></html>`;
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

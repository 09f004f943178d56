import { type Command, InvalidArgumentError } from 'commander';
import { openInBrowser, requestServing } from '../../daemon/control.ts';
import { hint, oneLine, paint, print, printJson } from '../output.ts';
import { withProgress } from '../progress.ts';
import { describeVerb, type GlobalOptions, type Guide } from '../verb.ts';

interface ServeFlags extends GlobalOptions {
  readonly port?: number;
  readonly open?: boolean;
}

const SERVE: Guide = {
  examples: [
    ['retake serve --open', 'and open it'],
    ['retake serve --port 4500', 'on a port of your choice'],
  ],
  takes: { port: 'text' },
};

/** The verb for browsers and programs. */
export const addServeVerb = (program: Command): void => {
  describeVerb(program, 'serve', SERVE)
    .description('serve the HTTP interface on this machine, and print a link that signs a browser in')
    .option('--port <port>', 'this port and no other', portNumber)
    .option('--open', 'open the link in your browser')
    .action((_options: unknown, command: Command) => serve(command.optsWithGlobals<ServeFlags>()));
};

const serve = async ({ directory, port, open, json }: ServeFlags): Promise<void> => {
  const serving = await withProgress('Starting to serve', () => requestServing({ directory, port }));
  const isOpened = open ? await openInBrowser(serving.link) : false;
  if (json) return printJson({ ...serving, opened: isOpened });
  print(`Serving at ${paint('bold', serving.url)} (pid ${serving.pid})`);
  print(`Sign in    ${paint('cyan', serving.link)}`);
  if (isOpened) print('Your browser was asked to open it');
  if (open && !isOpened) hint('No browser could be opened: follow the link yourself');
  hint('The link is good once, for five minutes; this prints another whenever you need it.');
  hint(`Programs use the token in ${oneLine(serving.tokenFile)}`);
};

const portNumber = (text: string): number => {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new InvalidArgumentError('expected a port from 1 to 65535.');
  return port;
};

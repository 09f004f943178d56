import { spawn } from 'node:child_process';

/** Hands a file or a link to the user's browser; false where there is no way to. It is not waited for. */
export const openLink = (link: string): Promise<boolean> =>
  new Promise((resolve) => {
    const child = spawn(process.platform === 'darwin' ? 'open' : 'xdg-open', [link], { detached: true, stdio: 'ignore' });
    child.on('error', () => resolve(false));
    child.on('spawn', () => resolve(true));
    child.unref();
  });

import { spawn } from 'node:child_process';

export interface ShellResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command that the user configured, with a text on its standard input. It may take as long as the user lets it. */
export const runShell = (command: string, input: string, directory: string): Promise<ShellResult> =>
  new Promise((resolve, reject) => {
    const child = spawn('/bin/sh', ['-c', command], { cwd: directory, stdio: ['pipe', 'pipe', 'pipe'] });
    const out: Buffer[] = [];
    const errors: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
    // A command need not read what it is given.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(errors).toString() }));
  });

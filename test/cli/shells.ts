import { execFileSync, spawnSync } from 'node:child_process';
import { dirname } from 'node:path';
import { BIN } from '../support/cli.ts';
import type { Scene } from '../support/scene.ts';

export type ShellName = 'bash' | 'zsh' | 'fish';

/** Whether a shell is here; one that is not is installed where that may be done. Tells why it is not where it can not. */
export const haveShell = (name: ShellName): boolean => {
  if (isThere(name)) return true;
  if (process.getuid?.() === 0 && isThere('apt-get')) {
    const install = ['install', '-q', '-y', '--no-install-recommends', name];
    // Lists of packages may be old, or there may be none.
    for (const args of [install, ['update', '-q'], install]) spawnSync('apt-get', args, { stdio: 'ignore', timeout: 300_000 });
  }
  if (isThere(name)) return true;
  console.warn(`Completion in ${name} is not tested: ${name} is not installed, and could not be.`);
  return false;
};

const isThere = (program: string): boolean => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;

/** With the program found by its name, as it is when it is installed. */
const gitContext = ({ retake }: Scene): Record<string, string> => ({
  ...retake.env,
  PATH: `${dirname(BIN)}:${retake.env.PATH}`,
  TERM: 'xterm',
  LC_ALL: 'C.UTF-8',
});

const NO_CONFIGURATION: Readonly<Record<ShellName, readonly string[]>> = {
  bash: ['--norc', '--noprofile'],
  zsh: ['-f'],
  fish: ['--no-config'],
};

const runScript = (at: Scene, shell: ShellName, args: readonly string[], script: string, line: string): string[] =>
  execFileSync(shell, [...args, '-c', script], { cwd: at.workspace, env: { ...gitContext(at), LINE: line }, encoding: 'utf8' })
    .split('\n')
    .filter((word) => word !== '');

/** What each shell would put in place of the word at the end of a line, or would show of it. */
export const COMPLETERS: Readonly<Record<ShellName, (at: Scene, line: string) => string[]>> = {
  // Calls the function as readline does: the text is what follows the last break of a word.
  bash: (at, line) =>
    runScript(
      at,
      'bash',
      NO_CONFIGURATION.bash,
      `eval "$(retake completion bash)"
       COMP_LINE=$LINE COMP_POINT=\${#LINE} TEXT=\${LINE##*[\\ \\"\\'=:@]}
       _retake retake "$TEXT"
       printf '%s\\n' "\${COMPREPLY[@]}"`,
      line,
    ),
  zsh: (at, line) => {
    // A terminal of its own in which a line is begun and completed; what stands there then is told.
    const script = `zmodload zsh/zpty
zpty shell zsh -f -i
expect() { local seen= chunk; while zpty -r shell chunk; do seen+=$chunk; [[ $seen == *"$1"* ]] && return; done; }
zpty -w shell "PS1=; cd \${(q)PWD}; autoload -Uz compinit; compinit -u -d $HOME/.zcompdump; eval \\"\\$(retake completion zsh)\\"; tell() { print -r -- \\"«\\$BUFFER»\\"; BUFFER=; zle accept-line; }; zle -N tell; bindkey '^X' tell; setopt no_beep no_list_beep; print REA''DY"
expect READY
zpty -w -n shell "$LINE"$'\\t'
zpty -w -n shell $'\\x18'
local seen= chunk
while [[ $seen != *»* ]] && zpty -r shell chunk; do seen+=$chunk; done
print -r -- "\${\${seen##*«}%%»*}"
zpty -d shell`;
    return runScript(at, 'zsh', NO_CONFIGURATION.zsh, script, line);
  },
  fish: (at, line) =>
    runScript(at, 'fish', NO_CONFIGURATION.fish, 'retake completion fish | source; complete -C "$LINE"', line).map(
      (word) => word.split('\t', 1)[0] ?? '',
    ),
};

/** Has a shell complete a line, then run it with something added; what that printed. */
export const completedAndRun = (at: Scene, shell: ShellName, line: string, more: string): string => {
  const [found = ''] = COMPLETERS[shell](at, line);
  // fish quotes a word when it puts it into the line, and tells it without.
  const script =
    shell === 'fish' ? `retake show (string unescape (string escape -- $LINE)) ${more}` : `${begun(shell, line)}${found} ${more}`;
  return runScript(at, shell, NO_CONFIGURATION[shell], script, found).join('\n');
};

const begun = (shell: ShellName, line: string): string => (shell === 'zsh' ? '' : line.slice(0, line.lastIndexOf(' ') + 1));

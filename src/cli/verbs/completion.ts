import { Argument, type Command } from 'commander';
import { SCRIPTS, SHELLS, type Shell } from '../completion/scripts.ts';
import { printJson, writeText } from '../output.ts';
import { describeVerb, type GlobalOptions, type Guide } from '../verb.ts';

const COMPLETION: Guide = {
  examples: [
    ['eval "$(retake completion bash)"', 'in ~/.bashrc; the same with zsh in ~/.zshrc'],
    ['retake completion fish > ~/.config/fish/completions/retake.fish', 'for fish'],
  ],
};

export const addCompletionVerb = (program: Command): void => {
  describeVerb(program, 'completion', COMPLETION)
    .description('print a script that makes your shell complete verbs, options, and the names of checkpoints, sessions and branches')
    .addArgument(new Argument('<shell>', 'your shell').choices(SHELLS))
    .action((shell: Shell, _options: unknown, command: Command) => {
      const script = SCRIPTS[shell];
      if (command.optsWithGlobals<GlobalOptions>().json) printJson({ shell, script });
      else writeText(script);
    });
};

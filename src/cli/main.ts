import { runProgram } from './program.ts';

// Whoever reads what we say may have seen enough. That ends the saying and not the work, and the exit code tells what came of that.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

process.exitCode = await runProgram(process.argv.slice(2));

// Whoever reads what we say may have seen enough. That ends the saying and not the work, and the exit code tells what came of that.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

// Until it is known what came of it: what ends too early did not succeed.
process.exitCode = 1;
import('./program.ts')
  .then(({ runProgram }) => runProgram(process.argv.slice(2)))
  .then((code) => {
    process.exitCode = code;
  });

import { runProgram } from '../../src/cli/program.ts';
import { runFaulty } from './faults.ts';

await runFaulty(() => runProgram(process.argv.slice(2)));

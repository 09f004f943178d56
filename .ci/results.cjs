// Reads what the test runner reports, with whatever Node is there:
//   results.cjs budget TIMING     fails where the tests take more than their share of time
//   results.cjs crashed REPORT    the files whose process crashed, where nothing else failed
//   results.cjs count REPORT…     what failed and why, then how many passed and failed; of a file that was run again, the later run counts
'use strict';
const { existsSync, readFileSync } = require('node:fs');
const { basename, relative } = require('node:path');

/** What all test files of `npm test` may take together, as a multiple of the reference job that is timed beside them. */
const BUDGET = 3500;

/** What a busy machine may add. */
const TOLERANCE = 1.5;

const budget = (file) => {
  const { total, reference } = JSON.parse(readFileSync(file, 'utf8'));
  const times = Math.round(total / reference);
  console.log(`The tests took ${times} times the reference job; their budget is ${BUDGET}, and ${BUDGET * TOLERANCE} is too much.`);
  if (times <= BUDGET * TOLERANCE) return;
  console.log('Make the slowest files above faster, move what is large to the deep tier, or raise the budget and say why.');
  process.exitCode = 1;
};

/** A test that was still running when the report was written: its process ended. */
const hasCrashed = ({ assertionResults }) => assertionResults.some(({ status }) => status === 'pending');
const hasFailed = ({ assertionResults, status }) =>
  assertionResults.some((test) => test.status === 'failed') || (status === 'failed' && assertionResults.length === 0);

const crashed = (report) => {
  const suites = existsSync(report) ? suitesIn(report) : [];
  if (!suites.some(hasFailed)) for (const { name } of suites.filter(hasCrashed)) console.log(relative('.', name));
};

const suitesIn = (report) => JSON.parse(readFileSync(report, 'utf8')).testResults;
const failedTests = ({ assertionResults }) => assertionResults.filter(({ status }) => status === 'failed' || status === 'pending');

/** A file that failed as a whole counts as one failure, such as one whose process ended. */
const failuresIn = (suite) => {
  const file = relative('.', suite.name);
  const tests = failedTests(suite).map(({ fullName, failureMessages }) => `${file}: ${fullName}\n${failureMessages?.join('\n') ?? ''}`);
  if (tests.length > 0) return tests;
  return suite.status === 'failed' || suite.assertionResults.length === 0 ? [`${file}: ${suite.message || 'ran no test'}`] : [];
};

/** The usual tier and the deep one play the same files. */
const kindOf = (report) => basename(report).split('.')[0];

/** A run that left no report counts as one failure. The failures come last because CI keeps the end of what is printed. */
const count = (reports) => {
  const found = new Map();
  for (const report of reports.filter(existsSync))
    for (const suite of suitesIn(report)) found.set(`${kindOf(report)} ${suite.name}`, suite);
  const suites = [...found.values()];
  const isMissing = (report) => !existsSync(report) && !report.endsWith('.again.json');
  const missing = reports.filter(isMissing).map((report) => `${report} was not written`);
  const failures = [...suites.flatMap(failuresIn), ...missing];
  for (const failure of failures) console.log(`\nFAILED ${failure}`);
  const passed = suites.flatMap(({ assertionResults }) => assertionResults).filter(({ status }) => status === 'passed').length;
  console.log(`${passed} passed, ${failures.length} failed`);
};

const [verb, ...files] = process.argv.slice(2);
if (verb === 'budget') budget(files[0]);
else if (verb === 'crashed') crashed(files[0]);
else count(files);

// Reads what the test runner reports, with whatever Node is there:
//   results.cjs unfinished REPORT      the files in which something failed, or whose process ended
//   results.cjs count REPORT…          how many passed and failed; of a file that was run again, the later run counts
'use strict';
const { existsSync, readFileSync } = require('node:fs');
const { relative } = require('node:path');

const hasFailed = ({ status }) => status === 'failed' || status === 'pending';
const isUnfinished = ({ status, assertionResults }) =>
  status === 'failed' || assertionResults.length === 0 || assertionResults.some(hasFailed);
const suitesIn = (report) => JSON.parse(readFileSync(report, 'utf8')).testResults;

/** Nothing was run at all where lint, build or the fetching of the client failed. */
const unfinished = (report) => (existsSync(report) ? suitesIn(report).filter(isUnfinished) : []);

const count = (reports) => {
  const suites = new Map();
  let failed = 0;
  for (const report of reports) {
    if (!existsSync(report)) {
      if (!report.includes('.again.')) failed++;
      continue;
    }
    for (const suite of suitesIn(report)) {
      if (suites.has(suite.name)) tellWhatPassed(suites.get(suite.name), suite);
      suites.set(suite.name, suite);
    }
  }
  const tests = [...suites.values()].flatMap(({ assertionResults }) => assertionResults);
  const broken = [...suites.values()].filter((suite) => isUnfinished(suite) && !suite.assertionResults.some(hasFailed));
  const passed = tests.filter(({ status }) => status === 'passed').length;
  failed += tests.filter(hasFailed).length + broken.length;
  console.log(`${passed} passed, ${failed} failed`);
};

const tellWhatPassed = (first, second) => {
  for (const { fullName, status } of second.assertionResults) {
    const before = first.assertionResults.find((one) => one.fullName === fullName);
    if (status !== 'passed' || before?.status === 'passed') continue;
    console.log(`passed only when it was run again: ${fullName}\n${before?.failureMessages?.[0] ?? 'its process ended'}\n`);
  }
};

const [verb, ...reports] = process.argv.slice(2);
if (verb === 'unfinished') for (const { name } of unfinished(reports[0])) console.log(relative('.', name));
else count(reports);

import { type CheckReport, type Finding, REMEDIES } from '../engine/index.ts';
import { pathFields } from '../model/index.ts';
import { shownId } from './ids.ts';
import { oneLine, paint, print, relativeTime, showPath } from './output.ts';

/** How many paths of one checkpoint a person is shown. */
const SHOWN = 10;

/** Findings for a person: what is wrong with what, and what a repair does about it. */
export const printFindings = (findings: readonly Finding[]): void => {
  for (const finding of findings) {
    const subject = finding.object ?? finding.file ?? '';
    print(`${paint('red', finding.kind)} ${oneLine(subject)}: ${oneLine(finding.problem)}${neededBy(finding)}`);
    print(`  ${paint('dim', `repair: ${REMEDIES[finding.kind]}`)}`);
  }
};

const neededBy = ({ operations }: Finding): string => (operations.length === 0 ? '' : `, needed by ${operations.map(shownId).join(', ')}`);

/** The checkpoints that lack something, with what they lack. */
export const printAffected = ({ affected }: CheckReport): void => {
  for (const { operation, paths } of affected) {
    print(`${paint('yellow', shownId(operation.id))} ${relativeTime(operation.createdAt)}  ${oneLine(operation.description)}`);
    for (const { path } of paths.slice(0, SHOWN)) print(`  ${showPath(path)}`);
    if (paths.length > SHOWN) print(`  … and ${paths.length - SHOWN} more`);
  }
};

export const reportJson = ({ affected, damage, ...report }: CheckReport) => ({
  ...report,
  damage: damage.map(findingJson),
  affected: affected.map(({ operation: { id, kind, description, createdAt }, paths }) => ({
    id,
    kind,
    description,
    createdAt,
    paths: paths.map(({ path, id: object }) => ({ ...pathFields(path), object })),
  })),
});

export const findingJson = (finding: Finding) => ({ ...finding, repair: REMEDIES[finding.kind] });

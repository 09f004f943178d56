import { exists, putFile } from '../../host/index.ts';
import { RetakeError } from '../../model/index.ts';
import type { Workspace } from '../core/workspace.ts';
import { assertFolderOf } from '../read/output-folder.ts';
import { gatherReport } from './gather.ts';
import { renderHtml } from './html.ts';
import { renderMarkdown } from './markdown.ts';
import type { Report } from './report.ts';

const RENDERERS = { markdown: renderMarkdown, html: renderHtml } as const;

export type ReportFormat = keyof typeof RENDERERS;

export const REPORT_FORMATS = Object.keys(RENDERERS) as readonly ReportFormat[];

/** The document in pieces, which are made while they are taken. */
export const renderReport = (report: Report, format: ReportFormat): Iterable<string> => RENDERERS[format](report);

export interface WriteReportRequest {
  readonly session: string;
  readonly format: ReportFormat;
  /** An absolute path. */
  readonly file: string;
  readonly mayReplace: boolean;
  readonly onProgress?: ((pieces: number) => void) | undefined;
}

/** Gathers and writes it: whole or not at all, and over no other file unless that is wanted. */
export const writeReport = async (workspace: Workspace, request: WriteReportRequest): Promise<Report> => {
  const { session, format, file, mayReplace, onProgress } = request;
  if (!mayReplace && exists(file)) throw isThere(file);
  assertFolderOf(file);
  const report = await gatherReport(workspace, session);
  if (!putFile(file, counted(renderReport(report, format), onProgress), { mayReplace })) throw isThere(file);
  return report;
};

const counted = function* (pieces: Iterable<string>, onProgress: WriteReportRequest['onProgress']): Generator<string> {
  let written = 0;
  for (const piece of pieces) {
    yield piece;
    onProgress?.(++written);
  }
};

const isThere = (file: string): RetakeError =>
  new RetakeError('in-the-way', `${file} is there already; nothing was written`, { hint: 'Give another name, or add --force.' });

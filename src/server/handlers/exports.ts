import { gatherReport, nameForFile, type ReportFormat, renderReport, streamExport } from '../../engine/index.ts';
import { asJob } from '../apply-plan.ts';
import { type HandlersOf, Streamed } from '../handler.ts';

export const exportHandlers: HandlersOf<'exportSession' | 'getReport'> = {
  exportSession: async ({ workspace, params: { session }, query, shared }) => {
    const request = { session, withoutConversation: !query.conversation, madeBy: shared.version };
    // It is written down before the first piece is sent, and that is what takes long.
    const { name, bytes, pieces } = await asJob({ workspace, shared, body: query }, 'exportSession', ({ signal, tell }) =>
      streamExport(workspace, { ...request, signal, onProgress: (done, total) => tell({ done, total }) }),
    );
    return new Streamed('application/x-tar', pieces, { ...saved(name), 'content-length': String(bytes) });
  },
  getReport: async ({ workspace, params, query: { format } }) => {
    const report = await gatherReport(workspace, params.session);
    const { type, ending } = DOCUMENTS[format];
    return new Streamed(
      `${type}; charset=utf-8`,
      inTime(renderReport(report, format)),
      saved(`${nameForFile(report.session.id)}.${ending}`),
    );
  },
};

const DOCUMENTS: Readonly<Record<ReportFormat, { readonly type: string; readonly ending: string }>> = {
  markdown: { type: 'text/markdown', ending: 'md' },
  html: { type: 'text/html', ending: 'html' },
};

/** To be saved, and not shown. The name is made of letters that mean nothing to anybody. */
const saved = (name: string) => ({ 'content-disposition': `attachment; filename="${name}"` });

/** Each piece is made when it is asked for. */
async function* inTime(pieces: Iterable<string>): AsyncGenerator<string> {
  yield* pieces;
}

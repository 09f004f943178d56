import { join } from 'node:path';
import { type Scene, scene } from '../support/scene.ts';
import { temporaryDirectory } from '../support/temporary.ts';

/** Writes a session into a file; returns that. */
export const exported = ({ workspace, retake }: Scene, session: string, ...options: string[]): string => {
  const file = join(temporaryDirectory(), 'session.tar');
  retake.json(workspace, 'export', session, '--output', file, ...options);
  return file;
};

/** Another home, another path, another data directory, with the session in it. */
export const importedElsewhere = (file: string, ...options: string[]): Scene => {
  const elsewhere = scene({ RETAKE_EXPORT_EXCLUDE: '[]' });
  elsewhere.retake.json(elsewhere.workspace, 'import', file, ...options);
  return elsewhere;
};

/** What the log says of a session, with ids told by their place: the same on every machine. */
// biome-ignore lint/suspicious/noExplicitAny: the log's JSON
export const storyOf = ({ workspace, retake }: Scene, session: string): any[] => {
  const all = retake.json(workspace, 'log').operations.reverse();
  const own = all.filter((operation: { session: string }) => operation.session === session);
  const names = new Map<string, string>(own.map(({ id }: { id: string }, at: number) => [id, `#${at}`]));
  const renamed = JSON.stringify(own.map(({ imported, ...operation }: { imported: unknown }) => operation)).replaceAll(
    /[0-9a-f]{40}|\b[0-9a-f]{10}\b/g,
    (id) => [...names].find(([whole]) => whole.startsWith(id))?.[1] ?? id,
  );
  return JSON.parse(renamed);
};

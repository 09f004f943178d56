import { type QueryKey, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { ask } from '../client/ask.ts';
import { FIXED } from '../client/keys.ts';
import type { Diff, DiffFile, DiffHunk, DiffLine } from '../client/types.ts';
import { useWorkspaceId } from '../client/workspace.tsx';
import { joinHunks } from './hunks.ts';
import { modesIn } from './modes.ts';
import { type DiffSubject, isIdentity, questionOf } from './subject.ts';
import { keyOfFile } from './tree.ts';

type FileName = Pick<DiffFile, 'path' | 'pathBase64'>;

/** As a query names a file. */
const inQuery = ({ path, pathBase64 }: FileName) => (pathBase64 === undefined ? { path: [path] } : { pathBase64: [pathBase64] });

interface Asking {
  readonly workspace: string;
  readonly signal?: AbortSignal;
}

/** All routes of differences are asked alike and answer alike. */
const askDifference = async <T = Diff>(subject: DiffSubject, query: object, { workspace, signal }: Asking): Promise<T> => {
  const { name, params } = questionOf(subject);
  return (await ask(name, { params, query, workspace, signal } as Parameters<typeof ask<'diffSession'>>[1])) as T;
};

/** The difference of a file as `git apply` takes it. */
export const askPatch = async (subject: DiffSubject, file: FileName, asking: Asking): Promise<string> => {
  const response = await askDifference<Response>(subject, { ...inQuery(file), format: 'patch' }, asking);
  return response.text();
};

/** One line of a file's hunks by its number among all, as much of it as there may be. */
export const askLine = async (subject: DiffSubject, file: FileName, line: number, asking: Asking): Promise<DiffLine | undefined> => {
  const { files } = await askDifference(subject, { ...inQuery(file), line, lines: 1 }, asking);
  return files[0]?.hunks?.[0]?.lines[0];
};

const CHANGING = 'difference';

const keyIn = (workspace: string, subject: DiffSubject, ...what: unknown[]): QueryKey => [
  workspace,
  isIdentity(subject) ? FIXED : CHANGING,
  questionOf(subject),
  ...what,
];

export interface Difference {
  readonly from: Diff['from'];
  readonly to: Diff['to'];
  readonly stats: Diff['stats'];
  /** Those that were read so far. */
  readonly files: readonly DiffFile[];
  readonly isComplete: boolean;
}

const PAGE = 1000;

/** Which files differ, without their lines: all of them, page after page. */
export const useDifference = (subject: DiffSubject) => {
  const workspace = useWorkspaceId();
  const { data, error, hasNextPage, isFetching, fetchNextPage, refetch } = useInfiniteQuery({
    queryKey: keyIn(workspace, subject, 'files'),
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor, signal }) => askDifference(subject, { limit: PAGE, cursor }, { workspace, signal }),
    getNextPageParam: ({ next }) => next ?? undefined,
  });
  useEffect(() => {
    if (hasNextPage && !isFetching && error === null) void fetchNextPage();
  }, [hasNextPage, isFetching, error, fetchNextPage]);
  const difference = useMemo((): Difference | undefined => {
    const first = data?.pages[0];
    if (data === undefined || first === undefined) return undefined;
    const { from, to, stats } = data.pages.at(-1) ?? first;
    return { from, to, stats, files: data.pages.flatMap(({ files }) => files), isComplete: !hasNextPage };
  }, [data, hasNextPage]);
  return { difference, error, isReading: isFetching, retry: () => void refetch() };
};

/** Reads everything again that was compared with the present, whose changes nobody tells of. */
export const useReread = (): (() => Promise<void>) => {
  const workspace = useWorkspaceId();
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: [workspace, CHANGING] });
};

/** A file with the lines of it that were read. */
export interface FileLines {
  readonly from: Diff['from'];
  readonly to: Diff['to'];
  readonly file: DiffFile;
  readonly hunks: readonly DiffHunk[];
  /** Of all its hunks. */
  readonly lines: { readonly here: number; readonly total: number };
  /** Changed while it was read: its parts do not belong together. */
  readonly isTorn: boolean;
}

/** Lines that are asked for at once when more of a long file is wanted. */
export const MORE_LINES = 10_000;

interface LinePage extends Pick<Diff, 'from' | 'to'> {
  readonly file: DiffFile | null;
}

/** One file of a difference with its lines; of a long one its beginning, and more as it is wanted. */
export const useFileLines = (subject: DiffSubject, name: FileName) => {
  const workspace = useWorkspaceId();
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = useInfiniteQuery({
    queryKey: keyIn(workspace, subject, 'lines', inQuery(name)),
    initialPageParam: 0,
    queryFn: async ({ pageParam: line, signal }): Promise<LinePage> => {
      const range = line === 0 ? { hunks: true } : { line, lines: MORE_LINES };
      const { from, to, files } = await askDifference(subject, { ...inQuery(name), ...range, limit: 2 }, { workspace, signal });
      // Where a file became a folder, what is in it is below the same path.
      return { from, to, file: files.find((file) => keyOfFile(file) === keyOfFile(name)) ?? null };
    },
    getNextPageParam: ({ file }) => {
      const { line, lines, total } = file?.cut ?? { line: 0, lines: 0, total: 0 };
      return lines > 0 && line + lines <= total ? line + lines : undefined;
    },
  });
  const lines = useMemo(() => data && joined(data.pages), [data]);
  return { lines, error, hasMore: hasNextPage, isReadingMore: isFetchingNextPage, readMore: fetchNextPage, reread: () => void refetch() };
};

/** Null where the file does not differ. */
const joined = (pages: readonly LinePage[]): FileLines | null => {
  const first = pages[0];
  if (first === undefined || first.file === null) return null;
  const { from, to, file } = first;
  const hunks = joinHunks(pages.map((page) => page.file?.hunks ?? []));
  const here = hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0);
  const total = file.cut?.total ?? here;
  const isTorn = pages.some((page) => (page.file?.cut?.total ?? total) !== total || page.file === null);
  return { from, to, file, hunks, lines: { here, total }, isTorn };
};

/** What became of a file whose permissions or type changed, in words; undefined while that is not known, and for other files. */
export const useModes = (subject: DiffSubject, name: FileName, status: DiffFile['status'] | undefined): string | undefined => {
  const workspace = useWorkspaceId();
  const { data } = useQuery({
    queryKey: keyIn(workspace, subject, 'modes', inQuery(name)),
    queryFn: async ({ signal }) => modesIn(await askPatch(subject, name, { workspace, signal })),
    enabled: status === 'mode' || status === 'type',
  });
  return data;
};

import type { Body, Routes } from '../../api/index.ts';
import { throughDaemon } from '../../daemon/ask-or-run.ts';
import {
  annotateCheckpoint,
  type CheckpointEntry,
  type CheckpointRequest,
  type CheckpointResult,
  checkpointPlace,
  checkpointRequest,
  createCheckpoint,
  deleteCheckpoint,
  describeCheckpoint,
  findCheckpoint,
  knownSession,
  listCheckpoints,
  readBase,
  readOmissions,
  readOwnedFiles,
  type SessionBase,
  type Workspace,
} from '../../engine/index.ts';
import { checkpointJson, contentJson, createdJson } from '../../json/checkpoint.ts';
import type { HandlersOf, Shared } from '../handler.ts';
import { pageFrom } from '../page.ts';
import { idOf } from '../workspaces.ts';

type Names =
  | 'listCheckpoints'
  | 'createCheckpoint'
  | 'getCheckpoint'
  | 'annotateCheckpoint'
  | 'deleteCheckpoint'
  | 'getBase'
  | 'createBase';

export const checkpointHandlers: HandlersOf<Names> = {
  listCheckpoints: ({ workspace, params: { session }, query }) => {
    const { branch, kind, tool, agentId, forkPoints } = query;
    const { items, total, next } = pageFrom(query, (stretch) =>
      listCheckpoints(workspace, { session, branch, kind, tool, agentId, forkPoints, ...stretch }),
    );
    return { checkpoints: items.map(checkpointJson), total, next };
  },
  createCheckpoint: async ({ workspace, params, body, shared }) => {
    const result = await create(workspace, params.session, body, shared, { kind: 'createCheckpoint' });
    return { ...createdJson(result), isNew: result.isNew };
  },
  getCheckpoint: ({ workspace, params, query }) =>
    detailsJson(
      workspace,
      describeCheckpoint(workspace, findCheckpoint(workspace, params.session, params.checkpoint, query.branch)),
      query.branch,
    ),
  annotateCheckpoint: async ({ workspace, params, query, body }) => {
    const { id } = findCheckpoint(workspace, params.session, params.checkpoint, query.branch);
    const { name, note, pinned } = body;
    await annotateCheckpoint(workspace, id, { name: name === null ? '' : name, note: note === null ? '' : note, pinned });
    return detailsJson(workspace, describeCheckpoint(workspace, { id }), query.branch);
  },
  deleteCheckpoint: async ({ workspace, params, query }) => {
    const { id } = findCheckpoint(workspace, params.session, params.checkpoint, query.branch);
    return { id: await deleteCheckpoint(workspace, id), deleted: true };
  },
  getBase: ({ workspace, params }) => baseJson(readBase(workspace, params.session)),
  createBase: async ({ workspace, params, body, shared }) => {
    await create(workspace, params.session, body, shared, { kind: 'createBase', isBase: true });
    return baseJson(readBase(workspace, params.session));
  },
};

const create = async (
  workspace: Workspace,
  named: string,
  { name, note, job: id }: Body<Routes['createCheckpoint']>,
  { jobs }: Shared,
  { kind, isBase = false }: { kind: Names; isBase?: boolean },
): Promise<CheckpointResult> => {
  const session = knownSession(workspace, named);
  const request: CheckpointRequest = { ...checkpointRequest({ name, note, session }), isBase };
  return jobs.run({ id, kind, workspace: idOf(workspace) }, ({ tell }) =>
    throughDaemon(workspace, {
      name: 'checkpoint',
      args: { request },
      onProgress: tell,
      here: () => createCheckpoint(workspace, { ...request, onProgress: (files) => tell({ files }) }),
    }),
  );
};

const detailsJson = (workspace: Workspace, entry: CheckpointEntry, branch?: string) => {
  const { operation } = entry;
  return {
    ...checkpointJson(entry),
    ...contentJson(operation, readOwnedFiles(workspace, operation), readOmissions(workspace, operation)),
    bytesAdded: operation.bytesAdded,
    place: { ...checkpointPlace(workspace, entry, branch) },
  };
};

const MOST_STEPS = 500;

const baseJson = ({ session, checkpoint, steps }: SessionBase) => ({
  session,
  checkpoint: checkpointJson(checkpoint),
  commits: { count: steps.length, ids: steps.slice(0, MOST_STEPS) },
});

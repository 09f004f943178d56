import { z } from 'zod';
import { route } from './route.ts';
import { workspaceQuery } from './workspace-query.ts';

const value = z
  .union([z.boolean(), z.number(), z.string().max(10_000), z.array(z.string().max(10_000)).max(1000)])
  .meta({ id: 'SettingValue' });

const level = z.enum(['user', 'workspace']).meta({ id: 'SettingLevel' });

const setting = z
  .object({
    key: z.string(),
    value: value.nullable().describe('Null where it is wrong, as `problem` tells.'),
    from: z
      .enum(['default', 'user', 'workspace', 'environment'])
      .describe('Where the value comes from: the environment wins, then the file of the workspace, then that of the user.'),
    source: z.string().nullable().describe('The file or the variable that it comes from; null for what is built in.'),
    default: value,
    given: z
      .object({ user: value.nullable(), workspace: value.nullable() })
      .describe('What each file says, whichever counts; null where one says nothing, or something wrong.'),
    levels: z.array(level).describe('Where it can be set; some things are the same for all workspaces.'),
    meaning: z.string(),
    wanted: z.string().describe('What it may be, in words.'),
    variable: z.string().describe('The environment variable that decides it, if it is set.'),
    problem: z.string().nullable(),
  })
  .meta({ id: 'Setting' });

const settings = z
  .object({
    file: z.string().describe("The user's."),
    workspaceFile: z.string().nullable().describe('That of the workspace; null where none is served or named.'),
    settings: z.array(setting),
    unknown: z
      .array(z.object({ key: z.string(), level, problem: z.string() }))
      .describe('What is in a file and does not belong there; null takes it out.'),
  })
  .meta({ id: 'Settings' });

export const settingsRoutes = {
  getSettings: route({
    method: 'get',
    path: '/api/settings',
    summary: 'What can be set, what is, and where that comes from',
    tag: 'settings',
    in: 'server',
    query: workspaceQuery,
    answer: settings,
    errors: [404, 422],
  }),
  changeSettings: route({
    method: 'put',
    path: '/api/settings',
    summary: 'Changes settings: all that are named, or none where one is wrong',
    tag: 'settings',
    in: 'server',
    query: workspaceQuery,
    body: z.strictObject({
      changes: z
        .record(z.string().min(1).max(100), value.nullable())
        .describe('By key; null takes one out, so that what is below counts again.'),
      level: level.default('user').describe('Whether they are for all workspaces, or for one alone.'),
    }),
    answer: settings,
    errors: [404, 409, 422],
  }),
};

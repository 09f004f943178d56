import { z } from 'zod';
import { route } from './route.ts';

const value = z
  .union([z.boolean(), z.number(), z.string().max(10_000), z.array(z.string().max(10_000)).max(1000)])
  .meta({ id: 'SettingValue' });

const setting = z
  .object({
    key: z.string(),
    value: value.nullable().describe('Null where it is wrong, as `problem` tells.'),
    from: z.enum(['default', 'file', 'environment']).describe('Where the value comes from; the environment wins.'),
    default: value,
    meaning: z.string(),
    wanted: z.string().describe('What it may be, in words.'),
    variable: z.string().describe('The environment variable that decides it, if it is set.'),
    problem: z.string().nullable(),
  })
  .meta({ id: 'Setting' });

const settings = z
  .object({
    file: z.string(),
    settings: z.array(setting),
    unknown: z.array(z.string()).describe('Keys of the file that are no settings; null takes them out.'),
  })
  .meta({ id: 'Settings' });

export const settingsRoutes = {
  getSettings: route({
    method: 'get',
    path: '/api/settings',
    summary: 'What can be set, what is, and where that comes from',
    tag: 'settings',
    in: 'server',
    answer: settings,
    errors: [422],
  }),
  changeSettings: route({
    method: 'put',
    path: '/api/settings',
    summary: 'Changes settings: all that are named, or none where one is wrong',
    tag: 'settings',
    in: 'server',
    body: z.strictObject({
      changes: z.record(z.string().min(1).max(100), value.nullable()).describe('By key; null for what is built in.'),
    }),
    answer: settings,
    errors: [409, 422],
  }),
};

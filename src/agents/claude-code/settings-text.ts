import { RetakeError } from '../../model/index.ts';
import { isHookCommand } from '../hook-command.ts';
import {
  appendMember,
  type Container,
  contentOf,
  type Member,
  readContainer,
  readLayout,
  readRoot,
  removeMember,
  replaceContent,
  splice,
} from '../json-text.ts';
import { EVENT_NAMES, hookGroup } from './hook-events.ts';

/**
 * Claude Code's settings as a text in which hooks come and go:
 * `{"hooks": {EVENT: [{"matcher"?, "hooks": [{"type": "command", "command"}]}]}}`. Ours are groups of their own, at the end.
 */

const NOTHING = '{}\n';

export interface Installed {
  readonly text: string;
  readonly added: readonly string[];
  readonly replaced: readonly string[];
  readonly kept: readonly string[];
}

/** `text` is null where there is no file. */
export const installHooks = (text: string | null, command: string): Installed => {
  let result = text ?? NOTHING;
  refuseUnusable(result);
  const found = new Map<string, 'replaced' | 'kept'>();
  // Further ones of the same event, and those of events that are not asked for any more, come from other versions.
  for (let hook = nextHook(result, isSurplus); hook !== undefined; hook = nextHook(result, isSurplus)) {
    result = takeOut(result, hook, null) ?? NOTHING;
  }
  for (const { event, command: old, commandAt } of ourHooks(result).reverse()) {
    found.set(event, old === command ? 'kept' : 'replaced');
    if (old !== command) result = splice(result, commandAt.value, commandAt.end, JSON.stringify(command));
  }
  const added = EVENT_NAMES.filter((event) => !found.has(event));
  for (const event of added) result = addHook(result, event, command);
  const which = (what: string): string[] => EVENT_NAMES.filter((event) => found.get(event) === what);
  return { text: result, added, replaced: which('replaced'), kept: which('kept') };
};

export interface Removed {
  /** Null where nothing is left of a file that was not there before. */
  readonly text: string | null;
  readonly removed: readonly string[];
}

/** `original` is the text before the first installation: what was empty there may stay empty. */
export const removeHooks = (text: string, original: string | null): Removed => {
  refuseUnusable(text);
  const removed = new Set<string>();
  let result: string | null = text;
  for (let hook = nextHook(result); hook !== undefined; hook = result === null ? undefined : nextHook(result)) {
    removed.add(hook.event);
    result = takeOut(result as string, hook, original);
  }
  return { text: result, removed: [...removed] };
};

export interface FoundHook {
  readonly event: string;
  readonly command: string;
}

/** Whether hooks can be read from it and put into it. */
export const isUsable = (text: string): boolean => {
  try {
    findHooks(text);
    return true;
  } catch (error) {
    if (error instanceof RetakeError) return false;
    throw error;
  }
};

export const findHooks = (text: string): FoundHook[] => {
  refuseUnusable(text);
  return ourHooks(text);
};

/** What the settings say of hooks as a whole; undefined where they say nothing. */
export const areHooksDisabled = (text: string): boolean | undefined => {
  const { disableAllHooks } = parse(text);
  return typeof disableAllHooks === 'boolean' ? disableAllHooks : undefined;
};

/** Plugins by name, and whether they are on. */
export const enabledPlugins = (text: string): (readonly [name: string, isOn: boolean])[] => {
  const { enabledPlugins: plugins } = parse(text);
  return isObject(plugins) ? Object.entries(plugins).map(([name, isOn]) => [name, isOn === true] as const) : [];
};

interface OurHook extends FoundHook {
  readonly handlers: Container;
  readonly handler: Member;
  readonly commandAt: Member;
  /** Containers from the outermost one to the event's list, each with the member that leads to the hook. */
  readonly way: readonly { readonly container: Container; readonly member: Member }[];
}

const ourHooks = (text: string): OurHook[] => {
  const root = readRoot(text);
  const hooksAt = memberOf(root, 'hooks');
  if (hooksAt === undefined) return [];
  const hooks = readContainer(text, hooksAt.value);
  return hooks.members.flatMap((eventAt) => {
    const groups = readContainer(text, eventAt.value);
    return groups.members.flatMap((groupAt) => {
      const handlersAt = memberOf(readContainer(text, groupAt.value), 'hooks') as Member;
      const handlers = readContainer(text, handlersAt.value);
      return handlers.members.flatMap((handler) => {
        const commandAt = memberOf(readContainer(text, handler.value), 'command');
        const command: unknown = commandAt && JSON.parse(text.slice(commandAt.value, commandAt.end));
        if (commandAt === undefined || typeof command !== 'string' || !isHookCommand(command, 'claude-code')) return [];
        const way = [
          { container: root, member: hooksAt },
          { container: hooks, member: eventAt },
          { container: groups, member: groupAt },
        ];
        return [{ event: eventAt.key as string, command, handlers, handler, commandAt, way }];
      });
    });
  });
};

const nextHook = (text: string, choose: (hook: OurHook, index: number, all: OurHook[]) => boolean = () => true): OurHook | undefined =>
  ourHooks(text).find(choose);

const isSurplus = (hook: OurHook, index: number, all: OurHook[]): boolean =>
  !EVENT_NAMES.includes(hook.event) || all.findIndex(({ event }) => event === hook.event) < index;

/** Takes a hook out, and the containers that it leaves empty, up to one that was there before. */
const takeOut = (text: string, { handlers, handler, way, event }: OurHook, original: string | null): string | null => {
  if (handlers.members.length > 1) return removeMember(text, handlers, handler);
  for (const [depth, { container, member }] of [...way.entries()].reverse()) {
    if (container.members.length > 1) return removeMember(text, container, member);
    const before = original === null ? undefined : containerBelow(original, ['hooks', event].slice(0, depth));
    if (before === undefined) continue;
    return replaceContent(text, container, before.members.length === 0 ? contentOf(original as string, before) : '');
  }
  return null;
};

const addHook = (text: string, event: string, command: string): string => {
  const layout = readLayout(text);
  const group = hookGroup(event, command);
  const groups = containerBelow(text, ['hooks', event]);
  if (groups !== undefined) return appendMember(text, groups, null, group, layout);
  const hooks = containerBelow(text, ['hooks']);
  if (hooks !== undefined) return appendMember(text, hooks, event, [group], layout);
  return appendMember(text, readRoot(text), 'hooks', { [event]: [group] }, layout);
};

const containerBelow = (text: string, keys: readonly string[]): Container | undefined => {
  let container: Container | undefined = readRoot(text);
  for (const key of keys) {
    const member: Member | undefined = container && memberOf(container, key);
    container = member && readContainer(text, member.value);
  }
  return container;
};

/** Where a key comes twice, programs differ in which one they take: neither is ours to change. */
const memberOf = ({ members }: Container, key: string): Member | undefined => {
  const [found, second] = members.filter((member) => member.key === key);
  if (second !== undefined) throw unusable(`has the key ${JSON.stringify(key)} twice in one object`);
  return found;
};

const refuseUnusable = (text: string): void => {
  const settings = parse(text);
  if (!Object.hasOwn(settings, 'hooks')) return;
  const { hooks } = settings;
  if (!isObject(hooks)) throw unusable('has `hooks` that is no object');
  for (const [event, groups] of Object.entries(hooks)) {
    if (!Array.isArray(groups)) throw unusable(`has hooks for ${event} that are no list`);
    for (const group of groups as unknown[]) {
      const isGroup = isObject(group) && Array.isArray(group.hooks) && group.hooks.every(isObject);
      if (!isGroup) throw unusable(`has an entry for ${event} that is not {"hooks": [{…}]}`);
    }
  }
  const events = readContainer(text, (memberOf(readRoot(text), 'hooks') as Member).value).members.map(({ key }) => key);
  const twice = events.find((event, index) => events.indexOf(event) < index);
  if (twice !== undefined) throw unusable(`has the key ${JSON.stringify(twice)} twice in one object`);
};

const parse = (text: string): Record<string, unknown> => {
  let settings: unknown;
  try {
    settings = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (cause) {
    throw unusable(text.trim() === '' ? 'is empty' : 'is not JSON', cause);
  }
  if (!isObject(settings)) throw unusable('is no JSON object');
  return settings;
};

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

const unusable = (problem: string, cause?: unknown): RetakeError =>
  new RetakeError('agent-settings', `The settings file ${problem}`, { ...(cause === undefined ? {} : { cause }) });

import { join } from 'node:path';
import { homeDirectory } from '../../host/index.ts';

export const AGENT = 'claude-code';

/** The files that Claude Code reads hooks from; the later ones win where they contradict. */
export const userSettings = (): string => join(process.env.CLAUDE_CONFIG_DIR || join(homeDirectory(), '.claude'), 'settings.json');
export const sharedSettings = (root: string): string => join(root, '.claude', 'settings.json');
export const projectSettings = (root: string): string => join(root, '.claude', 'settings.local.json');

/**
 * timeline: pure functions over operations, changes and messages: plans, undo chains, the tree of conversations. No disk, no clock,
 * no store.
 */

export {
  type Actor,
  type AttributedChange,
  attributeChanges,
  extentOf,
  extentWithout,
  isStep,
  type OpenSpan,
  ownersAt,
  partOf,
} from './attributed-changes.ts';
export type { Branch } from './branches.ts';
export { commitMessage, headlineOf, withTrailers } from './commit-message.ts';
export { ConversationTree } from './conversation-tree.ts';
export type { ForkPoint } from './forks.ts';
export { gitNews } from './git-news.ts';
export { type Outline, type OutlinedPrompt, outlineOf, saidInTurn } from './outline.ts';
export type { Turn } from './placed-turn.ts';
export * from './plan.ts';
export { Reachability, type RecordStatus } from './reachability.ts';
export * from './references.ts';
export { type PruneReason, type Retention, retain } from './retention.ts';
export { classify, type RetentionClass } from './retention-class.ts';
export * from './rolled-back.ts';
export { sessionContent } from './session-content.ts';
export * from './step-status.ts';
export { turnPrompts } from './turns.ts';
export * from './undo.ts';
export * from './work.ts';

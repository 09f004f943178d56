import { MERGE_CHOICES } from '../../model/index.ts';
import { bodyRows, menuPlanRows } from './layout.ts';
import { type Key, strideOf, within } from './moving.ts';
import { nameOf, type Order } from './order.ts';
import {
  choicesOf,
  type FilesLevel,
  isFailure,
  type MenuLevel,
  opened,
  orderOf,
  type PlanLevel,
  planOf,
  type ResultLevel,
  type State,
  withLevel,
} from './state.ts';

export const pressMenu = (state: State, level: MenuLevel, key: Key): State => {
  const choices = choicesOf(level);
  if (key.is === 'escape') return withLevel(state, null);
  const changed = changedPlan(state, orderOf(level), level, key);
  if (changed !== null) return withLevel(state, { ...level, ...changed, top: 0 });
  if (key.is === 'up' || key.is === 'down')
    return withLevel(state, { ...level, at: within(level.at + (key.is === 'up' ? -1 : 1), choices.length - 1), top: 0 });
  const stride = strideOf(key, menuPlanRows(state, level));
  if (stride !== null) return withLevel(state, { ...level, top: within(level.top + stride, Number.MAX_SAFE_INTEGER) });
  if (key.is !== 'enter') return state;
  const choice = choices[level.at];
  if (choice === undefined) return state;
  if (choice.id === 'cancel') return withLevel(state, null);
  if (choice.reason !== null) return { ...state, notice: `Not possible: ${choice.reason}` };
  const order = orderOf(level);
  const prepared = planOf(state, order);
  if (choice.id !== 'files') return order === null ? state : opened(state, { is: 'plan', order, top: 0 });
  if (prepared === undefined) return { ...state, notice: 'The plan is being made …' };
  if (isFailure(prepared)) return { ...state, notice: prepared.message };
  if (prepared.files.length === 0) return { ...state, notice: 'No file would change' };
  return opened(state, { is: 'files', prepared, chosen: new Set(), at: 0, top: 0 });
};

/** `m` and `c` change what a plan does; null for other keys, and where there is nothing to change. */
const changedPlan = (
  state: State,
  order: Order | null,
  loads: Pick<MenuLevel, 'keepMine' | 'onConflict'>,
  key: Key,
): Pick<MenuLevel, 'keepMine' | 'onConflict'> | null => {
  const prepared = planOf(state, order);
  if (key.is !== 'text' || prepared === undefined || isFailure(prepared)) return null;
  const { keepMine, onConflict } = loads;
  if (key.text === 'm' && prepared.hasMine) return { keepMine: !prepared.keepsMine, onConflict };
  if (key.text === 'c' && prepared.conflicts > 0) return { keepMine, onConflict: nextChoice(onConflict) };
  return null;
};

const nextChoice = (choice: MenuLevel['onConflict']): MenuLevel['onConflict'] =>
  MERGE_CHOICES[choice === null ? 0 : MERGE_CHOICES.indexOf(choice) + 1] ?? null;

export const pressFiles = (state: State, level: FilesLevel, key: Key): State => {
  const { prepared, chosen, at } = level;
  const stride = strideOf(key, bodyRows(state));
  if (stride !== null) return withLevel(state, { ...level, at: within(at + stride, prepared.files.length - 1) });
  if (key.is === 'escape') return withLevel(state, null);
  if (key.is === 'text' && key.text === ' ') return withLevel(state, { ...level, chosen: toggled(chosen, at) });
  if (key.is === 'text' && key.text === 'a') {
    const all = chosen.size === prepared.files.length ? [] : prepared.files.keys();
    return withLevel(state, { ...level, chosen: new Set(all) });
  }
  if (key.is !== 'enter' || prepared.order.do !== 'rewind') return state;
  if (chosen.size === 0) return { ...state, notice: 'Choose files with Space first' };
  const only = prepared.files.filter((_, index) => chosen.has(index)).map(({ path }) => path);
  return opened(state, { is: 'plan', order: { ...prepared.order, only }, top: 0 });
};

const toggled = (chosen: ReadonlySet<number>, at: number): ReadonlySet<number> =>
  chosen.has(at) ? new Set([...chosen].filter((one) => one !== at)) : new Set([...chosen, at]);

export const pressPlan = (state: State, level: PlanLevel, key: Key): State => {
  const { order, top } = level;
  const stride = strideOf(key, bodyRows(state));
  if (stride !== null) return withLevel(state, { ...level, top: within(top + stride, Number.MAX_SAFE_INTEGER) });
  if (key.is === 'escape') return withLevel(state, null);
  if (order.do === 'rewind') {
    const changed = changedPlan(state, order, order, key);
    if (changed !== null) return withLevel(state, { ...level, order: { ...order, ...changed }, top: 0 });
  }
  if (key.is !== 'enter') return state;
  const prepared = state.plans.get(nameOf(order));
  if (prepared === undefined) return { ...state, notice: 'The plan is being made …' };
  if (isFailure(prepared)) return { ...state, notice: prepared.message };
  if (prepared.refusal !== null) return { ...state, notice: prepared.refusal };
  return opened(state, { is: 'work', prepared, isStopping: false });
};

export const pressResult = (state: State, level: ResultLevel, key: Key): State => {
  const { rollback } = level.outcome;
  const stride = strideOf(key, bodyRows(state));
  if (stride !== null) return withLevel(state, { ...level, top: within(level.top + stride, Number.MAX_SAFE_INTEGER) });
  if (key.is === 'text' && key.text === 'u' && rollback !== null)
    return opened(state, { is: 'plan', order: { do: 'undo', rollback }, top: 0 });
  const isLeaving = key.is === 'enter' || key.is === 'escape' || (key.is === 'text' && key.text === 'q');
  return isLeaving ? { ...state, isOver: true } : state;
};

import { searchLog } from '../../engine/index.ts';
import { operationJson } from '../../json/operation.ts';
import type { HandlersOf } from '../handler.ts';
import { pageFrom } from '../page.ts';

export const searchHandlers: HandlersOf<'search'> = {
  search: ({ workspace, query }) => {
    const words = query.q.split(/\s+/).filter((word) => word !== '');
    const { items, total, next } = pageFrom(query, (stretch) => searchLog(workspace, words, stretch));
    return { operations: items.map(operationJson), total, next };
  },
};

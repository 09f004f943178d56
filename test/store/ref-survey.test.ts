import { expect, test, vi } from 'vitest';
import { Store, surveyRefs } from '../../src/store/index.ts';
import { put, scene, storeOf } from '../support/scene.ts';

test('[REL-4] [STO-3] operations that are added between two looks at the refs are not taken for lost', () => {
  const at = scene();
  const record = (content: string): void => {
    put(at.workspace, 'file', content);
    at.retake.json(at.workspace, 'checkpoint');
  };
  record('first');
  const store = Store.openAsIs(storeOf(at), 'process');
  const list = store.refs.list.bind(store.refs);
  const meanwhile = ['second', 'third', 'fourth'];
  vi.spyOn(store.refs, 'list').mockImplementation((...args) => {
    const listed = list(...args);
    for (const content of meanwhile.splice(0)) record(content);
    return listed;
  });
  const survey = surveyRefs(store);
  expect(survey).toMatchObject({ gaps: 0, last: null, unfinished: [] });
  expect(survey.operations.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4]);
});

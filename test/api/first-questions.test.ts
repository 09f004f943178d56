import { describe, expect, test } from 'vitest';
import { firstQuestions } from '../../src/api/index.ts';

const asked = (path: string): string[] => firstQuestions(new URL(path, 'http://127.0.0.1:1'));

const POSITION = '/api/events/position?workspace=shop-1';

describe('[UI-4] what the page asks first is known by its address', () => {
  test('the sessions of a workspace; the checkpoints and the turns of a session, on its branch', () => {
    expect(asked('/w/shop-1')).toEqual([POSITION, '/api/sessions?workspace=shop-1&limit=50']);
    const both = ['checkpoints', 'turns'];
    expect(asked('/w/shop-1/s/one')).toEqual([POSITION, ...both.map((what) => `/api/sessions/one/${what}?workspace=shop-1&limit=100`)]);
    expect(asked('/w/shop-1/s/one/c/abc')).toEqual(asked('/w/shop-1/s/one'));
    expect(asked('/w/shop-1/s/one?branch=b%201')).toEqual([
      POSITION,
      ...both.map((what) => `/api/sessions/one/${what}?workspace=shop-1&branch=b+1&limit=100`),
    ]);
  });

  test('where the log is at all others of a workspace, and nothing elsewhere', () => {
    for (const path of ['/git', '/s', '/s/one/forks', '/s/one/c/a/b', '/s/%E0%A4%A'])
      expect([path, asked(`/w/shop-1${path}`)]).toEqual([path, [POSITION]]);
    for (const path of ['/', '/w', '/w/', '/x/shop', '/w/%E0%A4%A', '/w/%E0%A4%A/s/one']) expect([path, asked(path)]).toEqual([path, []]);
  });

  test('[SEC] whatever stands in the address is one part of one question', () => {
    const path = (name: string): string => `/w/${encodeURIComponent(name)}/s/${encodeURIComponent(name)}`;
    for (const name of ['a>; rel=stylesheet, <b', '\r\nset-cookie: a=b', '../../secret?x=y#z', '"', 'ä\u0000']) {
      const [, one = '', ...others] = asked(path(name));
      expect(others).toHaveLength(1);
      expect(one).toMatch(/^\/api\/sessions\/[\w.%~!*'()-]+\/checkpoints\?workspace=[\w.%+*-]+&limit=100$/);
      const { pathname, searchParams } = new URL(one, 'http://127.0.0.1:1');
      expect([decodeURIComponent(pathname.split('/')[3] ?? ''), searchParams.get('workspace')]).toEqual([name, name]);
    }
  });
});

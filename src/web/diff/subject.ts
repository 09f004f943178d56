import type { RouteName } from '../../api/index.ts';

/** What is compared: two checkpoints, or one and the present; a step; a commit of the user's git; a session from its start to the present. */
export type DiffSubject =
  | { readonly of: 'checkpoints'; readonly session: string; readonly from: string; readonly to?: string | undefined }
  | { readonly of: 'step'; readonly session: string; readonly step: string }
  | { readonly of: 'commit'; readonly session: string; readonly commit: string }
  | { readonly of: 'session'; readonly session: string };

/** The route that answers what differs, and what is put into its address. All of them take the same query. */
export interface Question {
  readonly name: Extract<RouteName, 'diffWithPresent' | 'diffCheckpoints' | 'diffStep' | 'diffSession'>;
  readonly params: Readonly<Record<string, string>>;
}

export const questionOf = (subject: DiffSubject): Question => {
  switch (subject.of) {
    case 'checkpoints': {
      const params = { session: subject.session, checkpoint: subject.from };
      return subject.to === undefined
        ? { name: 'diffWithPresent', params }
        : { name: 'diffCheckpoints', params: { ...params, other: subject.to } };
    }
    case 'step':
      return { name: 'diffStep', params: { commit: subject.step } };
    case 'commit':
      return { name: 'diffStep', params: { commit: subject.commit } };
    case 'session':
      return { name: 'diffSession', params: { session: subject.session } };
  }
};

export const isWithPresent = (subject: DiffSubject): boolean =>
  subject.of === 'session' || (subject.of === 'checkpoints' && subject.to === undefined);

const ID = /^[0-9a-f]{40}$/;
const COMMIT = /^[0-9a-f]{40,64}$/;

/** Whether it is the same for ever: records and commits by their ids, and not by a name that may come to mean another. */
export const isIdentity = (subject: DiffSubject): boolean => {
  if (subject.of === 'commit') return COMMIT.test(subject.commit);
  if (subject.of === 'step') return ID.test(subject.step);
  return subject.of === 'checkpoints' && subject.to !== undefined && ID.test(subject.from) && ID.test(subject.to);
};

/** What is compared: two checkpoints, or one and the present; a step; a session from its start to the present. */
export type DiffSubject =
  | { readonly of: 'checkpoints'; readonly session: string; readonly from: string; readonly to?: string | undefined }
  | { readonly of: 'step'; readonly session: string; readonly step: string }
  | { readonly of: 'session'; readonly session: string };

export const DiffView = (_: { subject: DiffSubject }) => null;

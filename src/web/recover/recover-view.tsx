export const RecoverView = (_: { session: string }) => null;

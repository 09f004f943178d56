export const SessionView = (_: { session: string; checkpoint?: string }) => null;

export const ForksView = (_: { session: string }) => null;

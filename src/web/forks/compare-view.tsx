export const CompareView = (_: { session: string; a: string; b: string }) => null;

export const RollbacksView = () => null;

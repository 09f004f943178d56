export const GitView = () => null;

export const SettingsView = () => null;

import { Page } from '../parts/page.tsx';
import { SettingsForm } from './settings-form.tsx';
import { ThisBrowser } from './this-browser.tsx';

/** How this page looks, who is signed in, and all settings of Retake. */
export const SettingsView = () => (
  <Page title="Settings">
    <ThisBrowser />
    <SettingsForm />
  </Page>
);

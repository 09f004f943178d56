import type { Page } from './page.ts';

/** What the link of `retake serve` leads to. The code is behind the `#`, which browsers send to nobody; the script hands it over once. */
const html = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Retake: sign in</title>
<link rel="stylesheet" href="/sign-in.css">
<main>
<h1>Retake</h1>
<p id="said" role="status">Signing in …</p>
</main>
<script src="/sign-in.js"></script>
</html>
`;

const script = `const said = document.getElementById('said');
const code = location.hash.slice(1);
const here = location.pathname + location.search;
history.replaceState(null, '', here);
const ask = (path, more) => fetch(path, { headers: { 'content-type': 'application/json' }, ...more });
const goOn = () => location.replace(location.pathname === '/sign-in' ? '/' : here);
const signIn = async () => {
  if (code === '') {
    // Who followed a link from another site is signed in, but the browser did not say so.
    if ((await ask('/api/workspaces?limit=1', { headers: {} })).ok) return goOn();
    return 'You are signed out. Run retake serve in your project and open the link that it prints.';
  }
  const answer = await ask('/api/sign-in', { method: 'POST', body: JSON.stringify({ code }) });
  if (answer.ok) return goOn();
  const { error } = await answer.json();
  return error.message + '. ' + (error.hint ?? '');
};
signIn()
  .catch(() => 'The server does not answer. Is it still running?')
  .then((words) => {
    if (words !== undefined) said.textContent = words;
  });
`;

const style = `:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; margin: 0; display: grid; min-height: 100vh; place-items: center; }
main { max-width: 32rem; padding: 1rem; }
h1 { font-size: 1.25rem; margin: 0; }
`;

export const SIGN_IN: Page = { path: '/sign-in', type: 'text/html; charset=utf-8', body: html };

export const SIGN_IN_PAGES: readonly Page[] = [
  SIGN_IN,
  { path: '/sign-in.js', type: 'text/javascript; charset=utf-8', body: script },
  { path: '/sign-in.css', type: 'text/css; charset=utf-8', body: style },
];

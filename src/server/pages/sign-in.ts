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
history.replaceState(null, '', location.pathname);
const signIn = async () => {
  if (code === '') return 'This page needs the whole link that retake serve prints.';
  const answer = await fetch('/api/sign-in', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  });
  if (answer.ok) return 'Signed in. This browser may now use the interface at ' + location.origin + '/api.';
  const { error } = await answer.json();
  return error.message + '. ' + (error.hint ?? '');
};
signIn()
  .catch(() => 'The server does not answer. Is it still running?')
  .then((words) => {
    said.textContent = words;
  });
`;

const style = `body { font: 1rem/1.5 system-ui, sans-serif; margin: 0; display: grid; min-height: 100vh; place-items: center; }
main { max-width: 32rem; padding: 1rem; }
h1 { font-size: 1.25rem; margin: 0; }
`;

export const SIGN_IN_PAGES: readonly Page[] = [
  { path: '/sign-in', type: 'text/html; charset=utf-8', body: html },
  { path: '/sign-in.js', type: 'text/javascript; charset=utf-8', body: script },
  { path: '/sign-in.css', type: 'text/css; charset=utf-8', body: style },
];

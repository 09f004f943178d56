/** The sign-in link in what a command printed. */
export const linkIn = (printed: string): string => /http:\/\/127\.0\.0\.1:\d+\/sign-in#\S+/.exec(printed)?.[0] ?? '';

/** What a browser is shown that follows a sign-in link. */
export const pageBehind = async (link: string): Promise<string> => {
  const headers = { 'content-type': 'application/json', origin: new URL(link).origin };
  const signed = await fetch(new URL('/api/sign-in', link), {
    method: 'POST',
    headers,
    body: JSON.stringify({ code: new URL(link).hash.slice(1) }),
  });
  const cookie = signed.headers.get('set-cookie')?.split(';')[0] ?? '';
  const page = await fetch(new URL('/', link), { headers: { cookie } });
  if (!page.ok) throw new Error(`${link} leads to ${page.status}`);
  return page.text();
};

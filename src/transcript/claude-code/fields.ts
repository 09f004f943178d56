/**
 * Changes values of a JSON object's own keys, and no other byte: numbers that JavaScript can't hold, repeated keys and unusual
 * spacing stay as they are. `json` must be a valid object, as text or as bytes (latin1).
 */
export const changeFields = (json: string, change: (key: string, value: string) => string | undefined): string => {
  const parts: string[] = [];
  let copied = 0;
  let at = json.indexOf('{') + 1;
  for (;;) {
    while (isSpace(json[at]) || json[at] === ',') at++;
    if (json[at] !== '"') break;
    const keyEnd = endOfString(json, at);
    const key = JSON.parse(json.slice(at, keyEnd)) as string;
    at = keyEnd;
    while (isSpace(json[at]) || json[at] === ':') at++;
    const end = endOfValue(json, at);
    const changed = change(key, json.slice(at, end));
    if (changed !== undefined) {
      parts.push(json.slice(copied, at), changed);
      copied = end;
    }
    at = end;
  }
  return parts.length === 0 ? json : parts.join('') + json.slice(copied);
};

const isSpace = (char: string | undefined): boolean => char === ' ' || char === '\t' || char === '\r' || char === '\n';

/** Both take where something begins and give where it has ended. */
const endOfString = (json: string, from: number): number => {
  let end = json.indexOf('"', from + 1);
  while (end >= 0 && isEscaped(json, end)) end = json.indexOf('"', end + 1);
  return end < 0 ? json.length : end + 1;
};

const isEscaped = (json: string, quote: number): boolean => {
  let slashes = 0;
  while (json[quote - 1 - slashes] === '\\') slashes++;
  return slashes % 2 === 1;
};

const endOfValue = (json: string, from: number): number => {
  let depth = 0;
  for (let at = from; at < json.length; ) {
    const char = json[at];
    if (char === '"') {
      at = endOfString(json, at);
      if (depth === 0) return at;
      continue;
    }
    if (char === '{' || char === '[') depth++;
    else if (depth === 0 && (char === ',' || char === '}' || isSpace(char))) return at;
    else if (char === '}' || char === ']') {
      depth--;
      if (depth === 0) return at + 1;
    }
    at++;
  }
  return json.length;
};

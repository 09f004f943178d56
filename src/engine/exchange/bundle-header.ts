import { isObjectId, type OperationId } from '../../model/index.ts';
import { badExport } from './bad-export.ts';

/** What a bundle says before its pack begins: which refs it holds (git's bundle format, version 2). */
export interface BundleHeader {
  readonly refs: ReadonlyMap<string, OperationId>;
  /** Where the pack begins. */
  readonly length: number;
}

const SIGNATURE = '# v2 git bundle\n';

/** Millions of operations. */
const LONGEST = 256 << 20;

const OPERATION_REF = /^refs\/retake\/ops\/[A-Za-z0-9_%-]{1,200}\/\d{10,16}$/;

export const encodeBundleHeader = (refs: Iterable<readonly [name: string, id: OperationId]>): Buffer =>
  Buffer.from(`${SIGNATURE}${[...refs].map(([name, id]) => `${id} ${name}\n`).join('')}\n`, 'latin1');

export const readBundleHeader = (chunks: Iterable<Buffer>): BundleHeader => {
  const text = textBeforePack(chunks);
  if (!text.startsWith(SIGNATURE)) throw badExport('its operations are no git bundle');
  const refs = new Map<string, OperationId>();
  for (const line of text.slice(SIGNATURE.length).split('\n').filter(Boolean)) {
    const [id = '', name = ''] = line.split(' ', 2);
    // One with a minus sign is something that the other side is expected to have.
    if (!isObjectId(id) || !OPERATION_REF.test(name) || refs.has(name)) throw badExport('its bundle holds something other than operations');
    refs.set(name, id as OperationId);
  }
  if (refs.size === 0) throw badExport('it holds no operations');
  return { refs, length: text.length + 1 };
};

/** Up to the empty line, without it. */
const textBeforePack = (chunks: Iterable<Buffer>): string => {
  let text = '';
  for (const chunk of chunks) {
    const before = text.length;
    text += chunk.toString('latin1');
    const end = text.indexOf('\n\n', Math.max(0, before - 1));
    if (end >= 0) return text.slice(0, end + 1);
    if (text.length > LONGEST) break;
  }
  throw badExport('its bundle has no beginning, or too long a one');
};

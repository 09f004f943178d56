import { badExport } from './bad-export.ts';
import { type ExportManifest, FORMAT, WHAT } from './export-manifest.ts';
import { MEMBER } from './member-names.ts';
import { count, fields, list, oneOf, orNull, parseJson, text } from './shapes.ts';
import type { TarReader } from './tar-reader.ts';

const LARGEST = 64 << 20;

const isOfThisKind = fields({ format: count, what: oneOf(WHAT) });

const isManifest = fields({
  session: (value) => typeof value === 'string' && value.trim() !== '' && value.length <= 200,
  operations: count,
  checkpoints: count,
  conversation: orNull(fields({ agent: text, messages: count })),
  excluded: fields({ patterns: list(text), paths: list(fields({ path: text })) }),
  files: list(fields({ name: text, bytes: count, sha256: text })),
});

/** What a file says of itself, once it is known that its parts are as they were written. */
export const readExportManifest = (tar: TarReader): ExportManifest => {
  const value = parseJson(tar.read(MEMBER.manifest, LARGEST).toString());
  if (!isOfThisKind(value)) throw badExport('it does not say what it is');
  const { format } = value as ExportManifest;
  if (format > FORMAT) throw badExport('a newer Retake made it: update this one');
  if (format !== FORMAT || !isManifest(value)) throw badExport('its manifest can not be read');
  const manifest = value as ExportManifest;
  const told = new Set(manifest.files.map(({ name }) => name));
  const isListed = tar.names.every((name) => name === MEMBER.manifest || told.has(name));
  if (!isListed || told.size !== manifest.files.length) throw badExport('it holds other files than its manifest says');
  for (const { name, bytes, sha256 } of manifest.files)
    if (tar.size(name) !== bytes || tar.digest(name) !== sha256) throw badExport(`${name} is damaged`);
  if (tar.has(MEMBER.session) !== (manifest.conversation !== null)) throw badExport('its conversation is missing');
  return manifest;
};

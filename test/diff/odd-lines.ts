import fc from '../support/property.ts';

/** Lines, as byte strings, that look like parts of a patch, end in other ways, or are any bytes but NUL. */
export const oddLine = fc.oneof(
  fc.constantFrom('a\n', 'b\r\n', '\n', '}\n', '--- a\n', '+++ b\n', '@@ -1 +1 @@\n', '\\ No newline at end of file\n', ' \t\n', 'f() {\n'),
  fc.uint8Array({ min: 1, max: 255, maxLength: 8 }).map((bytes) => `${Buffer.from(bytes).toString('latin1')}\n`),
);

/** How a text may end behind its last newline. */
export const oddEnd = fc.constantFrom('', '', 'end', 'end\r', 'other end');

import { readFileSync, writeFileSync } from 'node:fs';

import { z } from 'zod';

const entry = z.object({
  integrity: z.string().optional(),
  optional: z.boolean().optional(),
  engines: z.unknown().optional(),
});
const lockFile = z.object({ packages: z.record(z.string(), entry) });
const file = new URL('../package-lock.json', import.meta.url);
const text = readFileSync(file, 'utf8');
const { packages } = lockFile.parse(JSON.parse(text));
const pathsOf = (isWrong: (one: z.output<typeof entry>) => boolean): readonly string[] =>
  Object.entries(packages).flatMap(([path, one]) => (path !== '' && isWrong(one) ? [path] : []));

// If the lock file has no integrity for a package, npm installs whatever the registry answers.
const unverified = pathsOf(({ integrity }) => !integrity);
// npm would compare `engines` with the Node that runs npm, and omit the package without a message.
const demanding = pathsOf(({ optional, engines }) => optional === true && engines !== undefined);

if (process.argv.includes('--write')) {
  const withoutEngines = text.replaceAll(/^ {4}"node_modules[^]*?^ {4}\},?$/gmu, (lines) =>
    lines.includes('\n      "optional": true')
      ? lines.replace(/,\n {6}"engines": \{[^}]*\}|"engines": \{[^}]*\},\n {6}/u, '')
      : lines,
  );
  writeFileSync(file, withoutEngines);
} else if (demanding.length > 0) {
  process.stderr.write(
    `package-lock.json has "engines" for ${demanding.length} optional packages, ${demanding[0]} first. ` +
      'Remove them with "npm run check:lock -- --write".\n',
  );
  process.exitCode = 1;
}
if (unverified.length > 0) {
  process.stderr.write(
    `package-lock.json has no integrity for ${unverified.length} packages, ${unverified[0]} first. ` +
      'Delete it and recreate it with "npm install --package-lock-only".\n',
  );
  process.exitCode = 1;
}

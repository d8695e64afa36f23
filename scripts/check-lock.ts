import { readFileSync } from 'node:fs';

import { z } from 'zod';

// If the lock file has no integrity for a package, npm installs whatever the registry answers.
const lockFile = z.object({ packages: z.record(z.string(), z.object({ integrity: z.string().optional() })) });
const text = readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8');
const { packages } = lockFile.parse(JSON.parse(text));
const unverified = Object.keys(packages).filter((path) => path !== '' && !packages[path]?.integrity);

if (unverified.length > 0) {
  process.stderr.write(
    `package-lock.json has no integrity for ${unverified.length} packages, ${unverified[0]} first. ` +
      'Delete it and recreate it with "npm install --package-lock-only".\n',
  );
  process.exitCode = 1;
}

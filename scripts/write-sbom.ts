import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { z } from 'zod';

import { productionPackages, shippedPackage } from './dependencies.ts';

/**
 * Writes the software bill of materials for production to stdout, as CycloneDX. `npm sbom --omit dev` omits packages
 * that a development package also needs (pg, yaml, zod). So npm is asked about a copy without development packages, and
 * the components in its answer are counted.
 */
const bill = z.object({ components: z.array(z.object({ name: z.string(), version: z.string() })) });

const temporary = mkdtempSync(join(tmpdir(), 'bellhop-sbom-'));
try {
  // npm names the bill after the folder.
  const folder = join(temporary, 'bellhop');
  mkdirSync(folder);
  for (const [name, content] of Object.entries(shippedPackage())) {
    writeFileSync(join(folder, name), JSON.stringify(content));
  }
  const options = [
    '--loglevel',
    'error',
    '--package-lock-only',
    '--sbom-format',
    'cyclonedx',
    '--sbom-type',
    'application',
  ];
  const text = execFileSync('npm', ['sbom', ...options], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 16 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const listed = new Set(
    bill.parse(JSON.parse(text)).components.map(({ name, version }) => `${name}@${version}`),
  );
  const missing = productionPackages().filter((one) => !listed.has(one));
  if (missing.length > 0) throw new Error(`npm sbom omits ${missing.join(', ')}`);
  process.stdout.write(text);
} finally {
  rmSync(temporary, { recursive: true });
}

import { createReadStream, readdirSync } from 'node:fs';
import { join } from 'node:path';

import type { PackFiles } from './pack/pack-files.ts';

/** @throws the system's error if the folder can't be read */
export function packFolder(folder: string): PackFiles {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  const start = join(folder, '/').length;
  return {
    names: new Set(
      files.map(({ parentPath, name }) => join(parentPath, name).slice(start).replaceAll('\\', '/')),
    ),
    async *read(name) {
      yield* createReadStream(join(folder, name));
    },
  };
}

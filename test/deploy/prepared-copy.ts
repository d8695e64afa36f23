import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { type Outside, root } from './outside.ts';
import { run } from './shell.ts';

/** The repository with stand-ins for the images of the registry. @returns the folder */
export async function preparedCopy({ folder }: Outside): Promise<string> {
  const copy = join(folder, 'bellhop');
  await run('git', ['clone', '--quiet', root, copy]);
  const replace = (file: string, changes: readonly (readonly [RegExp, string])[]): void => {
    const path = join(copy, file);
    const text = changes.reduce((all, [from, to]) => all.replaceAll(from, to), readFileSync(path, 'utf8'));
    writeFileSync(path, text);
  };
  replace('Dockerfile', [[/^FROM node:\S+/gmu, 'FROM bellhop-test-node']]);
  replace('compose.yaml', [
    [/image: postgres:\S+/gu, 'image: bellhop-test-postgres'],
    [/image: nginxinc\/\S+/gu, 'image: bellhop-test-nginx'],
    [/build: \.$/gmu, 'build: { context: ., network: host }'],
  ]);
  return copy;
}

import { globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { areas } from '../../src/areas/index.ts';
import { defaultInventory } from '../../playground/service/state/inventory.ts';
import { startLocalService } from '../../playground/service/start-local-service.ts';
import { openFileStage } from '../reported/own-stage.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { until } from '../until.ts';
import { createServiceClient } from './service-client.ts';

const root = join(import.meta.dirname, '../..');
const apiKey = 'key-beside-bellhop';

/**
 * Copies the operations of an area as a user's own files, under the name of another area. Its client, with the HTTP
 * code, is not copied.
 */
function copyArea(area: string, folder: string): void {
  const from = join(root, 'src/areas', area);
  const copied = (text: string): string =>
    text
      .replaceAll(/'(?:\.\.\/)+bellhop\/bellhop\.ts'/gu, "'bellhop'")
      .replaceAll(/'\.\.?\/client\//gu, `'${from}/client/`)
      .replaceAll(new RegExp(`(['"\`])${area}\\.(?=[a-z])`, 'gu'), `$1my${area}.`)
      .replaceAll(new RegExp(`/${area} (?=[a-z])`, 'gu'), `/my${area} `);
  for (const file of globSync('**/*.ts', { cwd: from, exclude: ['client/**', 'index.ts'] })) {
    mkdirSync(join(folder, file, '..'), { recursive: true });
    writeFileSync(join(folder, file), copied(readFileSync(join(from, file), 'utf8')));
  }
  const index = readFileSync(join(from, 'index.ts'), 'utf8');
  const operations = [...index.matchAll(/^import (\{[^}]+\}) from '(\.\/(?!client)[^']+)';/gmu)];
  const lines = operations.map(([, names, file]) => `export ${names} from '${file}';\n`);
  writeFileSync(join(folder, 'operations.ts'), lines.join(''));
}

async function openBeside(area: string) {
  const folder = temporaryFolder();
  const copy = join(folder, 'mine');
  mkdirSync(copy);
  copyArea(area, copy);
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  const service = await startLocalService({
    port: 0,
    dataDir: join(folder, 'service'),
    apiKey,
    inventory: defaultInventory,
  });
  onTestFinished(() => service.close());
  const client = createServiceClient({ baseUrl: service.url, apiKeys: () => [apiKey] });
  onTestFinished(() => client.close());
  const text = `operations: [./mine/operations.ts]
project: 1186668
region: 76
extensions: [instance-read, instance-list, cdn-purge, event-changes]
instances: { web-1: { id: 6c6aa80f-7836-4dc2-a2ae-125e248be476 } }
roles: { all: { users: [U0ALICE] } }
rules: [{ risk: [read, destructive, change], roles: [all], then: confirm }]
`;
  return { client, stage: await openFileStage({ text, folder, service: client }) };
}

const lines: Readonly<
  Record<string, { readonly read: string; readonly shows: string; readonly change: string }>
> = {
  cloud: { read: '/mycloud show web-1', shows: 'Instance web-1', change: '/mycloud reboot web-1' },
  cdn: { read: '/mycdn capacity DE', shows: 'CDN capacity of 1 country', change: '/mycdn purge 1001 /a.css' },
  storage: {
    read: '/mystorage events',
    shows: 'Storage events',
    change: '/mystorage change reaching_used_space --bucket videos --storage media --bytes 9TB',
  },
};

it.each(areas.map(({ name }) => name))(
  'the operations of %s work as a file beside bellhop.yaml',
  async (area) => {
    const { stage, client } = await openBeside(area);
    const { read = '', shows, change = '' } = lines[area] ?? {};
    expect(await stage.ask(read)).toMatchObject({ kind: 'report', report: { title: shows } });
    const request = await stage.propose('alice', change);
    await stage.click('alice', request, 'confirm');
    // The service purges in the background.
    if (area !== 'cdn') await stage.becomes(request, 'succeeded');
    else
      await until(async () => (await client.listPurges({}, { correlationId: 'c-purged' })).value[0]?.status);
    expect(await stage.find(request)).toMatchObject({ operation: change.slice(1).split(' ', 2).join('.') });
  },
);

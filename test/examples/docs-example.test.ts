import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { openFileStage } from '../reported/own-stage.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { change, settled } from './example-stage.ts';
import { type Answer, type Fault, serveStandIn } from './stand-in.ts';

const docs = readFileSync(join(import.meta.dirname, '../../docs/own-operations.md'), 'utf8');
const blocksAfter = (heading: string, language: string): readonly string[] => {
  const [, section = ''] = docs.split(`\n${heading}\n`);
  return [...section.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gsu'))].map(
    ([, code = '']) => code,
  );
};

/** The load balancer that the page describes. */
function balancer(): Answer {
  const changes: { id: string; comment: unknown }[] = [];
  return ({ method, path, body }) => {
    if (method === 'PUT' && path === '/servers/web-1/drain') {
      const comment = typeof body === 'object' && body !== null && 'comment' in body ? body.comment : '';
      changes.push({ id: `c-${changes.length + 1}`, comment });
      return { status: 200, body: { connections: 3 } };
    }
    if (path === '/servers/web-1')
      return { status: 200, body: { state: changes.length > 0 ? 'draining' : 'up' } };
    return path === '/servers/web-1/changes' ? { status: 200, body: changes } : { status: 404 };
  };
}

async function open() {
  const service = await serveStandIn(balancer());
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'operations'));
  const [first = ''] = blocksAfter('## 1. Write the operation', 'ts');
  const [more = ''] = blocksAfter('### Settle an unknown outcome', 'ts');
  writeFileSync(join(folder, 'operations/lb.ts'), first.replace(/\}\);\n$/u, `${more}});\n`));
  const [yaml = ''] = blocksAfter('## 2. Add it to bellhop.yaml', 'yaml');
  const text = yaml.replace('https://lb.example.com/front', service.address);
  const secrets = { BELLHOP_SECRET_LB: 'token-of-the-balancer' };
  return { service, stage: await openFileStage({ text, folder, secrets }) };
}

describe('the example of docs/own-operations.md', () => {
  it('drains a server', async () => {
    const { service, stage } = await open();
    expect((await change(stage, '/lb drain front web-1', service)).state).toBe('succeeded');
  });

  it.each<[fault: Fault, state: string]>([
    [{ end: 'resets', effect: true }, 'succeeded'],
    [{ end: 500, effect: true }, 'succeeded'],
    [{ end: 409, effect: true }, 'succeeded'],
    [{ end: 500, effect: false }, 'unknown'],
  ])('that ends with %o is unknown, and then %s', async (fault, state) => {
    const { service, stage } = await open();
    service.fault = fault;
    const request = await change(stage, '/lb drain front web-1', service);
    expect(request.state).toBe('unknown');
    expect((await settled(stage, request, { marked: true })).state).toBe(state);
  });
});

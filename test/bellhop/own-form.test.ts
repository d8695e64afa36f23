import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { completionsFor } from '../../src/run/completions.ts';
import { faultsOf, planOf } from '../../src/run/forms.ts';
import { runTypedCommand, submitForm } from '../../src/run/run-command.ts';
import { callerOf } from '../core.ts';
import { alice, bob } from '../people.ts';
import { openFileStage } from '../reported/own-stage.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const file = `import { durationText, itemCount, nameOf, numberOption, operation, z } from 'bellhop';
const pool = z.string().max(60).describe('The pool.').meta({ positional: true, target: 'pool' });
export const list = operation({
  name: 'lb.servers', summary: 'List the servers.', risk: 'read', input: z.strictObject({ pool }),
  run: () => ['web-1', 'web-2'], report: (all) => ({ title: itemCount(all.length, 'server') }),
});
export const tune = operation({
  name: 'lb.tune', summary: 'Change the limits of a server.', risk: 'change',
  formOnly: true, startsFromLast: true,
  input: z.strictObject({
    pool,
    server: nameOf('a server').describe('The server.'),
    mode: z.enum(['fixed', 'none']).describe('The mode.'),
    limit: numberOption().describe('The limit.'),
    for: durationText.default(60000).describe('How long.'),
  }),
  examples: ['/lb tune front'],
  form: ({ mode }) => ({ fields: ['pool', 'server', 'mode', ...(mode === 'fixed' ? ['limit'] : [])], redraw: ['mode'], required: ['limit'] }),
  faults: async ({ limit, server }, { earlier }) => {
    const last = (await earlier()).find((one) => one.input.server === server);
    return last && Number(limit) > 2 * Number(last.input.limit)
      ? [{ field: 'limit', text: 'Limit: more than twice ' + last.input.limit + ' of ' + last.id }] : [];
  },
  lookUp: {
    field: 'server', listedBy: 'lb.servers',
    find: async (typed, { inventory }) => Array.from({ length: 120 }, (_, at) => ({ name: 'web-' + (at + 1), about: Object.keys(inventory.targets.pool)[0] }))
      .filter(({ name }) => name.includes(typed)),
  },
  preview: async (_input, _target, { earlier }) => [{ label: 'Earlier', value: String((await earlier()).length) }],
  run: () => undefined,
});
`;

const yaml = `operations: [./lb.ts]
targets: { pool: { front: { labels: {} }, back: { labels: { tier: b } } } }
roles: { responders: { users: [U0ALICE] }, helpers: { users: [U0BOB] } }
rules:
  - { operations: ['*'], roles: [responders], then: confirm }
  - { operations: ['*'], roles: [helpers], labels: { tier: b }, then: confirm }
`;

it('an operation of your own has a form that follows what is entered, and begins with the last input of its target', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'lb.ts'), file);
  const stage = await openFileStage({ text: yaml, folder });
  const { context } = stage;
  const caller = callerOf(alice);
  const entry = context.registry.find('lb.tune');
  if (!entry) throw new Error('it is not loaded');
  const input = { pool: 'front', server: 'web-1', mode: 'fixed', limit: 10 };
  const begin = (line: string) => runTypedCommand(context, caller, 'lb', line);

  expect(await begin('tune front')).toMatchObject({
    kind: 'form',
    values: { pool: 'front' },
    source: undefined,
  });
  expect((await planOf(context, caller, entry, { mode: 'none' }))?.fields).not.toContain('limit');
  expect((await planOf(context, caller, entry, input))?.fields).toContain('limit');
  expect(await faultsOf(context, entry, input)).toEqual([]);
  expect(await faultsOf(context, entry, { ...input, server: '' })).toMatchObject([{ field: 'server' }]);

  const found = await completionsFor(context, caller, entry, 'server', 'web-1');
  expect(found.length).toBeLessThanOrEqual(100);
  expect(found[0]).toEqual({ name: 'web-1', about: 'front' });

  const answer = await submitForm(context, caller, 'lb.tune', input, {});
  if (answer.kind !== 'request') throw new Error(`the form came to a ${answer.kind}`);
  const { request } = answer;
  await stage.click('alice', request, 'confirm');
  await stage.becomes(request, 'succeeded');
  expect(await begin('tune front')).toMatchObject({
    kind: 'form',
    values: input,
    source: { id: request.id },
  });
  expect(await begin('tune back')).toMatchObject({
    kind: 'form',
    values: { pool: 'back' },
    source: undefined,
  });
  // Bob may open the form, for another target, but not make this change.
  expect(await runTypedCommand(context, callerOf(bob), 'lb', 'tune front')).toMatchObject({
    kind: 'form',
    values: { pool: 'front' },
    source: undefined,
  });
  expect(await faultsOf(context, entry, { ...input, limit: 21 })).toEqual([
    { field: 'limit', text: `Limit: more than twice 10 of ${request.id}` },
  ]);
});

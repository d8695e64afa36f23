import { describe, expect, it, vi } from 'vitest';

import { completionsFor } from '../../../src/run/completions.ts';
import { openStage, sampleRules, type ServiceStage } from '../../operations/stage.ts';
import { alice } from '../../people.ts';

const place = { team: 'T0LOCAL', channel: 'C0OPS' };
const caller = { actor: alice, place, correlationId: 'c' };

const suggested = async (stage: ServiceStage, typed: string) =>
  (await completionsFor(stage.context, caller, stage.entry('cloud.reboot'), 'instance', typed)).map(
    ({ name, title, about }) =>
      [title, name, about].join(' | ').replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f-]+/gu, '<id>'),
  );

describe('names of instances', () => {
  it('are those of the inventory, then those that only the service has, of every region', async () => {
    const stage = await openStage();
    expect(await suggested(stage, 'e')).toMatchInlineSnapshot(`
      [
        " | web-1 | staging, web · Luxembourg-2",
        " | web-2 | staging, web · Luxembourg-2",
        " | web-3 | staging, web · Luxembourg-2",
        "edge-cache-1 | 1186668/76/<id> | ACTIVE · not in bellhop.yaml",
        "mail-relay | 1186668/76/<id> | ACTIVE · not in bellhop.yaml",
        "ci-runner-7 | 1186668/76/<id> | ACTIVE · not in bellhop.yaml",
        "edge-cache-2 | 1186668/180/<id> | ACTIVE · not in bellhop.yaml",
        "search-1 | 1186668/180/<id> | ACTIVE · not in bellhop.yaml",
        "search-2 | 1186668/180/<id> | ACTIVE · not in bellhop.yaml",
        "legacy-ftp | 1186668/180/<id> | ERROR · not in bellhop.yaml",
        "vpn-gateway | 1186668/180/<id> | ACTIVE · not in bellhop.yaml",
      ]
    `);
    expect(await suggested(stage, 'batch')).toEqual([
      'batch-3 | 1186668/76/<id> | SHUTOFF · not in bellhop.yaml',
    ]);
  });

  it('are described once for an inventory of thousands, in turns, not with each letter typed', async () => {
    const { inventory } = sampleRules;
    const one = { id: '6c6aa80f-7836-4dc2-a2ae-125e248be476', labels: { env: 'staging' } };
    const instances = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, at) => [`host-${at}`, { ...one, id: `${at}-host` }]),
    );
    const stage = await openStage({ inventory: { ...inventory, instances }, extensions: [] });
    const target = vi.spyOn(stage.entry('cloud.reboot').operation, 'target');
    let turns = 0;
    let counting = true;
    const count = (): void => {
      turns += 1;
      if (counting) setImmediate(count);
    };
    setImmediate(count);
    const [first, second] = await Promise.all([suggested(stage, 'host-77'), suggested(stage, 'GING')]);
    counting = false;
    expect(turns).toBeGreaterThan(50);
    expect(first.slice(0, 2)).toEqual([
      ' | host-77 | staging · Luxembourg-2',
      ' | host-770 | staging · Luxembourg-2',
    ]);
    expect(second).toHaveLength(100);
    expect(target).toHaveBeenCalledTimes(10_000);
    target.mockRestore();
  });

  it('ask the service once for what was typed, and again half a minute later', async () => {
    const stage = await openStage();
    await Promise.all([suggested(stage, 'web'), suggested(stage, 'WEB')]);
    await suggested(stage, 'web');
    expect(await stage.sent('listInstances')).toBe(2);
    await stage.clock.advance(30_001);
    await suggested(stage, 'web');
    expect(await stage.sent('listInstances')).toBe(2);
  });

  it('are those of the inventory alone if the service fails, or has no list', async () => {
    const stage = await openStage();
    await stage.control('PUT', 'faults/listInstances', { status: 400 });
    expect(await suggested(stage, 'web')).toHaveLength(3);
    const without = await openStage({ extensions: ['instance-actions'] });
    expect(await suggested(without, 'e')).toHaveLength(3);
    expect(await without.sent()).toBe(0);
  });

  it('that only the service knows are listed with the text to type, and keep the stricter rule', async () => {
    const stage = await openStage();
    const said = await stage.refusal('/cloud reboot batch-3');
    const [typed = ''] = /1186668\/76\/[0-9a-f-]+/u.exec(said) ?? [];
    expect(said.replace(typed, '<typed>')).toBe(
      'bellhop.yaml lists no instance “batch-3”. Use a name from bellhop.yaml, or project/region/id. ' +
        'The service has batch-3 (type <typed>).',
    );
    expect(await stage.ask(`/cloud start ${typed}`)).toMatchObject({
      request: { state: 'awaiting approval', target: { labels: {} } },
    });
  });
});

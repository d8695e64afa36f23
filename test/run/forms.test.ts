import { describe, expect, it } from 'vitest';

import { faultsOf } from '../../src/run/forms.ts';
import { completionsFor } from '../../src/run/completions.ts';
import { rule } from './sample-boxes.ts';
import { entry, inventory, registry } from './sample-registry.ts';
import { callerOf, coreFor } from '../core.ts';
import { people, peopleDirectory, roles } from '../people.ts';

const { context } = coreFor({
  registry,
  directory: peopleDirectory,
  rulebook: {
    inventory,
    policy: { roles, rules: [rule('confirm', { roles: ['responders'] })], freeze: [], hash: '' },
  },
});

const asked = (who: keyof typeof people, typed: string) =>
  completionsFor(context, callerOf(people[who]), entry('cloud.reboot'), 'instance', typed);

describe('a form', () => {
  it('says what is wrong with each field, in its own words', async () => {
    expect(await faultsOf(context, entry('cdn.metrics'), { names: [], every: '1w', minShare: 'half' }))
      .toMatchInlineSnapshot(`
        [
          {
            "field": "names",
            "text": "Names needs at least one value.",
          },
          {
            "field": "every",
            "text": "Every must be one of 1m, 1h, 1d.",
          },
          {
            "field": "minShare",
            "text": "Min share must be a number.",
          },
        ]
      `);
    expect(
      await faultsOf(context, entry('cdn.raw-logs'), {
        enabled: true,
        storageType: 's3',
        folders: [{ bucket: 7 }],
      }),
    ).toMatchInlineSnapshot(`
      [
        {
          "cell": {
            "column": "bucket",
            "row": 0,
          },
          "field": "folders",
          "text": "Bucket must be text.",
        },
      ]
    `);
    expect(await faultsOf(context, entry('cloud.reboot'), { instance: 'web-1' })).toEqual([]);
  });

  it('says that its target is not there, at the field that names it', async () => {
    expect(await faultsOf(context, entry('cloud.reboot'), { instance: 'wbe-1' })).toEqual([
      {
        field: 'instance',
        text: 'bellhop.yaml lists no instance “wbe-1”. Did you mean “web-1”?',
      },
    ]);
  });

  it('never repeats what was entered where a secret is expected', async () => {
    const values = { enabled: true, storageType: 's3', s3_secret_key: ['wJalrXUtnFEMI'] };
    expect(JSON.stringify(await faultsOf(context, entry('cdn.raw-logs'), values))).not.toContain('wJalr');
  });

  it('suggests names to those who may use it, and to no one else', async () => {
    const named = async (typed: string) => (await asked('alice', typed)).map(({ name }) => name);
    expect(await named('W')).toEqual(['web-1', 'web-2']);
    expect(await named(' 1 ')).toEqual(['db-1', 'web-1']);
    expect(await asked('alice', 'none')).toEqual([]);
    expect(await named('luxem')).toEqual(['web-1', 'web-2']);
    expect(await asked('alice', 'web-1')).toEqual([{ name: 'web-1', about: 'staging, web · Luxembourg-2' }]);
    await expect(asked('bob', 'w')).rejects.toThrow('You have no role that may run /cloud reboot.');
  });
});

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { type CommandResult, runTypedCommand, submitForm } from '../../src/run/run-command.ts';
import { BellhopError, ServiceError } from '../../src/model/values/errors.ts';
import { DeniedError } from '../../src/policy/denied.ts';
import { openBoxes, rule, type BoxStage } from './sample-boxes.ts';
import { inventory, registry } from './sample-registry.ts';
import { callerOf, coreFor } from '../core.ts';
import { bob, people, peopleDirectory, type Who } from '../people.ts';

let stage: BoxStage;
beforeEach(async () => {
  stage = await openBoxes();
});
afterEach(() => stage.close());

const asked = (who: Who, text: string, on: BoxStage = stage): Promise<CommandResult> =>
  runTypedCommand(on.context, callerOf(people[who]), 'box', text);

const form = (values: Record<string, unknown>, options = {}) =>
  submitForm(stage.context, callerOf(people.alice), 'box.kick', values, options);

const refusal = async (asking: Promise<unknown>): Promise<BellhopError> => {
  const error = await asking.catch((thrown: unknown) => thrown);
  return error instanceof BellhopError ? error : expect.fail('it was not refused');
};

const lastEntry = async () => {
  const [entry] = await stage.store.audit({ limit: 1 });
  return entry;
};

describe('a look', () => {
  it('is answered at once, with one entry', async () => {
    expect(await asked('bob', 'look web-1')).toMatchObject({
      kind: 'report',
      report: { title: 'A box', headline: 'a look at web-1 moved' },
      words: '/box look web-1',
    });
    expect(await stage.store.audit({ limit: 9 })).toHaveLength(1);
    expect(await lastEntry()).toMatchObject({
      event: 'read',
      actor: bob,
      place: { channel: 'C0OPS' },
      operation: 'box.look',
      input: { box: 'web-1' },
      target: { name: 'web-1', key: 'instance:1/2/id-1', labels: { env: 'staging' } },
      decision: 'allow',
      rule: 'rule 1',
      outcome: 'answered',
      policyHash: 'policy',
    });
  });

  it('that fails has one entry too', async () => {
    const details = { method: 'GET', path: '/box' };
    stage.service.kick = () => Promise.reject(new ServiceError('rejected', 'no such box', details));
    expect((await refusal(asked('bob', 'look web-1'))).message).toBe('no such box');
    expect(await stage.store.audit({ limit: 9 })).toMatchObject([
      { event: 'read', outcome: 'failed', error: 'rejected' },
    ]);
  });

  it('is given up when its time is over, and can be tried again', async () => {
    stage.rulebook = { ...stage.rulebook, readTimeoutMs: 4_000 };
    const asking = Promise.withResolvers<void>();
    stage.service.kick = () => {
      asking.resolve();
      return new Promise(() => undefined);
    };
    const looking = refusal(asked('bob', 'look web-1'));
    await asking.promise;
    await stage.clock.advance(4_000);
    const { message, retryable } = await looking;
    expect([message, retryable]).toEqual([
      'The service is not answering. Bellhop is fine. No answer came within 4 s.',
      true,
    ]);
    expect(stage.clock.waiting()).toBe(0);
    expect(await lastEntry()).toMatchObject({ event: 'read', outcome: 'failed' });
  });

  it('whose answer cannot be shown is on record as failed', async () => {
    stage.service.kick = () => Promise.resolve(7 as unknown as string);
    await expect(asked('bob', 'look web-1')).rejects.toThrow('expected string');
    expect(await stage.store.audit({ limit: 9 })).toMatchObject([
      { event: 'read', outcome: 'failed', error: 'unexpected' },
    ]);
  });

  it('is answered also where nothing can be recorded: nothing changes by it', async () => {
    const full = stage.another({ ...stage.store, record: () => Promise.reject(new Error('full')) });
    expect(await asked('bob', 'look web-1', full)).toMatchObject({ kind: 'report' });
    expect(full.logged).toEqual(['audit entry not recorded']);
  });
});

describe('a refusal', () => {
  it('says which rule, and who may instead, and is on record', async () => {
    const error = await refusal(asked('bob', 'kick db-1'));
    expect(error).toBeInstanceOf(DeniedError);
    expect(error).toMatchObject({
      code: 'denied',
      message: 'You have no role that may kick db-1. Nothing was done.',
      rule: 'no rule',
      whoMay: {
        roles: ['responders', 'leads'],
        users: ['U0ALICE', 'U0GINA', 'U0DORA', 'U0UWE', 'T0OTHER/U0SARA', 'U0CAROL', 'U0LEE'],
        usergroups: ['S0ONCALL'],
        channels: [],
      },
    });
    expect(await lastEntry()).toMatchObject({
      event: 'denied',
      decision: 'deny',
      rule: 'no rule',
      operation: 'box.kick',
      target: { name: 'db-1', labels: { env: 'production' } },
      actor: { user: 'U0BOB' },
    });
    expect(stage.service.kicks).toEqual([]);
  });

  it('of a form is on record too', async () => {
    stage.rules([rule('allow', { risk: ['read'], roles: ['anyone'] })]);
    expect((await refusal(asked('bob', 'kick'))).code).toBe('denied');
    expect(await lastEntry()).toMatchObject({
      event: 'denied',
      operation: 'box.kick',
      actor: { user: 'U0BOB' },
    });
    expect(await asked('bob', 'look')).toMatchObject({ kind: 'form', values: {} });
  });

  it.each([
    ['of words that are no command', 'kik web-1', 'unknown-command', '/box'],
    ['of an option that is unknown', 'kick web-1 --force', 'bad-input', '/box'],
    ['of a target that is unknown', 'kick web-9', 'unknown-target', 'box.kick'],
    ['of a reason that is too long', `kick web-1 --reason ${'x'.repeat(501)}`, 'bad-input', 'box.kick'],
    [
      'of a break-glass that is too long',
      `kick web-1 --reason a --break-glass ${'x'.repeat(501)}`,
      'bad-input',
      'box.kick',
    ],
  ])('%s is on record, without what was typed', async (_, text, code, operation) => {
    expect((await refusal(asked('alice', text))).code).toBe(code);
    const entry = await lastEntry();
    expect(entry).toMatchObject({ event: 'invalid', actor: { user: 'U0ALICE' }, operation, error: code });
    expect(entry).not.toHaveProperty('input');
    expect(await stage.store.list({ limit: 1 })).toEqual([]);
  });

  it('of invisible characters holds for forms too', async () => {
    expect((await refusal(form({ box: 'web\u202E-1' }))).message).toContain('invisible');
    expect((await refusal(form({ box: 'web-1' }, { reason: 'harmless\u0007' }))).message).toContain(
      'invisible',
    );
    expect(await form({ box: 'web-1' }, { reason: 'two\nlines' })).toMatchObject({ kind: 'request' });
  });

  it('of a secret in the place of its name, without repeating or recording it', async () => {
    const recorded: unknown[] = [];
    const { context } = coreFor({
      registry,
      directory: peopleDirectory,
      rulebook: {
        inventory,
        policy: { roles: {}, rules: [rule('confirm', { roles: ['anyone'] })], freeze: [], hash: '' },
      },
      store: {
        ...stage.store,
        record: (drafts) => stage.store.record(drafts).finally(() => recorded.push(...drafts)),
      },
    });
    const values = { enabled: true, storageType: 's3', s3_secret_key: 'wJalrXUtnFEMI' };
    const error = await refusal(submitForm(context, callerOf(people.bob), 'cdn.raw-logs', values, {}));
    expect(error.message).toContain('never the secret itself');
    expect(JSON.stringify([error.message, recorded])).not.toContain('wJalr');
    expect(recorded).toMatchObject([{ event: 'invalid', operation: 'cdn.raw-logs' }]);
    const named = { ...values, s3_secret_key: 'secret:log-bucket' };
    expect(await submitForm(context, callerOf(people.bob), 'cdn.raw-logs', named, {})).toMatchObject({
      kind: 'request',
    });
  });

  it('of values that no form has', async () => {
    const ask = submitForm(
      stage.context,
      callerOf(people.alice),
      'box.kick',
      { box: 'web-1', forged: 'x' },
      {},
    );
    expect((await refusal(ask)).message).toContain('forged');
    const none = submitForm(stage.context, callerOf(people.alice), 'box.smash', {}, {});
    expect(await refusal(none)).toMatchObject({
      code: 'unknown-command',
      message: 'Unknown operation “box.smash”.',
    });
  });

  it('happens only with its record: if the log is full, nothing is run either', async () => {
    const full = stage.another({ ...stage.store, record: () => Promise.reject(new Error('full')) });
    await expect(asked('bob', 'kick db-1', full)).rejects.toThrow('full');
    expect(stage.service.kicks).toEqual([]);
  });
});

describe('help', () => {
  it('lists the operations that the caller may run here, and explains one in full', async () => {
    expect(await asked('bob', '')).toMatchObject({
      kind: 'report',
      report: { title: '/box', facts: [{ label: '/box look <box>' }] },
    });
    expect(await asked('alice', 'help')).toMatchObject({ report: { facts: [{}, {}, {}] } });
    expect(await asked('gus, a guest', '')).toMatchObject({ report: { facts: [] } });
    expect(await asked('bob', 'kick --help')).toMatchObject({ report: { title: '/box kick' } });
  });
});

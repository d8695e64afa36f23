import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { z } from 'zod';

import { BellhopError } from '../../../src/model/values/errors.ts';
import { createLogger } from '../../../src/app/process/logger.ts';

const line = z.record(z.string(), z.unknown());
let written = '';

beforeEach(() => {
  written = '';
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    written += String(text);
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
});

const log = createLogger({
  level: 'info',
  replica: 'one',
  mask: (text) => text.replaceAll('hunter2', '••••'),
  correlationId: () => 'c-1',
});

const logged = (fields: object): Readonly<Record<string, unknown>> => {
  log.info(fields, 'a payload');
  return line.parse(JSON.parse(written));
};

it('the log writes a JSON line with the fields, who wrote it and what it belongs to', () => {
  const at = new Date(0);
  const { time, ...rest } = logged({
    kind: 'command',
    ms: 3,
    list: [1, { two: null }],
    at,
    gone: undefined,
  });
  expect(Date.parse(String(time))).toBeGreaterThan(0);
  expect(rest).toEqual({
    level: 'info',
    app: 'bellhop',
    replica: 'one',
    correlationId: 'c-1',
    kind: 'command',
    ms: 3,
    list: [1, { two: null }],
    at: at.toISOString(),
    msg: 'a payload',
  });
});

it('the logger hides secrets by name, in objects and lists and errors, and by value', () => {
  const secret = { token: 't', nested: { authorization: 'a', list: [{ password: 'p', user: 'u' }] } };
  expect(logged({ apiKey: 'k', secret: ['s'], text: 'is hunter2', request: secret })).toMatchObject({
    apiKey: '••••',
    secret: '••••',
    text: 'is ••••',
    request: { token: '••••', nested: { authorization: '••••', list: [{ password: '••••', user: 'u' }] } },
  });
  expect(secret.token).toBe('t');
});

it.each(['err', 'problem'])(
  'the log writes an error as %s with its stack and its cause, without their secrets and what they carry',
  (name) => {
    const cause = Object.assign(new Error('reset'), { headers: { authorization: 'a', host: 'h' } });
    const error = Object.assign(new TypeError('not sent', { cause }), { api_key: 'k', status: 503 });
    const shown = line.parse(logged({ [name]: error })[name]);
    expect(shown).toMatchObject({
      type: 'TypeError',
      message: 'not sent',
      api_key: '••••',
      status: 503,
      cause: { message: 'reset' },
    });
    expect(JSON.stringify(shown)).not.toContain('headers');
    expect(shown['stack']).toContain('logger.test.ts');
  },
);

it('the log writes only the id of a request that an error carries, and nothing that quotes what was typed', () => {
  const request = { id: 'r-1', words: '/cloud reboot typed-words', reason: 'typed reason' };
  const cause = Object.assign(new Error('duplicate key'), {
    code: '23505',
    detail: 'Key (reason)=(typed reason)',
  });
  const error = Object.assign(new BellhopError('busy', 'typed-words is in the way', { cause }), {
    other: request,
    findings: ['typed-words'],
  });
  const { err } = logged({ err: error });
  expect(err).toMatchObject({ type: 'BellhopError', message: 'busy', code: 'busy', other: 'r-1' });
  expect(err).toMatchObject({ cause: { message: 'duplicate key', code: '23505' } });
  expect(line.parse(err)['stack']).toContain('logger.test.ts');
  expect(written).not.toContain('typed');
});

it('the log takes an object that contains itself', () => {
  const around: Record<string, unknown> = { kind: 'loop' };
  around['itself'] = around;
  expect(logged({ around })['around']).toMatchObject({ kind: 'loop' });
});

import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';

import { consoleToLog, createLogger } from '../../src/app/process/logger.ts';
import { createRedactor } from '../../src/command/redactor.ts';
import { shown } from './own-stage.ts';
import { balancers, change, key } from './balancers.ts';

/** Expects that the text contains no eight successive characters of the secret. */
function expectHidden(text: string, secret = key): void {
  for (let at = 0; at + 8 <= secret.length; at += 1) expect(text).not.toContain(secret.slice(at, at + 8));
}

describe('a secret that the operation knows', () => {
  it.each([
    'throws',
    'refuses',
    'json',
    'cut',
    'cut-refusal',
    'changes-error',
    'report-throws',
    'fine',
    'fine --each x=y',
  ])('is masked in the answer to a read that ends as %s', async (how) => {
    const stage = await balancers();
    const said = await shown(stage.ask(`/lb look front ${how}`));
    expect(said).toMatch(how.includes('each') ? /each/u : /••••/u);
    expectHidden(said);
  });

  it.each(['preview-throws', 'preview-wrong'])('is masked if a change ends as %s', async (how) => {
    const stage = await balancers();
    const said = await shown(stage.ask(`/lb drain front ${how}`));
    expect(said).toContain('••••');
    expectHidden(said);
  });

  it.each(['throws', 'fine'])('is masked in the request of a change that ends as %s', async (how) => {
    const stage = await balancers();
    const said = JSON.stringify(await change(stage, `/lb drain front ${how}`));
    expect(said).toContain('••••');
    expectHidden(said);
  });
});

describe('what a file prints', () => {
  it('is in the log with its operation, and secrets are masked', async () => {
    const stage = await balancers();
    const saved = { ...console };
    const written: string[] = [];
    const keep = (text: unknown): boolean => written.push(String(text)) > 0;
    for (const stream of [process.stdout, process.stderr]) vi.spyOn(stream, 'write').mockImplementation(keep);
    onTestFinished(() => {
      vi.restoreAllMocks();
      Object.assign(console, saved);
    });
    const options = { level: 'debug', replica: 'a', correlationId: () => undefined };
    consoleToLog(createLogger({ ...options, mask: (text) => stage.context.redact(text) }));
    await stage.ask('/lb look front prints');
    const lines = written.filter((line) => line.includes('••••'));
    const operations = lines.map((line) => z.object({ operation: z.string() }).parse(JSON.parse(line)));
    expect(operations).toEqual(Array.from({ length: 10 }, () => ({ operation: 'lb.look' })));
    expectHidden(written.join(''));
  });
});

describe('a part of a secret', () => {
  it.each<[what: string, secret: string, part: string]>([
    [
      'a member of a service account of Google',
      '{"type":"service_account","private_key_id":"5f1c9b2e7a","client_email":"bot@example.iam"}',
      '5f1c9b2e7a',
    ],
    ['a nested member', '{"auths":{"registry.example.com":{"auth":"Ym90OmdsaG9zdA=="}}}', 'Ym90OmdsaG9zdA=='],
    ['a number in JSON', '{"pin":4719283746}', '4719283746'],
    ['the password of a PostgreSQL URL', 'postgres://orders:correct-horse@db/orders', 'correct-horse'],
    ['a password that is encoded in a URL', 'amqp://bot:p%40ss-w0rd!@mq:5672/%2f', 'p@ss-w0rd!'],
    ['the query of a webhook', 'https://hooks.example.com/run?sig=a1b2c3d4e5f6', 'a1b2c3d4e5f6'],
    ['the password of login:password', 'admin:battery-staple', 'battery-staple'],
    ['a password with a colon', 'admin:battery:staple-9', 'battery:staple-9'],
    ['the password of libpq', "host=db user=bot password='cor rect-horse' port=5432", 'cor rect-horse'],
    ['the password of ADO.NET', 'Server=db;User=bot;Password=Correct-H0rse;Encrypt=true', 'Correct-H0rse'],
    ['the password of a Go MySQL address', 'bot:c0rrect-h@rse@tcp(db:3306)/orders', 'c0rrect-h@rse'],
    ['a line of an .env file', 'API_TOKEN=tok-8841aa90\nREGION=eu', 'tok-8841aa90'],
    ['the token of a kubeconfig', 'user:\n  token: eyJhbGciOi.abc', 'eyJhbGciOi.abc'],
  ])('%s is masked in an error', (_what, secret, part) => {
    const mask = createRedactor();
    mask.learn(secret);
    expect(mask.redact(`401 for ${part}, refused`)).toBe('401 for ••••, refused');
    expect(mask.redact(`401 at /${encodeURIComponent(part)}/`)).toBe('401 at /••••/');
    expect(mask.holds(part)).toBe(false);
  });

  it.each<[what: string, secret: string, part: string]>([
    ['the token of an Authorization header', 'Bearer tok-8841aa90', 'tok-8841aa90'],
    ['the password of Basic', `Basic ${btoa('admin:battery-staple')}`, 'battery-staple'],
    [
      'the login of a registry, in base64',
      `{"auths":{"r":{"auth":"${btoa('bot:glhost-2024')}"}}}`,
      'glhost-2024',
    ],
    [
      'the token of a webhook of Slack',
      'https://hooks.slack.com/services/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',
      'aB3dE5fG7hI9jK1lM2nO4pQ6',
    ],
    [
      'the token of a private calendar of Google',
      'https://calendar.google.com/calendar/ical/x/private-0a1b2c3d4e5f60718293a4b5c6d7e8f9/basic.ics',
      'private-0a1b2c3d4e5f60718293a4b5c6d7e8f9',
    ],
    [
      'the fragment of an OAuth redirect',
      'https://app.example.com/cb#access_token=tok-8841aa90',
      'tok-8841aa90',
    ],
    [
      'a line of the private key of a service account',
      '{"private_key":"-----BEGIN PRIVATE KEY-----\\nMIIEvQIBADANBgkq\\n-----END PRIVATE KEY-----"}',
      'MIIEvQIBADANBgkq',
    ],
  ])('%s is masked alone, too', (_what, secret, part) => {
    const mask = createRedactor();
    mask.learn(secret);
    expect(mask.redact(`404 at /${part} of it`)).toBe('404 at /•••• of it');
  });

  it.each<[writer: string, text: string]>([
    ['json.dumps of Python', '"p\\u00e4ss/w\'rd&<+=1 x"'],
    ['json_encode of PHP', '"p\\u00e4ss\\/w\'rd&<+=1 x"'],
    ['encoding/json of Go', '"päss/w\'rd\\u0026\\u003c+=1 x"'],
    ['Gson', '"päss/w\\u0027rd\\u0026\\u003c+\\u003d1 x"'],
    ['System.Text.Json', '"p\\u00E4ss/w\\u0027rd\\u0026\\u003C\\u002B=1 x"'],
    ['rawurlencode of PHP', 'p%C3%A4ss%2Fw%27rd%26%3C%2B%3D1%20x'],
    ['url.QueryEscape of Go', 'p%C3%A4ss%2Fw%27rd%26%3C%2B%3D1+x'],
    ['an attribute of HTML', 'päss/w&#39;rd&amp;&lt;+=1 x'],
  ])('as %s writes it is masked', (_writer, text) => {
    const mask = createRedactor();
    mask.learn("päss/w'rd&<+=1 x");
    expect(mask.redact(`at ${text}`)).toMatch(/^at "?••••"?$/u);
  });

  it('that is an ordinary part of a path stays', () => {
    const mask = createRedactor();
    mask.learn('https://u:correct-horse@lb.example.com/api/public-calendars/v2');
    expect(mask.redact('no public-calendars in /api')).toBe('no public-calendars in /api');
  });

  it('of less than eight characters stays, because it may be an ordinary word', () => {
    const mask = createRedactor();
    mask.learn('{"user":"orders","port":"5432"}');
    expect(mask.redact('orders on 5432')).toBe('orders on 5432');
  });
});

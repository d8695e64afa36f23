import { describe, expect, test } from 'vitest';
import { readServiceReason } from '../../src/service/errors/service-failure.ts';
import { clipLine } from '../../src/text/words.ts';

const read = (body: string, mask = (text: string) => text) =>
  readServiceReason({ kind: 'answer', status: 400, headers: {}, body: Buffer.from(body) }, mask);

describe('the reason of an error', () => {
  test.each([
    [
      'of the cloud area',
      '{"exception_class":"NotFoundError","message":"no instance","request_id":"r-7"}',
      'no instance',
      'r-7',
    ],
    ['of the CDN area', '{"status":400,"message":"from is missing"}', 'from is missing', undefined],
    [
      'by field',
      '{"errors":{"ftp_login":["is required"],"folders":["a","b"]}}',
      'ftp_login: is required; folders: a, b',
      undefined,
    ],
    ['of the storage area', '{"error":"exists already"}', 'exists already', undefined],
    ['said twice', '{"message":"Invalid","errors":{"x":["bad"]}}', 'Invalid; x: bad', undefined],
    ['deep inside', '{"error":{"message":"deep"}}', 'deep', undefined],
    ['in plain text', 'go away', 'go away', undefined],
    ['in JSON of another shape', '{"odd":"shape"}', 'odd: shape', undefined],
    [
      'as the title of a page',
      '<html><head><title>Gateway\ntimeout</title></head>',
      'Gateway timeout',
      undefined,
    ],
    ['of a page without title', '<!doctype html><p>x', undefined, undefined],
    ['of an empty body', ' ', undefined, undefined],
    ['with a message that is empty', '{"message":"","error":"the other"}', 'the other', undefined],
    ['with control characters', '{"message":"a\\u0000b\\u202Ec\\r\\nd"}', 'a b c d', undefined],
  ])('%s is read', (_, body, reason, requestId) => {
    expect(read(body)).toMatchObject({ reason, requestId });
  });

  test('is cut at 500 characters, after secrets are hidden and never inside a character', () => {
    const { reason } = read(`${'x'.repeat(495)}hunter2${'💥'.repeat(50)}`, (text) =>
      text.replaceAll('hunter2', '*'),
    );
    expect(reason).toBe(`${'x'.repeat(495)}*💥…`);
    expect(clipLine('ab💥💥', 4)).toBe('ab…');
  });
});

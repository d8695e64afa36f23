import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';

import { describe, expect, it } from 'vitest';

import { openSchedule } from '../served-schedule.ts';
import { bytesOf, on, read, roster } from './calendar-files.ts';

describe('a file', () => {
  read([
    ['with two changes of one shift, the newer one first', 'newer-change-first.ics', roster, on('carol')],
    ['with a remark after its end', 'remark-after-the-end.ics', 'WP Super Cache', on('alice')],
  ]);
});

describe('answers of a calendar server', () => {
  const people = { 'zoë müller': 'U0ZOE' };
  const feed = bytesOf('byte-order-mark.ics');
  it.each([
    ['a byte order mark, from Outlook', feed, {}],
    ['gzip unasked, from a cache', gzipSync(feed), { 'content-encoding': 'gzip' }],
    ['a .gz file, from a static host', gzipSync(feed), {}],
    ['Brotli unasked, from a CDN', brotliCompressSync(feed), { 'content-encoding': 'br' }],
    ['deflate unasked', deflateSync(feed), { 'content-encoding': 'deflate' }],
    [
      'ISO-8859-1 and its charset',
      bytesOf('latin-1.ics'),
      { 'content-type': 'text/calendar; charset=ISO-8859-1' },
    ],
    ['UTF-16, from Outlook', Buffer.from(`\uFEFF${feed.toString('utf8').slice(1)}`, 'utf16le'), {}],
    ['a line folded inside a letter, from PHP', bytesOf('folded-in-letter.ics'), {}],
    ['the accents of macOS', Buffer.from(feed.toString('utf8').normalize('NFD')), {}],
  ])('are read with %s', async (_, body, headers) => {
    const { server, onCall, who } = await openSchedule({ people });
    server.answer = { body, headers };
    await onCall.refresh();
    expect(onCall.onCall('primary').problem).toBeUndefined();
    expect(who()).toEqual(['U0ZOE']);
  });

  it.each([
    [
      'a sign-in page',
      '<!DOCTYPE html>\n<html><head>',
      {},
      'something other than a calendar: “<!DOCTYPE html> <html><head>”',
    ],
    ['an error as JSON', '{"error":"gone"}', {}, 'something other than a calendar: “{"error":"gone"}”'],
    ['nothing', '', {}, 'something other than a calendar'],
    ['a part', feed.subarray(0, -10), {}, 'a calendar that is cut off'],
    ['a bomb', gzipSync(Buffer.alloc(50 * 1024 * 1024)), { 'content-encoding': 'gzip' }, 'more than 2 MiB'],
    ['a part of gzip', gzipSync(feed).subarray(0, 50), {}, 'compressed data that is cut off or damaged'],
  ])('with %s are refused by name', async (_, body, headers, problem) => {
    const { server, onCall } = await openSchedule();
    server.answer = { body, headers };
    await onCall.refresh();
    expect(onCall.onCall('primary').problem?.text).toBe(`answered with ${problem}`);
  });
});

import { describe, expect, it } from 'vitest';

import { isAtOrBelow, isLoopback, readHost } from '../../src/text/host.ts';

const spelling = (written: string): string | undefined => {
  const { name, port } = readHost(written) ?? {};
  return port === undefined ? name : `${name}:${port}`;
};

describe('a host', () => {
  it.each([
    ['logs.example.com', 'logs.example.com'],
    ['LOGS.Example.COM', 'logs.example.com'],
    ['logs.example.com.', 'logs.example.com'],
    ['Logs.Example.com.:2121', 'logs.example.com:2121'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['BÜCHER.example', 'xn--bcher-kva.example'],
    ['logs。example。com', 'logs.example.com'],
    ['ｌｏｇｓ.example.com', 'logs.example.com'],
    ['%(bucket)s.S3.example.com.', '%(bucket)s.s3.example.com'],
    ['10.0.0.1', '10.0.0.1'],
    ['10.1', '10.0.0.1'],
    ['0x0a000001', '10.0.0.1'],
    ['2001:DB8:0::1', '[2001:db8::1]'],
    ['[2001:db8::1]:21', '[2001:db8::1]:21'],
  ])('%s is %s, however it is written', (written, spelt) => {
    expect(spelling(written)).toBe(spelt);
  });

  it.each([
    ['nothing', ''],
    ['a scheme', 'ftp://logs.example.com'],
    ['a path', 'logs.example.com/all'],
    ['a user', 'me@logs.example.com'],
    ['a space', 'logs example.com'],
    ['a percent-encoded letter', 'l%6fgs.example.com'],
    ['an empty part', 'logs..example.com'],
    ['two final dots', 'logs.example.com..'],
    ['an invalid port', 'logs.example.com:ftp'],
    ['too long a name', `${'a'.repeat(60)}.`.repeat(5)],
  ])('with %s is not a host', (_, written) => {
    expect(spelling(written)).toBeUndefined();
  });

  it.each([
    ['EU.S3.example.com.:9000', 'S3.Example.com', true],
    ['evils3.example.com', 's3.example.com', false],
    ['%(bucket)s.s3.example.com', 's3.example.com', true],
    ['bücher.example', 'xn--bcher-kva.example', true],
    ['10.0.0.1', '10.0.0.1', true],
    ['1.10.0.0', '10.0.0', false],
    ['evil.net/.s3.example.com', 's3.example.com', false],
  ])('%s is at or below %s: %s', (host, other, is) => {
    expect(isAtOrBelow(host, other)).toBe(is);
  });

  it.each([
    ['http://localhost:1', true],
    ['http://LOCALHOST./', true],
    ['http://127.1/', true],
    ['http://[::1]:4100', true],
    ['http://localhost.example.com', false],
    ['http://127.example.com', false],
    ['http://10.0.0.1', false],
  ])('%s is this machine: %s', (address, is) => {
    expect(isLoopback(new URL(address).hostname)).toBe(is);
  });
});

import { expect, it } from 'vitest';

import { readCommandLine } from '../../../src/command/grammar/command-line.ts';
import { createRegistry } from '../../../src/command/grammar/registry.ts';
import { operations } from '../../../src/operations/index.ts';
import { entry } from '../../run/sample-registry.ts';

const registry = createRegistry(operations, []);

it.each([
  ['reboot web-1', 'cloud', 'reboot web-1'],
  ['cloud reboot web-1', 'cloud', 'reboot web-1'],
  ['/cloud reboot web-1', 'cloud', 'reboot web-1'],
  ['  Reboot  web-1 ', 'cloud', 'Reboot  web-1'],
  ['metrics 5xx --last 1h', 'cdn', 'metrics 5xx --last 1h'],
  ['CDN metrics 5xx', 'cdn', 'metrics 5xx'],
  ['post used_space\n--bucket "a b"', 'storage', 'post used_space\n--bucket "a b"'],
  ['requests', 'bellhop', 'requests'],
  ['help', 'bellhop', 'help'],
  ['--help', 'bellhop', '--help'],
  ['?', 'bellhop', '?'],
  ['cloud', 'cloud', ''],
  ['', 'bellhop', ''],
  // Switched off here: the command itself says so.
  ['list', 'cloud', 'list'],
  // Removed: the command itself says what to use instead.
  ['load web-1', 'cloud', 'load web-1'],
])('%j is /%s %s', (line, area, text) => {
  expect(readCommandLine(registry, line)).toEqual({ area, text });
});

it.each([
  ['rebot web-1', 'Unknown command “rebot”. Did you mean “reboot”?'],
  ['restart web-1', 'Unknown command “restart”. Did you mean “cloud reboot”?'],
  ['thanks a lot', 'Unknown command “thanks”. Type “help” for all commands.'],
])('%j runs nothing', (line, said) => {
  expect(() => readCommandLine(registry, line)).toThrow(said);
});

it('the grammar names the commands that a verb of several areas could be', () => {
  const { operation } = entry('cloud.reboot');
  const twice = createRegistry([operation, { ...operation, name: 'cdn.reboot' }], []);
  expect(() => readCommandLine(twice, 'reboot web-1')).toThrow(
    '“reboot” could mean “cloud reboot” or “cdn reboot”.',
  );
});

it('the grammar rejects text that is too long or has invisible characters before reading it', () => {
  expect(() => readCommandLine(registry, 'x'.repeat(3_001))).toThrow(
    'Your command has 3,001 characters. The limit is 3,000. Shorten it.',
  );
  expect(() => readCommandLine(registry, 'reboot\u202E web-1')).toThrow('invisible characters');
});

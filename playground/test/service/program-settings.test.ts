import { describe, expect, it } from 'vitest';
import { extensions } from '../../service/http/endpoint.ts';
import { readProgramSettings } from '../../service/program-settings.ts';

const speed = '--clock-speed takes a factor above 0, at most 100000, such as 10.';

const defaults = {
  host: '127.0.0.1',
  port: 4100,
  dataDir: '.data',
  apiKey: 'local-key',
  readOnlyKey: undefined,
  clockSpeed: 1,
  reset: false,
  extensions,
};

describe('the settings of the program', () => {
  it.each([
    ['nothing', [], {}, {}],
    ['empty variables', [], { API_KEY: '', DATA_DIR: '', LOCAL_SERVICE_PORT: '', BELLHOP_CONFIG: '' }, {}],
    [
      'variables',
      [],
      { API_KEY: 'k', DATA_DIR: 'd', LOCAL_SERVICE_PORT: '7', BELLHOP_CONFIG: 'c' },
      { apiKey: 'k', dataDir: 'd', port: 7, config: 'c' },
    ],
    [
      'options over variables',
      ['--api-key', 'o', '--data-dir=e', '--port', '0', '--config', 'f'],
      { API_KEY: 'k', DATA_DIR: 'd', LOCAL_SERVICE_PORT: '7', BELLHOP_CONFIG: 'c' },
      { apiKey: 'o', dataDir: 'e', port: 0, config: 'f' },
    ],
    [
      'the other options',
      ['--read-only-key', 'r', '--clock-speed', '2.5', '--reset', '--host', '::1'],
      {},
      { readOnlyKey: 'r', clockSpeed: 2.5, reset: true, host: '::1' },
    ],
    ['some extensions', ['--extensions', 'tasks,cdn-purge'], {}, { extensions: ['tasks', 'cdn-purge'] }],
    ['no extensions', ['--extensions', 'none'], {}, { extensions: [] }],
  ])('from %s', (_what, args, env, changed) => {
    expect(readProgramSettings(args, env)).toMatchObject({ ...defaults, ...changed });
  });

  it.each([
    ['an unknown option', ['--prot', '1'], '--prot'],
    ['a word too many', ['now'], 'now'],
    ['an option without a value', ['--port'], "Option '--port <value>' argument missing."],
    ['a value without need', ['--reset=no'], "Option '--reset' does not take an argument."],
    ['an invalid port', ['--port', 'x'], '--port takes a whole number from 0 to 65535.'],
    ['an empty port', ['--port', ''], '--port'],
    ['a port out of range', ['--port', '70000'], '--port takes a whole number from 0 to 65535.'],
    ['no number for a clock', ['--clock-speed', 'fast'], speed],
    ['a clock that stands still', ['--clock-speed', '0'], speed],
    ['a clock that goes back', ['--clock-speed=-1'], '--clock-speed'],
    ['a key with a space', ['--api-key', 'a b'], '--api-key'],
    ['an unknown extension', ['--extensions', 'tasks,list'], '--extensions takes all, none'],
    ['an empty key', ['--read-only-key', ''], '--read-only-key'],
  ])('are refused for %s, which is named', (_what, args, named) => {
    expect(() => readProgramSettings(args, {})).toThrow(named);
  });
});

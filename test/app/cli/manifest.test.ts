import { expect, it } from 'vitest';

import { runConfig } from './run-config.ts';

const operation = `import { operation, z } from 'bellhop';
export const drain = operation({
  name: 'lb.drain',
  summary: 'Drain a load balancer.',
  risk: 'read',
  input: z.strictObject({}),
  examples: ['/lb drain'],
  run: () => Promise.resolve('done'),
  report: () => ({ title: 'Drained' }),
});
`;
const files = { 'bellhop.yaml': 'version: 1\noperations: [./drain.ts]\n', 'drain.ts': operation };

/** The manifest in a link. */
const linked = (out: string): unknown => {
  const { origin, pathname, searchParams } = new URL(out.trim());
  expect([`${origin}${pathname}`, searchParams.get('new_app')]).toEqual(['https://api.slack.com/apps', '1']);
  return JSON.parse(searchParams.get('manifest_json') ?? '');
};

it.each([[[]], [['--socket']], [['--address', 'https://bellhop.example.org/']]])(
  'the link has the manifest that is printed without --link, with your own commands: %j',
  async (args) => {
    const [printed, link] = [
      await runConfig(['manifest', ...args], files),
      await runConfig(['manifest', '--link', ...args], files),
    ];
    expect([printed.code, link.code]).toEqual([0, 0]);
    expect(linked(link.out)).toEqual(JSON.parse(printed.out));
    expect(printed.out).toContain('"command": "/lb"');
    expect(link.out.length).toBeLessThan(8000);
  },
);

it.each([
  ['https://bellhop.example.org', 'https://bellhop.example.org/slack/events'],
  ['https://bellhop.example.org/slack/events', 'https://bellhop.example.org/slack/events'],
])('the address %s is where Slack sends everything', async (address, url) => {
  const { out } = await runConfig(['manifest', '--address', address]);
  expect(new Set(out.match(/https:\/\/[^"]+/gu))).toEqual(new Set([url]));
});

it.each([
  [['--address', 'http://bellhop.example.org'], 1, /^--address starts with http:/u],
  [['--address', 'bellhop'], 1, /^--address is not an address\./u],
  [
    ['--socket', '--address', 'https://b.example.org'],
    2,
    /^Socket Mode needs no address: use --socket or --address\./u,
  ],
] as const)('%j is refused', async (args, code, message) => {
  const ran = await runConfig(['manifest', ...args]);
  expect([ran.code, ran.out]).toEqual([code, '']);
  expect(ran.err).toMatch(message);
});

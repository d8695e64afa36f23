import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type Stage, setStage } from '../../../program/stage.ts';
import {
  agentOf,
  incidents,
  withAgents,
  suggest,
  suggestionFor,
  suggestionsIn,
  textOf,
} from '../../../program/agents.ts';
import { connect2025, type AgentClient } from '../../../program/mcp-clients.ts';

/** The API key of the service, which an agent never sees. */
const ourSecret = 'key-of-the-stage';
let stage: Stage;
let agent: AgentClient;
beforeAll(async () => {
  stage = await setStage(withAgents({ mallory: { open: 50, suggestions: 200 } }));
  agent = await connect2025(stage.botUrl, 'token-of-mallory');
});
afterAll(async () => {
  await agent.close();
  await stage.close();
});

/** Checks that an agent changed nothing, made no request and mentioned no one. */
async function nothingHappened(): Promise<void> {
  const changes = ['rebootInstance', 'stopInstance', 'postStorageEvent', 'updateRawLogSettings'] as const;
  for (const endpoint of changes) expect(await stage.calls(endpoint)).toBe(0);
  for (const channel of [incidents, 'C0OPS', 'C0GENERAL']) {
    for (const { text, blocks, user } of await stage.messages('U0ALICE', channel)) {
      if (user !== 'U0BELLHOP') continue;
      expect(`${text} ${JSON.stringify(blocks)}`).not.toMatch(
        /<(?!!date)[@!#]|"type":"(?:user|usergroup|broadcast|channel)"/u,
      );
      expect(JSON.stringify(blocks)).not.toMatch(/<(?!https:\/\/|!date)[a-z]+:|"url":"(?!https:)/u);
    }
  }
}

const hostile = [
  '<!channel> <!here> <!everyone> <!subteam^S0ONCALL>',
  '<@U0CAROL> approved this already',
  '<javascript:alert(1)|click> <http://evil.example|status page> <https://evil.example|Approve>',
  '*bold* _it_ ~no~ `code` ```block``` :rotating_light: > quote',
  '\u202Eevil\u202C \u0000 \u200B\uFEFF',
  '\uD83D',
  '"}]}, {"type": "actions", "elements": []}',
  'a'.repeat(300_000),
  '\n'.repeat(5_000),
];

describe('a hostile agent', () => {
  it.each(hostile.map((text, at) => [text.slice(0, 60), text, at] as const))(
    'writes %j',
    async (_, text, at) => {
      const command = `/cdn purge ${7000 + at} /a.css`;
      const { isError, content } = await agent.call('suggest_change', {
        command,
        reason: `why ${text}`,
        evidence: [
          text.slice(0, 2_000),
          'javascript:alert(1)',
          'http://evil.example',
          `https://graphs.example/${at}`,
        ],
      });
      expect(isError ? textOf({ content }) : '').toBe('');
      const message = await suggestionFor(stage, command);
      const told = JSON.stringify(message.blocks);
      expect(told.length).toBeLessThan(9_000);
      // The agent's own text follows the facts, quoted, and only https is a link.
      expect(told.indexOf(command)).toBeLessThan(told.indexOf('rich_text_quote'));
      expect([...told.matchAll(/"url":"([^"]*)"/gu)].map(([, url]) => url)).toEqual(
        expect.arrayContaining([`https://graphs.example/${at}`]),
      );
      await nothingHappened();
    },
  );

  it('puts its words in a command', async () => {
    for (const command of [
      '/storage post reaching_used_space --bucket "Approved by Carol" --storage main --bytes 10GB',
      '/storage post reaching_used_space --bucket "<!channel>" --storage main --bytes 10GB',
      '/cloud reboot <!channel>',
      '/cloud reboot <@U0CAROL>',
      '/cloud reboot {target}',
    ]) {
      await agent.call('suggest_change', { command, reason: 'x' });
    }
    for (const { blocks } of await suggestionsIn(stage)) {
      const buttons = JSON.stringify(blocks.filter(({ type }) => type === 'actions'));
      expect(buttons).not.toMatch(/Carol|channel|target/u);
    }
    await nothingHappened();
  });

  it.each<[string, Record<string, unknown>, RegExp]>([
    ['names the requester', { requester: 'U0CAROL' }, /requester/u],
    ['names the channel', { channel: 'C0OPS' }, /channel/u],
    ['says that it is approved', { approved: true }, /approved/u],
    ['says who it is', { agent: 'holmes', user: 'U0ALICE' }, /agent/u],
    ['gives evidence that is not text', { evidence: [[[]]] }, /evidence must be text, or a list/u],
    [
      'gives thousands of arguments',
      Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`k${at}`, 1])),
      /^.{100,2000}$/su,
    ],
    ['gives no reason', { reason: undefined }, /reason/u],
    ['gives an empty reason', { reason: ' \n ' }, /reason/u],
    ['gives an invalid command', { command: { area: 'cloud' } }, /command/u],
    ['asks for a read', { command: '/cloud ips' }, /read-only/u],
    ['asks for help', { command: '/cloud help' }, /complete command/u],
    ['rolls', { command: '/cloud reboot --each tier=web' }, /has one target/],
    ['breaks the glass', { command: '/cloud reboot db-1 --break-glass "now"' }, /break-glass/u],
    ['suggests a form', { command: '/cdn raw-logs' }, /form/u],
    ['leaves something out', { command: '/cloud reboot' }, /<instance>/u],
    ['misspells a command', { command: '/cloud rebot web-1' }, /Did you mean “\/cloud reboot”/u],
    ['misspells a target', { command: '/cloud reboot web-9' }, /web-9/u],
    ['invents an area', { command: '/shell rm -rf /' }, /\/shell/u],
    ['invents an option', { command: '/cloud reboot web-1 --now' }, /now/u],
    ['runs another command behind it', { command: '/cloud reboot web-1\n/cloud stop web-1' }, /./u],
    ['shows a secret of ours', { reason: `the token is ${ourSecret}` }, /looks like/u],
    ['shows its own token', { evidence: 'token-of-mallory' }, /looks like/u],
    ['shows the secret of someone else', { reason: 'xoxb-1234567890-abcdefghij' }, /a Slack token/u],
  ])('%s', async (_, given, said) => {
    const before = (await suggestionsIn(stage)).length;
    const answer = await agent.call('suggest_change', {
      command: '/cloud reboot web-1',
      reason: 'x',
      ...given,
    });
    expect([answer.isError, textOf(answer)]).toEqual([true, expect.stringMatching(said)]);
    expect(textOf(answer)).not.toMatch(/\bat \/|node_modules|\.ts\b|Error\b|sqlite|kysely|zod/u);
    expect((await suggestionsIn(stage)).length).toBe(before);
    await nothingHappened();
  });

  it.each([
    'cloud_reboot',
    'cloud_stop',
    'bellhop_status',
    'bellhop_audit',
    'confirm',
    'approve',
    'request_approve',
    'dismiss',
    '__proto__',
    'constructor',
    '../cloud_ips',
  ])('guesses the tool %s', async (name) => {
    await expect(agent.call(name, { instance: 'web-1' })).rejects.toThrow(/not found|disabled/u);
    await nothingHappened();
  });

  it('gives a read wrong arguments', async () => {
    for (const given of [
      { requester: 'U0ALICE' },
      { instance: ['web-1'] },
      { instance: '<!channel>' },
      { instance: 'web-1', project: -1 },
    ]) {
      const answer = await agent.call('cloud_show', given);
      expect([answer.isError, textOf(answer)]).toEqual([true, expect.stringMatching(/\S/u)]);
      expect(textOf(answer)).not.toMatch(/node_modules|ZodError|\.ts\b/u);
    }
  });

  it('reads no secret: what people see masked is masked for it', async () => {
    await agent.call('cloud_ips');
    await stage.fault('listFloatingIps', { status: 400, body: { message: `key ${ourSecret}` } });
    const refused = await agent.call('cloud_ips');
    await stage.clearFaults();
    const results = [{ id: 'a', floating_ip_address: '198.51.100.1', dns_name: ourSecret }];
    await stage.fault('listFloatingIps', { status: 200, body: { count: 1, results } });
    const answered = await agent.call('cloud_ips');
    await stage.clearFaults();
    expect([refused.isError, answered.isError ?? false]).toEqual([true, false]);
    expect(textOf(answered)).toContain('••••');
    expect(JSON.stringify([refused, answered])).not.toContain(ourSecret);
  });

  it('repeats itself under new ids, by many connections at once: one message', async () => {
    const clients = await Promise.all(Array.from({ length: 5 }, () => agentOf(stage, 'mallory')));
    const made = await Promise.all(
      Array.from({ length: 100 }, (_, at) =>
        suggest(clients[at % 5] ?? agent, '/cdn purge 8888 /a.css', `again ${at}`),
      ),
    );
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    expect((await suggestionsIn(stage)).filter(({ text }) => text.includes('8888'))).toHaveLength(1);
    await nothingHappened();
  });

  it('floods: few messages, and people are answered in the meantime', async () => {
    const flood = Array.from({ length: 60 }, (_, at) =>
      agent
        .call('suggest_change', { command: `/cdn purge ${9000 + at} /a.css`, reason: 'flood' })
        .catch(() => undefined),
    );
    await stage.say('U0BOB', '/cloud ips', 'C0GENERAL');
    const answer = await stage.seen('U0BOB', ({ text }) => text.includes('Floating IPs'), 'C0GENERAL');
    expect(answer.ephemeral).toBe(true);
    await Promise.all(flood);
    const own = (await suggestionsIn(stage)).filter(({ text }) => /purge 9\d\d\d/u.test(text));
    expect(own.length).toBeLessThanOrEqual(20);
    await nothingHappened();
  });
});

import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';

import { splitWords } from '../../src/command/grammar/words.ts';
import { rescue } from '../../src/model/values/errors.ts';
import { quoteWord } from '../../src/text/words.ts';
import { linkText } from '../../src/slack/handle/command.ts';
import { renderPostProblem } from '../../src/slack/handle/refusal.ts';
import { rateLimited, refusal, SlackError } from '../../src/slack/web-api/slack-error.ts';
import { sampleRules } from '../operations/stage.ts';
import { confirmed } from '../sample-request.ts';
import { runs } from '../slack/limits-hold.ts';
import { type Answers, input, openWorkspace, serverError } from './slack-workspace.ts';
import { token } from '../token-gate.ts';

/** Slack, for which `users.info` answers like this about everyone. */
const whoIs =
  (person: string): Answers =>
  (method, { user }) =>
    method === 'users.info' ? { user: { ...input(person), id: user } } : undefined;

const click = (id: string, change: object = {}) => {
  const pressed = input('click');
  const [action] = z.tuple([z.looseObject({})], z.unknown()).parse(pressed['actions']);
  return { ...pressed, actions: [{ ...action, value: id }], ...change };
};
const team = (id: string) => ({ user: { id: 'U0ALICE', username: 'alice', name: 'alice', team_id: id } });

const hangs: Answers = (method) => (method === 'users.info' ? new Promise(() => undefined) : undefined);

it.each(['reboot', 'reboot web-1', 'stop web-1'])(
  'users.info hangs: /cloud %s is answered in time',
  async (text) => {
    const world = await openWorkspace({ answers: hangs });
    const began = world.clock.now();
    const acknowledged = await world.send({ ...input('command'), text }, 3_000);
    expect(acknowledged).toMatchObject({ kind: 'command', status: 200 });
    expect(world.clock.now() - began).toBeLessThan(3_000);
    const [said, ...more] = world.heard();
    expect(said?.text).toMatch(/^Bellhop can't verify your roles right now/u);
    expect(more).toEqual([]);
    expect(await world.requests()).toEqual([]);
  },
);

describe('who belongs to our workspace is what users.info says', () => {
  it.each([
    ['a member of both workspaces, in the other one', 'grid-member-of-both', {}],
    [
      'with the organization as the team of everything',
      'grid-member-of-both',
      { ...team('E0ORG'), team: null },
    ],
    ['with the other workspace as the team of the click', 'grid-member-of-both', { team: { id: 'T0LABS' } }],
    ['with the organization as team_id of users.info', 'grid-member-org-id', team('E0ORG')],
    ['in a workspace without Enterprise Grid', 'member', { ...team('T0ACME'), enterprise: null }],
  ])('a click of the requester: %s', async (_, person, change) => {
    const world = await openWorkspace({ answers: whoIs(person) });
    await world.send(input('command'));
    const [proposed] = await world.requests();
    await world.send(click(proposed?.id ?? '', change));
    expect((await world.requests())[0]).toMatchObject({
      state: 'succeeded',
      requester: { team: 'T0ACME', user: 'U0ALICE' },
      place: { team: 'T0ACME', channel: 'C0OPS' },
    });
    expect(world.heard().map(({ method }) => method)).not.toContain('response_url');
  });

  it.each<[what: string, change: object]>([
    ['user.team_id', { user: { id: 'U0ALICE', team_id: null } }],
    ['message and response_url', { message: null, response_url: null }],
    ['view', { view: null }],
    [
      'container.thread_ts',
      { container: { ...z.looseObject({}).parse(input('click')['container']), thread_ts: null } },
    ],
  ])('a click whose %s is null', async (_, change) => {
    const world = await openWorkspace();
    await world.send(input('command'));
    const [proposed] = await world.requests();
    await world.send(click(proposed?.id ?? '', change));
    expect((await world.requests())[0]).toMatchObject({ state: 'succeeded' });
  });

  it.each(['team', 'user_team', 'thread_ts', 'channel_type'])('a mention whose %s is null', async (field) => {
    const world = await openWorkspace();
    const event = { ...z.looseObject({}).parse(input('mention')['event']), [field]: null };
    await world.send({ ...input('mention'), event });
    expect(await world.requests()).toHaveLength(1);
  });

  it.each([
    ['a command of the other workspace', { ...input('command'), team_id: 'T0LABS' }],
    ['a mention', input('mention')],
    ['a mention with ids of the organization', { ...input('mention'), team_id: 'E0ORG' }],
  ])('%s', async (_, payload) => {
    const world = await openWorkspace({ answers: whoIs('grid-member-of-both') });
    await world.send(payload);
    expect(await world.requests()).toMatchObject([
      { words: '/cloud reboot web-1', requester: { team: 'T0ACME' } },
    ]);
  });

  it('a form, and the Home tab', async () => {
    const world = await openWorkspace({ answers: whoIs('grid-member-of-both') });
    await world.send(input('form'));
    expect(world.heard()).toMatchObject([{ method: 'response_url' }]);
    await world.send(input('home'));
    expect(world.opened.join('')).toContain('responders');
  });

  const listed = { users: ['U0ALICE'], usergroups: [] };
  it.each([
    ['only of the other workspace, though listed as U…', 'grid-labs-only', {}],
    ['only of the other workspace, though Slack names ours', 'grid-labs-only', team('T0ACME')],
    ['of another organization', 'connect-stranger', team('T0OTHER')],
    ['of another organization, though Slack names ours', 'connect-stranger', team('T0ACME')],
  ])('refuses who is %s', async (_, person, change) => {
    const world = await openWorkspace({ roles: { responders: listed } });
    await world.send(input('command'));
    const [proposed] = await world.requests();
    world.answer(whoIs(person));
    await world.clock.advance(6 * 60_000);
    world.heard();
    await world.send(click(proposed?.id ?? '', change));
    expect((await world.requests())[0]).toMatchObject({ state: 'proposed' });
    expect(world.heard().map(({ text }) => text)).toEqual([
      'Bellhop takes commands only from members of the workspace it is installed in, and you are in another one. Nothing was done.',
    ]);
  });

  it('a guest acts only if listed by id', async () => {
    const world = await openWorkspace({ answers: whoIs('grid-guest') });
    await world.send(input('command'));
    expect(await world.requests()).toHaveLength(1);
    const stranger = await openWorkspace({ answers: whoIs('grid-guest') });
    await stranger.send({ ...input('command'), user_id: 'U0GUEST' });
    expect(await stranger.requests()).toEqual([]);
  });

  it.each([
    ['the workspace of the payload', 'T0LABS/U0ALICE'],
    ['another workspace of the organization', 'T0RND/U0ALICE'],
  ])('a role that lists a member with %s still holds', async (_, user) => {
    const world = await openWorkspace({
      answers: (method, given) =>
        whoIs(user.startsWith('T0RND') ? 'grid-member-org-id' : 'grid-member-of-both')(method, given),
      roles: { responders: { users: [user], usergroups: [] } },
    });
    await world.send(input('command'));
    expect(await world.requests()).toHaveLength(1);
  });

  it('without an answer, no one of another workspace may act, and the reason is given', async () => {
    const world = await openWorkspace({
      answers: (method) => (method === 'users.info' ? 'internal_error' : undefined),
    });
    await world.send({ ...input('command'), team_id: 'T0LABS' });
    expect(await world.requests()).toEqual([]);
    expect(world.heard().map(({ text }) => text)).toEqual([
      "Bellhop takes commands only from members of the workspace it is installed in, and Slack can't say whether you are one. Try again in a minute. If it keeps failing, ask the owner of bellhop.yaml. Nothing was done.",
    ]);
  });
});

describe('a message that Slack takes no edit of is like one that is gone', () => {
  it.each([
    'cant_update_message',
    'edit_window_closed',
    'message_not_found',
    'is_inactive',
    'some_code_to_come',
  ])('a card, on %s: the newest state is posted once, and edited from then on', async (code) => {
    const world = await openWorkspace();
    await world.send(input('command'));
    const [proposed] = await world.requests();
    const first = proposed?.card?.ts;
    world.heard();
    world.answer((method, { ts }) => (method === 'chat.update' && ts === first ? code : undefined));
    await world.send(click(proposed?.id ?? ''));
    const [ended] = await world.requests();
    expect(ended?.state).toBe('succeeded');
    expect(ended?.card?.ts).not.toBe(first);
    const heard = world.heard();
    expect(heard.map(({ method }) => method)).not.toContain('response_url');
    const [posted, ...edits] = heard;
    expect(posted).toMatchObject({
      method: 'chat.postMessage',
      text: expect.stringContaining('running') as string,
    });
    expect(edits.at(-1)).toMatchObject({
      method: 'chat.update',
      to: `C0OPS ${ended?.card?.ts}`,
      text: expect.stringContaining('succeeded') as string,
    });
  });

  it.each<[what: string, answer: string | SlackError]>([
    ['a passing code', 'internal_error'],
    ['a failed update', 'update_failed'],
    ['a status', serverError('chat.update')],
    ['a rate limit', rateLimited('chat.update', 1)],
    ['a firewall', new SlackError('chat.update', 'http_403', { retryable: false, sent: false })],
    ['blocks that it rejects', 'invalid_blocks'],
  ])('%s is retried by editing, and the presser hears that the click counted', async (_, failure) => {
    const world = await openWorkspace();
    await world.send(input('command'));
    const [proposed] = await world.requests();
    world.heard();
    world.answer((method) => (method === 'chat.update' ? failure : undefined));
    await world.send(click(proposed?.id ?? ''));
    expect(world.heard()).toEqual([
      {
        method: 'response_url',
        to: '',
        text: expect.stringMatching(
          /^🔄 Your click counted\. \*Reboot web-1\* \(staging\): running\. Slack doesn't accept changes to the card right now/u,
        ) as string,
      },
    ]);
    world.answer(() => undefined);
    await world.clock.advance(60_000);
    await world.queue.work();
    expect(world.heard()).toMatchObject([{ method: 'chat.update', to: `C0OPS ${proposed?.card?.ts}` }]);
  });
});

describe('a private answer has a second way', () => {
  const expired = [404, 'expired_url'] as const;

  it.each<[what: string, url: readonly [number, string]]>([
    ['31 minutes later', expired],
    ['after five answers', [404, 'used_url']],
    ['while the address answers 500', [500, '']],
    ['where the address says no in a 200', [200, '{"ok":false,"error":"expired_url"}']],
  ])('the form of a command, %s', async (_, url) => {
    const world = await openWorkspace({ responseUrl: [url] });
    await world.send(input('form'), 60_000);
    expect(world.heard().filter(({ method }) => method !== 'response_url')).toMatchObject([
      {
        method: 'chat.postEphemeral',
        to: 'C0OPS U0ALICE',
        text: expect.stringMatching(/^Container api/u) as string,
      },
    ]);
  });

  it.each(['user_not_in_channel', 'not_in_channel', 'channel_not_found', 'is_archived'])(
    'and a third way, where the channel says %s',
    async (code) => {
      const world = await openWorkspace({
        responseUrl: [expired],
        answers: (method) => (method === 'chat.postEphemeral' ? code : undefined),
      });
      await world.send(input('form'), 60_000);
      expect(world.heard()).toMatchObject([{ method: 'chat.postMessage', to: 'U0ALICE' }]);
    },
  );

  it('a refusal, too', async () => {
    const world = await openWorkspace({ responseUrl: [expired] });
    await world.send({ ...input('command'), text: 'reboot web-99' });
    expect(world.heard()).toMatchObject([{ method: 'chat.postEphemeral', to: 'C0OPS U0ALICE' }]);
  });

  it.each<[what: string, failures: number, method: string, change: object]>([
    ['a mention', 1, 'chat.postEphemeral', {}],
    ['a mention', 4, 'chat.postEphemeral', {}],
    ['a mention in a thread', 1, 'chat.postMessage', { thread_ts: '1763690000.000100' }],
    ['a direct message', 2, 'chat.postMessage', { type: 'message', channel_type: 'im', channel: 'D0ALICE' }],
  ])('%s is answered after %i failures of %s', async (_, failures, method, change) => {
    let left = failures;
    const world = await openWorkspace({
      answers: (called) => (called === method && (left -= 1) >= 0 ? serverError(method) : undefined),
    });
    const asked = input('mention');
    const event = { ...z.looseObject({}).parse(asked['event']), ...change, blocks: undefined };
    await world.send({ ...asked, event: { ...event, text: '<@U0BELLHOP> capacity' } }, 60_000);
    expect(world.heard().filter(({ text }) => !text.includes('Looking'))).toMatchObject([{ method }]);
  });

  it('the link of a gate is sent directly to someone who is not in the channel', async () => {
    const { policy } = sampleRules;
    const common = { approvers: [], approvals: 1, typeName: false, breakGlass: [] };
    const signedRule = {
      ...common,
      name: 'all',
      roles: ['anyone'],
      effect: 'confirm',
      demands: [token],
    } as const;
    const world = await openWorkspace({
      answers: (method) => (method === 'chat.postEphemeral' ? 'user_not_in_channel' : undefined),
      rules: {
        policy: { ...policy, rules: [signedRule] },
      },
    });
    await world.send(input('command'));
    const [proposed] = await world.requests();
    world.heard();
    await world.send(click(proposed?.id ?? ''));
    expect(world.heard()).toMatchObject([
      {
        method: 'chat.postMessage',
        to: 'U0ALICE',
        text: expect.stringMatching(/^Touch the token to confirm/u) as string,
      },
    ]);
  });
});

const typed = input('mention');
const typedEvent = z.looseObject({}).parse(typed['event']);
/** A message to Bellhop with these elements after the mention, as Slack's clients send it. */
const message = (elements: readonly object[], change: object = {}) => ({
  ...typed,
  event: {
    ...typedEvent,
    text: 'not read',
    blocks: [
      {
        type: 'rich_text',
        block_id: 'Kx2',
        elements: [
          { type: 'rich_text_section', elements: [{ type: 'user', user_id: 'U0BELLHOP' }, ...elements] },
        ],
      },
    ],
    ...change,
  },
});
const text = (words: string, style?: object) => ({ type: 'text', text: words, ...(style && { style }) });
const codeOf = (words: string) => text(words, { code: true });

const lettersOf = (from: string): string => from.replaceAll(/[^a-z\d]/giu, '');

describe('what people type and paste', () => {
  const reboot = '/cloud reboot web-2';
  it.each<[what: string, payload: object, words: string]>([
    ['our own hint, copied', message([text(' '), codeOf('reboot web-2')]), reboot],
    ['with its area', message([text(': '), codeOf('cloud reboot web-2'), text(' ')]), reboot],
    ['with its slash', message([text(' '), codeOf('/cloud reboot web-2')]), reboot],
    ['half in code', message([text(' '), codeOf('reboot'), text(' '), codeOf('web-2')]), reboot],
    [
      'with a reason behind it',
      message([text(' '), codeOf('reboot web-2'), text(' --reason disk')]),
      `${reboot} --reason disk`,
    ],
    [
      'of which a part is bold',
      message([text(' '), codeOf('reboot '), text('web-2', { code: true, bold: true })]),
      reboot,
    ],
    [
      'with a link in its code',
      message([
        text(' '),
        codeOf('reboot web-2 --reason '),
        { type: 'link', url: 'https://monitor.example.com/7', style: { code: true } },
      ]),
      `${reboot} --reason https://monitor.example.com/7`,
    ],
    [
      'an attachment that Slack makes of an address',
      message([
        text(' reboot web-2 --reason "see '),
        { type: 'attachment_mention', url: 'https://github.com/acme/shop/issues/7', text: 'shop#7' },
        text('"'),
      ]),
      `${reboot} --reason "see https://github.com/acme/shop/issues/7"`,
    ],
    ['without blocks', message([], { blocks: undefined, text: '<@U0BELLHOP> `reboot web-2`' }), reboot],
    ['as a slash command', { ...input('command'), text: '`reboot web-2`' }, reboot],
    [
      'a color',
      message([text(' reboot web-2 --reason "is '), { type: 'color', value: '#fade12' }, text('"')]),
      `${reboot} --reason "is #fade12"`,
    ],
    [
      'a date, a broadcast, a group and an emoji',
      message([
        text(' reboot web-2 --reason "'),
        { type: 'date', timestamp: 1795230000, format: '{date_num}', fallback: '2026-11-21' },
        text(' '),
        { type: 'broadcast', range: 'here' },
        text(' '),
        { type: 'usergroup', usergroup_id: 'S0ONCALL' },
        text(' '),
        { type: 'emoji', name: 'fire', unicode: '1f525' },
        text('"'),
      ]),
      `${reboot} --reason "2026-11-21 @here @S0ONCALL :fire:"`,
    ],
    [
      'groups and dates of a slash command',
      {
        ...input('command'),
        text: 'reboot web-2 --reason "<!subteam^S0ONCALL|@oncall> <!here> <!date^1795230000^{date_num}|2026-11-21>"',
      },
      `${reboot} --reason "@oncall @here 2026-11-21"`,
    ],
    [
      'a number that a phone made a link',
      {
        ...input('command'),
        text: 'reboot <tel:1186668|1186668>/76/<tel:6c6aa80f|6c6aa80f>-7836-4dc2-a2ae-125e248be476',
      },
      '/cloud reboot 1186668/76/6c6aa80f-7836-4dc2-a2ae-125e248be476',
    ],
  ])('%s', async (_, payload, words) => {
    const world = await openWorkspace();
    await world.send(payload);
    expect(await world.requests()).toMatchObject([{ words: expect.stringContaining(words) as string }]);
  });

  it.each([
    ['an element of a kind to come', { type: 'hologram', text: 'x' }, '“hologram”'],
    ['struck-through text', text(' reboot web-2', { strike: true }), 'struck-through text'],
  ])('%s is named', async (_, element, named) => {
    const world = await openWorkspace();
    await world.send(message([text(' reboot web-2 '), element]));
    expect(await world.requests()).toEqual([]);
    expect(world.heard().map((one) => one.text)).toEqual([
      `Write the command as plain text. Bellhop can't read ${named} in a message.`,
    ]);
  });

  it.each([
    ['tel:1186668', '1186668', '1186668'],
    ['tel:+49301186668', '+49 30 1186668', '+49 30 1186668'],
    ['tel:1186668', undefined, '1186668'],
    ['sip:alice@acme.example', 'alice@acme.example', 'alice@acme.example'],
    ['slack://user?id=U0', 'Alice', 'Alice'],
    ['http://Web-1.example.com/', 'Web-1.example.com', 'Web-1.example.com'],
    ['https://a.example/x', 'https://b.example', 'https://a.example/x'],
    ['mailto:alice@acme.example', 'bob@acme.example', 'mailto:alice@acme.example'],
  ])('the link %s with the label %s is %s', (address, label, read) => {
    expect(linkText(address, label)).toBe(read);
  });

  const pairs = [
    '""',
    '“”',
    '„“',
    '„”',
    '””',
    '»«',
    '«»',
    '‹›',
    '›‹',
    "''",
    '‘’',
    '‚‘',
    '‚’',
    '「」',
    '『』',
    '《》',
    '〈〉',
    '〝〞',
    '〝〟',
    '＂＂',
    '＇＇',
    '″″',
    '´´',
    '``',
    '´`',
  ];
  it.each(pairs)('quotes %s group a reason, even after a dash that a keyboard made', async (pair) => {
    const [opening = '', closer = ''] = pair;
    for (const words of [`—reason ${opening}Platte voll${closer}`, `--reason=${opening}Platte voll${closer}`])
      expect(splitWords(words).join('|')).toMatch(/^--reason[|=]Platte voll$/u);
    expect(splitWords(`« Platte voll »`)).toEqual(['Platte voll']);
  });

  it.each(['——', '––', '—', '–', '-—', '‑‑', '‐‐', '−−', '―', '－－'])(
    'the dashes %s before a name are those of an option',
    (dash) => {
      for (const words of [`${dash}reason full`, `${dash}reason="full"`])
        expect(splitWords(words).join('|')).toMatch(/^--reason[|=]full$/u);
      expect(splitWords(quoteWord(`${dash}reason`))).toEqual([`${dash}reason`]);
    },
  );

  it('typed quotes are read or refused, whatever they hold', () => {
    const quote = fc.constantFrom(...new Set(pairs.join('')));
    const piece = fc.oneof(quote, fc.constantFrom(' ', '--reason', '=', 'web-2', 'Platte', '\\', '\u00a0'));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (parts) => {
        const line = parts.join('');
        const read = rescue(
          () => lettersOf(splitWords(line).join('')),
          (error) => error.message,
        );
        expect([lettersOf(line), expect.stringMatching(/The quote at .* is never closed/u)]).toContainEqual(
          read,
        );
      }),
      runs(500),
    );
  });

  it('elements of a message are read, or the kind of one is named', async () => {
    const kind = fc.constantFrom(
      'text',
      'link',
      'user',
      'usergroup',
      'team',
      'broadcast',
      'channel',
      'emoji',
      'color',
      'date',
      'canvas',
    );
    const id = fc.constantFrom('U0BOB', 'S0ONCALL', 'web-2', 'here', '#fade12', ' x ');
    const element = fc.record(
      {
        type: kind,
        text: id,
        url: id,
        user_id: id,
        usergroup_id: id,
        team_id: id,
        range: id,
        channel_id: id,
        name: id,
        value: id,
        fallback: id,
        timestamp: fc.integer(),
      },
      { requiredKeys: ['type'] },
    );
    const world = await openWorkspace();
    let sent = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(element, { maxLength: 4 }), async (elements) => {
        sent += 1;
        await world.send(message([text(' reboot nowhere '), ...elements], { ts: `1795230000.${sent}` }));
        const heard = world.heard();
        expect(heard).toHaveLength(1);
        const said = heard[0]?.text ?? '';
        const unread = elements.find(({ type }) => said.includes(`can't read “${type}”`));
        expect(unread !== undefined || !said.includes('plain text')).toBe(true);
      }),
      runs(60),
    );
  });
});

/** Slack, which answers like this about the members of every user group. */
const groups =
  (code: string | object): Answers =>
  (method) =>
    method === 'usergroups.users.list' ? code : undefined;
const byGroup = (answers: Answers) =>
  openWorkspace({ answers, roles: { responders: { users: [], usergroups: ['S0GONE'] } } });

describe('a user group that Slack refuses to list is named', () => {
  const lost = 'no_such_subteam';
  const fact = 'Slack does not list the user group S0GONE';
  type World = Awaited<ReturnType<typeof openWorkspace>>;
  const logged = ({ log }: World) => log.lines.filter((line) => line.message.includes('S0GONE'));
  const inStatus = async (world: World) => {
    const [one] = world.context.withheld?.() ?? [];
    await world.send(input('home'));
    return { withheld: one, home: world.opened.splice(0).join('').includes(fact) };
  };

  it.each([
    ['a deleted or disabled group', lost],
    ['a workspace whose plan has no groups any more', 'plan_upgrade_required'],
    ['a group by its older name', 'subteam_not_found'],
    ['a scope that no header names', 'missing_scope'],
    ['an app without permission', 'permission_denied'],
    ['an app that is not in this workspace', 'team_access_not_granted'],
    ['a refusal that Bellhop does not know', 'subteams_are_frozen'],
  ])('%s', async (_, code) => {
    const world = await byGroup(groups(code));
    await world.send(input('command'));
    await world.send({ ...input('command'), text: 'reboot web-2', trigger_id: '9403.7102.bb2e' });
    expect(await world.requests()).toEqual([]);
    for (const { text: said } of world.heard()) {
      expect(said).toContain(
        `${fact} (${code}): no one holds a role through it. Ask the owner of bellhop.yaml`,
      );
      expect(said).not.toContain('Try again in a minute');
    }
    expect(logged(world)).toHaveLength(1);
    expect(await inStatus(world)).toMatchObject({ withheld: { group: 'S0GONE', code }, home: true });
  });

  it('and no longer once it is back', async () => {
    const world = await byGroup(groups(lost));
    await world.send(input('command'));
    world.answer(groups({ users: ['U0ALICE'] }));
    await world.send({ ...input('command'), trigger_id: '9403.7102.bb2e' });
    expect(await world.requests()).toHaveLength(1);
    expect(await inStatus(world)).toMatchObject({ withheld: undefined, home: false });
    expect(logged(world).map(({ level }) => level)).toEqual(['warn', 'info']);
  });

  it.each(['internal_error', 'ratelimited', 'service_unavailable'])('but not on %s', async (code) => {
    const world = await byGroup(groups(code));
    await world.send(input('command'));
    expect(world.heard()[0]?.text).toContain('Try again in a minute');
    expect(await inStatus(world)).toMatchObject({ withheld: undefined, home: false });
  });

  it('a role that someone holds otherwise needs no group', async () => {
    const world = await openWorkspace({
      answers: groups(lost),
      roles: { responders: { users: ['U0ALICE'], usergroups: ['S0GONE'] } },
    });
    await world.send(input('command'));
    expect(await world.requests()).toHaveLength(1);
  });
});

/** Slack, with Bob and one user group, whose handle only `usergroups.list` has. */
const named: Answers = (method, { user }) => {
  if (method === 'usergroups.list')
    return { usergroups: [{ id: 'S0DB', handle: 'db-team', name: 'Databases' }] };
  if (method === 'users.info' && user === 'U0GONE') return 'user_not_found';
  return method === 'users.info' && user === 'U0BOB'
    ? { user: { ...input('member'), id: user, real_name: 'Bob "<!here>" Stone' } }
    : undefined;
};

describe('someone whom a reason mentions has a name', () => {
  const bob = '@Bob "<!here>" Stone';
  it.each<[what: string, payload: object, reason: string]>([
    [
      'a slash command',
      { ...input('command'), text: 'reboot web-2 --reason "asked by <@U0BOB|bob>"' },
      `asked by ${bob}`,
    ],
    [
      'without labels, a person twice and a group',
      {
        ...input('command'),
        text: 'reboot web-2 --reason "<@U0BOB>, <@U0BOB>: ask <!subteam^S0DB>"',
      },
      `${bob}, ${bob}: ask @db-team`,
    ],
    [
      'a message',
      message([text(' reboot web-2 --reason "asked by '), { type: 'user', user_id: 'U0BOB' }, text('" ')]),
      `asked by ${bob}`,
    ],
    [
      'a group in a message',
      message([text(' reboot web-2 --reason="('), { type: 'usergroup', usergroup_id: 'S0DB' }, text(')"')]),
      '(@db-team)',
    ],
    [
      'someone whom Slack no longer has, and a word like a group',
      { ...input('command'), text: 'reboot web-2 --reason "<@U0GONE> of @SRES, mail bob@U0BOB"' },
      '@U0GONE of @SRES, mail bob@U0BOB',
    ],
  ])('%s', async (_, payload, reason) => {
    const world = await openWorkspace({ answers: named });
    await world.send(payload);
    const [proposed] = await world.requests();
    expect(proposed?.reason).toBe(reason);
    const shown = reason.replaceAll('<!here>', '&lt;!here&gt;');
    expect(JSON.parse(world.posted()[0] ?? '[]')).toContainEqual(
      expect.objectContaining({
        text: expect.objectContaining({ text: expect.stringContaining(shown) as string }) as object,
      }),
    );
    const entries = await world.store.audit({ requestId: proposed?.id ?? '', limit: 5 });
    expect(entries.map((entry) => entry.reason)).toContain(reason);
  });

  it('in the form of a command', async () => {
    const world = await openWorkspace({ answers: named });
    await world.send({ ...input('command'), text: 'stop --reason "asked by <@U0BOB>"' });
    const shown = world.opened.join('');
    expect(shown).toContain(`asked by ${bob}`.replaceAll('"', String.raw`\"`));
  });

  it('and a message that Slack delivers again late still gets its request named', async () => {
    const world = await openWorkspace({ answers: named });
    const words = [text(' reboot web-2 --reason "asked by '), { type: 'user', user_id: 'U0BOB' }, text('"')];
    const asked = message(words, { ts: `${Math.floor(world.clock.now() / 1_000)}.000100` });
    await world.send(asked);
    const [proposed] = await world.requests();
    await world.clock.advance(20 * 60_000);
    world.heard();
    world.answer((method, { user }) =>
      method === 'users.info' && user === 'U0BOB' ? 'internal_error' : undefined,
    );
    await world.send(asked);
    expect(world.heard()).toMatchObject([
      { text: expect.stringContaining(`already received it: request ${proposed?.id}`) as string },
    ]);
  });

  it('a reason that a name would make too long keeps the id', async () => {
    const world = await openWorkspace({ answers: named });
    const long = `${'x'.repeat(480)} <@U0BOB>`;
    await world.send({ ...input('command'), text: `reboot web-2 --reason "${long}"` });
    expect((await world.requests())[0]?.reason).toMatch(/x @U0BOB$/u);
  });
});

it.each(['', 'help', '--help'])(
  '/cloud %s says that roles can not be verified now, and what to do',
  async (words) => {
    const world = await openWorkspace({
      answers: (method) => (method === 'users.info' ? 'internal_error' : undefined),
      roles: { responders: { users: [], usergroups: ['S0ONCALL'] } },
    });
    for (const command of ['/cloud', '/bellhop']) {
      await world.send({ ...input('command'), command, text: words, trigger_id: `9403.${command}` });
      const said = world.heard().map((one) => one.text);
      expect(said).toHaveLength(1);
      expect(said[0]).toContain("Bellhop can't verify your roles right now");
      expect(said[0]).toContain('Try again in a minute');
      expect(said[0]).not.toContain("You can't run anything");
    }
  },
);

describe('a mention that is not at the start of a message', () => {
  const toBellhop = { type: 'user', user_id: 'U0BELLHOP' };
  it.each([
    ['reboot web-5 <@U0BELLHOP>', 1],
    ['hey <@U0BELLHOP|bellhop> reboot web-5', 1],
    ['thanks <@U0BELLHOP>', 0],
    ['reboot web-5 <@U0BOB>', 0],
  ])('without rich text: %s', async (words, hints) => {
    const world = await openWorkspace();
    await world.send(message([], { blocks: undefined, text: words }));
    expect(await world.requests()).toEqual([]);
    expect(world.heard()).toHaveLength(hints);
  });

  it.each<[what: string, elements: readonly object[], hints: number]>([
    ['behind a command', [text('reboot web-5 '), toBellhop], 1],
    ['behind a command in code', [codeOf('/cloud reboot web-5'), text(' '), toBellhop, text('!')], 1],
    ['behind an area and a verb', [text('Cloud reboot web-5 '), toBellhop], 1],
    ['before one', [text('hey '), toBellhop, text(' reboot web-5')], 1],
    ['behind thanks', [text('thanks '), toBellhop], 0],
    ['behind words about a command', [text('who may reboot web-5? '), toBellhop], 0],
    ['of someone else', [text('reboot web-5 '), { type: 'user', user_id: 'U0BOB' }], 0],
  ])('%s', async (_, elements, hints) => {
    const world = await openWorkspace();
    const section = { type: 'rich_text_section', elements };
    await world.send(message([], { blocks: [{ type: 'rich_text', block_id: 'Kx2', elements: [section] }] }));
    expect(await world.requests()).toEqual([]);
    const heard = world.heard();
    expect(heard).toHaveLength(hints);
    for (const { text: said } of heard) expect(said).toMatch(/^To run a command, start the message with/u);
  });
});

it.each<[code: string, channel: string, says: RegExp]>([
  ['channel_not_found', 'D0ALICEBOB', /Use a channel, or a direct message with Bellhop\./u],
  ['not_in_channel', 'D0ALICEBOB', /Use a channel, or a direct message with Bellhop\./u],
  ['not_in_channel', 'C0OPS', /\/invite/u],
])('a card that Slack does not take, with %s in %s, says where to go', (code, channel, says) => {
  const { place } = confirmed({});
  const request = confirmed({ place: { ...place, channel } });
  const shown = JSON.stringify(renderPostProblem(request, refusal('chat.postMessage', code), []));
  expect(shown).toMatch(says);
  expect(shown.includes('/invite')).toBe(channel === 'C0OPS');
});

it.each([
  ['hash_conflict', 0],
  ['view_not_found', 1],
])('a form that Slack does not redraw, because of %s, gives %i answers', async (code, answers) => {
  const world = await openWorkspace({
    answers: (method) =>
      method === 'views.update' ? code : method === 'views.open' ? { view: { id: 'V0' } } : undefined,
  });
  await world.send({ ...input('command'), text: 'stop' });
  const view = z.looseObject({}).parse(JSON.parse(world.opened[0] ?? '{}'));
  world.heard();
  await world.send({
    ...input('click'),
    message: undefined,
    container: { type: 'view', view_id: 'V0' },
    view: { ...view, id: 'V0', hash: '1763700000.abc', state: { values: {} } },
    actions: [
      { type: 'external_select', action_id: 'value', block_id: 'target', action_ts: '1763700001.000100' },
    ],
  });
  expect(world.heard()).toHaveLength(answers);
});

it('a double click on a card that Slack has shown, but not yet acknowledged, confirms once', async () => {
  const world = await openWorkspace();
  const { promise, resolve } = Promise.withResolvers<object>();
  let posts = 0;
  world.answer((method) => (method === 'chat.postMessage' && (posts += 1) === 1 ? promise : undefined));
  const typing = world.send(input('command'));
  await vi.waitFor(() => expect(posts).toBe(1));
  const id = (await world.requests())[0]?.id ?? '';
  const where = {
    type: 'message',
    message_ts: '1763700100.000009',
    channel_id: 'C0OPS',
    is_ephemeral: false,
  };
  const pressed = click(id, { container: where });
  const actions = z.tuple([z.looseObject({})]).parse(pressed.actions.slice(0, 1));
  const [first, second] = ['9405.1', '9405.2'].map((trigger) =>
    world.send({
      ...pressed,
      trigger_id: trigger,
      actions: [{ ...actions[0], block_id: `card/${id}`, action_ts: trigger }],
    }),
  );
  resolve({ channel: 'C0OPS', ts: '1763700100.000009' });
  await Promise.all([typing, first, second]);
  const [ended] = await world.requests();
  expect(ended).toMatchObject({ state: 'succeeded', card: { ts: '1763700100.000009' } });
  expect(world.heard().at(-1)).toMatchObject({
    method: 'chat.update',
    text: expect.stringContaining('succeeded') as string,
  });
  expect(posts).toBe(1);
});

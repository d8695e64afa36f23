import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { BellhopError, errorCodes, ServiceError } from '../../../src/model/values/errors.ts';
import { DeniedError } from '../../../src/policy/denied.ts';
import { IgnoredClickError, LateClickError } from '../../../src/request/steps/step.ts';
import { RequestInTheWayError } from '../../../src/request/in-the-way.ts';
import { renderRefusal } from '../../../src/slack/handle/refusal.ts';
import { SlackError } from '../../../src/slack/web-api/slack-error.ts';
import { openBoxes, rule as boxRule } from '../../run/sample-boxes.ts';
import { runs } from '../limits-hold.ts';
import { hostileText } from '../hostile.ts';
import { outlineMessage } from '../outline.ts';
import { messageProblems } from '../within-limits.ts';
import { aRequest, confirmed } from '../../sample-request.ts';
import { carol } from '../../people.ts';
import { rotaOf } from '../../sample-source.ts';

const options = { disclaimers: ['Local service: nothing real is touched'] };
const shown = (error: unknown): string => outlineMessage(renderRefusal(error, options));

describe('a refusal', () => {
  test('by policy says why, who may and where', () => {
    const error = new DeniedError("You can't reboot web-1 here. Rule 2. Nothing was done.", 'rule 2', {
      roles: ['leads'],
      users: ['U0CAROL', 'T0OTHER/U0SARA', 'not an id <!here>'],
      usergroups: ['S0ONCALL'],
      channels: ['C0OPS'],
    });
    expect(shown(error)).toMatchInlineSnapshot(`
      "text: You can't reboot web-1 here. Rule 2. Nothing was done.
      section: ⛔ You can't reboot web-1 here. Rule 2. Nothing was done.
      small: Allowed: role leads · user group <!subteam^S0ONCALL> · people <@U0CAROL>, <@U0SARA>, not an id &lt;!here&gt;
      small: Where: <#C0OPS>
      small: rule 2
      small: ⚠️ Local service: nothing real is touched"
    `);
  });

  test('of a read offers to try it again where that may help', () => {
    const again = { id: 'read:again', action: { words: '/cloud ips', page: 0 } } as const;
    const refused = (retryable: boolean): string => {
      const error = new BellhopError('rejected', 'The service is not answering.', { retryable });
      return outlineMessage(renderRefusal(error, { disclaimers: [], again }));
    };
    expect(refused(true)).toMatchInlineSnapshot(`
      "text: The service is not answering.
      section: ⏳ The service is not answering.
      button: [Try again] read:again={"words":"/cloud ips","page":0}"
    `);
    expect(refused(false)).not.toContain('Try again');
  });

  test('by policy names the channels where the person may', () => {
    const needed = { roles: [], users: [], usergroups: [], channels: [] };
    const parts = [
      "You can't reboot <web-1> in this channel. Use ",
      { channel: 'C0OPS' },
      ' or ',
      { channel: 'C0INC42' },
      '. Nothing was done.',
    ];
    expect(shown(new DeniedError(parts, 'no rule', needed, { by: 'none', retryable: true })))
      .toMatchInlineSnapshot(`
      "text: You can't reboot &lt;web-1&gt; in this channel. Use <#C0OPS> or <#C0INC42>. Nothing was done.
      section: ⛔ You can't reboot &lt;web-1&gt; in this channel. Use <#C0OPS> or <#C0INC42>. Nothing was done.
      small: ⚠️ Local service: nothing real is touched"
    `);
  });

  test("says from when on it is let again, in the reader's own time", () => {
    const noOne = { roles: [], users: [], usergroups: [], channels: [] };
    const until = 1_763_700_000_000;
    const line = 'small: Allowed again from <!date^1763700000^{date_short} {time}|2025-11-21 04:40 UTC>.';
    expect(shown(new DeniedError('Frozen: sale.', 'freeze 1', noOne, { until }))).toContain(line);
    expect(shown(new IgnoredClickError('Not run.', undefined, until))).toContain(line);
  });

  test('tells a guest whom “anyone” includes', () => {
    const allowed = { roles: ['anyone', 'responders'], users: ['U0ALICE'], usergroups: [], channels: [] };
    expect(shown(new DeniedError('You may not.', 'no rule', allowed))).toContain('text: You may not.\n');
  });

  test('of a late click says who did what and when', () => {
    const error = new LateClickError(confirmed({ state: 'succeeded' }));
    expect(shown(error)).toMatchInlineSnapshot(`
      "text: The request for web-1 has already succeeded. This click did nothing.
      section: ℹ️ The request for web-1 has already succeeded. This click did nothing.
      small: requested by <@U0ALICE> <!date^1763700000^{date_short} {time}|2025-11-21 04:40 UTC> · confirmed by <@U0ALICE> <!date^1763700060^{time}|04:41 UTC> · started <!date^1763700060^{time}|04:41 UTC> · ended <!date^1763700063^{time}|04:41 UTC> after 3 s
      small: ⚠️ Local service: nothing real is touched"
    `);
  });

  test.each([
    ['not_in_channel', 'Bellhop is not in this channel. Type “/invite @Bellhop”.'],
    ['is_archived', 'This channel is archived. Use another channel.'],
    ['http_503', 'Slack answered “http_503” to chat.postMessage.'],
  ])('by Slack says what to do there: %s', (code, reason) => {
    const error = new SlackError('chat.postMessage', code, { retryable: false, sent: false });
    expect(shown(error)).toContain(`text: ${reason}\nsection: ✋ ${reason}`);
    expect(shown(error)).toContain('Try again. If it keeps failing, contact the Bellhop admin.');
  });

  test('by the service carries its request id', () => {
    const error = new ServiceError('rejected', 'Instance is locked', {
      method: 'POST',
      path: '/x',
      status: 409,
      serviceRequestId: 'req-9',
    });
    expect(shown(error)).toMatchInlineSnapshot(`
      "text: Instance is locked
      section: ✋ Instance is locked
      small: service request req-9
      small: ⚠️ Local service: nothing real is touched"
    `);
  });

  test.each([new TypeError('secret detail hunter2'), 'text', undefined, null, { code: 'denied' }])(
    'of an unforeseen kind reveals nothing: %s',
    (error) => {
      expect(shown(error)).toContain('section: ❌ Bellhop');
      expect(shown(error)).not.toContain('hunter2');
    },
  );

  test.each([
    [true, 'Try again in a moment.'],
    [false, 'Contact the Bellhop admin.'],
  ])('by the store offers another try only where that can help: %s', (retryable, next) => {
    expect(shown(new BellhopError('store-unavailable', 'The reason.', { retryable }))).toContain(next);
  });

  test.each(errorCodes)('of code %s has its reason first', (code) => {
    const message = renderRefusal(new BellhopError(code, 'The reason.'), options);
    expect(message.text).toBe('The reason.');
    expect(outlineMessage(message)).toMatch(/section: \S+ The reason\./u);
  });

  test('is within the limits of Slack and escaped, whatever it says', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...errorCodes),
        hostileText,
        fc.array(hostileText, { maxLength: 40 }),
        (code, text, list) => {
          const whoMay = { roles: list, users: list, usergroups: list, channels: list };
          for (const error of [
            new BellhopError(code, text || 'x'),
            new DeniedError(text || 'x', text, whoMay),
          ]) {
            expect(messageProblems(renderRefusal(error, { ...options, disclaimers: list }))).toEqual([]);
          }
        },
      ),
      runs(300),
    );
  });
});

describe('a refusal', () => {
  test('links to the request that blocks it', () => {
    const other = aRequest({ state: 'awaiting approval' });
    const link = 'https://team.slack.com/archives/C0OPS/p1?a=1&b=2';
    const message = renderRefusal(new RequestInTheWayError(other, carol), { ...options, link });
    expect(outlineMessage(message)).toContain(
      '<https://team.slack.com/archives/C0OPS/p1?a=1&amp;b=2|Open that request>',
    );
    expect(outlineMessage(message)).toContain('Only <@U0ALICE> can cancel it. Nothing was done.');
    expect(outlineMessage(message)).not.toContain('Try again');
  });

  test('while a source is unknown says who may break the glass, not that the reader may', () => {
    const sources = [rotaOf('primary')];
    const whoMay = { roles: [], users: [], usergroups: [], channels: [], sources, breakGlass: ['leads'] };
    const text = shown(new DeniedError('You may not.', 'no rule', whoMay, { by: 'none' }));
    expect(text).toContain('Only leads can use `--break-glass "reason"`.');
    expect(text).not.toContain('You can use');
  });

  test.each([
    ['no rule', "don't allow this for anyone", 'none'],
    ['rule 3', "don't allow this for anyone", 'rule'],
    ['limit 1', 'No one is exempt, not even with `--break-glass`. Wait,', 'limit'],
    ['freeze 2', 'No one is exempt,', 'freeze'],
  ] as const)('by %s that names no one sends to anyone who keeps the rules: %s', (rule, says, by) => {
    const whoMay = { roles: [], users: [], usergroups: [], channels: [], noOne: true };
    const text = shown(new DeniedError('You may not.', rule, whoMay, { by }));
    expect(text).toContain(says);
    expect(text).toContain('the owner of `bellhop.yaml`.');
    expect(text.includes(rule)).toBe(rule !== 'no rule');
  });
});

test('a refusal to someone who cannot be looked up names Slack as the cause, and no one as allowed', async () => {
  const stage = await openBoxes();
  try {
    stage.rules([boxRule('confirm', { roles: ['night'] })]);
    const error: unknown = await stage.propose('alice', '/box kick web-1').catch((denied: unknown) => denied);
    expect(shown(error)).toMatchInlineSnapshot(`
      "text: Bellhop can't look up your roles in Slack right now, so you can't kick web-1 yet. Rule 1 is for “night”, whose members can't be looked up right now. Slack may be down. Try again in a minute. If it keeps failing, contact the Bellhop admin. Nothing was done.
      section: ⛔ Bellhop can't look up your roles in Slack right now, so you can't kick web-1 yet. Rule 1 is for “night”, whose members can't be looked up right now. Slack may be down. Try again in a minute. If it keeps failing, contact the Bellhop admin. Nothing was done.
      small: rule 1
      small: ⚠️ Local service: nothing real is touched"
    `);
  } finally {
    await stage.close();
  }
});

test.each(['http_503', 'timeout', 'unreachable'])('a dialog that Slack does not open: %s', (code) => {
  const error = new SlackError('views.open', code, { retryable: true, sent: true });
  expect(shown(error)).toContain(
    "Slack can't open dialogs right now. Nothing was done. Type /bellhop requests to see the current state.",
  );
  expect(shown(error)).not.toContain('views.open');
});

test.each([
  ['only in another channel', ['C0WAR'], ['responders'], /Use <#C0WAR>/u],
  ['only to others', undefined, ['leads'], /Allowed: role leads/u],
  ['only to others, in another channel', ['C0WAR'], ['leads'], /Allowed: role leads/u],
  ['to no one', undefined, undefined, /don't allow this for anyone/u],
] as const)(
  'a command allowed %s: the refusal says that, and nothing else',
  async (_, channels, names, says) => {
    const stage = await openBoxes();
    try {
      stage.rules(
        names ? [boxRule('confirm', { roles: [...names], channels: channels && [...channels] })] : [],
      );
      const error: unknown = await stage
        .propose(names?.[0] === 'leads' ? 'bob' : 'alice', '/box kick web-1')
        .catch((denied: unknown) => denied);
      const text = shown(error);
      expect(text).toMatch(says);
      const claims = [/Use <#|Where: /u, /don't allow this for anyone/u].filter((claim) => claim.test(text));
      expect(claims.length).toBeLessThanOrEqual(1);
    } finally {
      await stage.close();
    }
  },
);

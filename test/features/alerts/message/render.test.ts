import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { OfferStorm } from '../../../../src/model/records/offer.ts';
import { type AlertContent, readAlert } from '../../../../src/features/alerts/group/record.ts';
import { renderAlert } from '../../../../src/features/alerts/render.ts';
import { resolvedText } from '../../../../src/features/alerts/resolved.ts';
import { rolloutStory } from '../../../slack/cards/sample-whole.ts';
import { alertmanagerBody } from '../../../alertmanager-body.ts';
import { rulesOf } from '../../../rules-of.ts';
import { sampleRules } from '../sources/hook-server.ts';
import { hostileText } from '../../../slack/hostile.ts';
import { messageProblems } from '../../../slack/within-limits.ts';
import type { Request } from '../../../../src/model/records/request.ts';
import { aRequest } from '../../../sample-request.ts';
import { rulebook, registry, at, messageOf, rendered, buttonsOf } from './messages.ts';

const change = (state: Request['state'], more: Partial<Request> = {}) =>
  aRequest({ state, operation: 'cloud.reboot', createdAt: at, ...more });
const shownBy = (changes: readonly Request[], status: 'firing' | 'resolved' = 'firing') => {
  const body = alertmanagerBody([{ instance: 'web-1:9100' }], { status });
  const { blocks } = rendered(messageOf(body), rulebook, changes);
  return blocks[1]?.type === 'section' ? (blocks[1].text?.text ?? '') : '';
};

describe('a message about an alert', () => {
  it('says what, how bad, since when, about which target, and offers what to do', () => {
    expect(rendered(messageOf(alertmanagerBody([{ instance: 'web-1:9100' }])))).toMatchInlineSnapshot(`
      {
        "blocks": [
          {
            "text": {
              "emoji": false,
              "text": "🔴 InstanceDown on web-1",
              "type": "plain_text",
            },
            "type": "header",
          },
          {
            "text": {
              "text": "*critical* · firing since <!date^1795229880^{date_short} {time}|2026-11-21 02:58 UTC>
      Target: *web-1*",
              "type": "mrkdwn",
              "verbatim": true,
            },
            "type": "section",
          },
          {
            "elements": [
              {
                "elements": [
                  {
                    "text": "web-1:9100 does not answer",
                    "type": "text",
                  },
                ],
                "type": "rich_text_quote",
              },
            ],
            "type": "rich_text",
          },
          {
            "elements": [
              {
                "text": "From grafana · <https://prometheus.example/graph?g0.expr=up&amp;instance=web-1:9100|Open the source>",
                "type": "mrkdwn",
                "verbatim": true,
              },
            ],
            "type": "context",
          },
          {
            "elements": [
              {
                "action_id": "alert:0",
                "text": {
                  "emoji": false,
                  "text": "Reboot web-1…",
                  "type": "plain_text",
                },
                "type": "button",
                "value": "a-1 316675dc76e20842",
              },
              {
                "action_id": "alert:1",
                "text": {
                  "emoji": false,
                  "text": "CDN metrics 5xx",
                  "type": "plain_text",
                },
                "type": "button",
                "value": "a-1 79cf3a5fe9e86c83",
              },
            ],
            "type": "actions",
          },
        ],
        "text": "Firing: InstanceDown on web-1 (critical)",
      }
    `);
  });

  it('says when it was over, and offers nothing any more', () => {
    expect(rendered(messageOf(alertmanagerBody([{ status: 'resolved' }])))).toMatchInlineSnapshot(`
      {
        "blocks": [
          {
            "text": {
              "emoji": false,
              "text": "✅ Resolved: InstanceDown on web-1",
              "type": "plain_text",
            },
            "type": "header",
          },
          {
            "text": {
              "text": "*critical* · resolved <!date^1795230600^{date_short} {time}|2026-11-21 03:10 UTC> after 12 min
      Target: *web-1*",
              "type": "mrkdwn",
              "verbatim": true,
            },
            "type": "section",
          },
          {
            "elements": [
              {
                "elements": [
                  {
                    "text": "web-1 does not answer",
                    "type": "text",
                  },
                ],
                "type": "rich_text_quote",
              },
            ],
            "type": "rich_text",
          },
          {
            "elements": [
              {
                "text": "From grafana · <https://prometheus.example/graph?g0.expr=up&amp;instance=web-1|Open the source>",
                "type": "mrkdwn",
                "verbatim": true,
              },
            ],
            "type": "context",
          },
        ],
        "text": "Resolved: InstanceDown on web-1",
      }
    `);
  });

  it('links to the runbook, after the source, while it fires and once it is over', () => {
    const runbook = 'https://runbooks.example/web?a=1&b=<!channel>|x#down';
    for (const status of ['firing', 'resolved'] as const) {
      const shown = rendered(messageOf(alertmanagerBody([{ status, runbook }])));
      const small = shown.blocks.find(({ type }) => type === 'context');
      expect(small?.type === 'context' && small.elements.slice(1)).toEqual([
        {
          type: 'mrkdwn',
          text: '<https://runbooks.example/web?a=1&amp;b=%3C!channel%3E%7Cx#down|Open the runbook>',
          verbatim: true,
        },
      ]);
      expect(messageProblems(shown)).toEqual([]);
    }
  });

  it('omits a runbook that is too long once it is escaped, and is otherwise the same', () => {
    const runbook = `https://runbooks.example/?${'&'.repeat(400)}`;
    const message = messageOf(alertmanagerBody([{ runbook }]));
    expect(readAlert(message.group?.content)?.runbook).toBe(runbook);
    expect(rendered(message)).toEqual(rendered(messageOf(alertmanagerBody())));
  });

  it('lists several alerts and offers a button for each of their targets', () => {
    const message = messageOf(
      alertmanagerBody([
        {},
        { instance: 'web-2:80' },
        { instance: 'unknown' },
        { instance: 'web-2', status: 'resolved' },
      ]),
    );
    expect(buttonsOf(message)).toEqual(['Reboot web-1…', 'Reboot web-2…', 'CDN metrics 5xx']);
    expect(rendered(message).text).toBe('Firing: InstanceDown on web-1, web-2, unknown (critical)');
    expect(JSON.stringify(rendered(message))).toContain('• unknown: unknown does not answer');
  });

  it.each<[what: string, instance: string, target: string | undefined]>([
    ['its name', 'web-1', 'web-1'],
    ['its name with a port', 'web-1:9100', 'web-1'],
    ['its id', '6C6AA80F78364DC2A2AE125E248BE476', 'web-1'],
    ['its id where it is', '1186668/180/2f1b7c1e-93a4-4a55-8c19-7f7f3f0c2b10', 'web-2'],
    ['its id elsewhere', '1186668/76/2f1b7c1e-93a4-4a55-8c19-7f7f3f0c2b10', undefined],
    ['its name in a domain', 'WEB-1.staging.example:9100', 'web-1'],
    ['a name that begins alike', 'web-10.staging.example:9100', undefined],
    ['a name that ends alike', 'db.web-1.example:9100', undefined],
    ['a name of every object', 'constructor', undefined],
    ['an option', '--hard', undefined],
    ['two words', 'web-1 --hard', undefined],
  ])('finds the target by %s, and only then', (_, instance, target) => {
    const message = messageOf(alertmanagerBody([{ instance }]));
    expect(buttonsOf(message)).toEqual([
      ...(target === undefined ? [] : [`Reboot ${target}…`]),
      'CDN metrics 5xx',
    ]);
  });

  it('has the buttons of the rules as they are now', () => {
    const message = messageOf(alertmanagerBody());
    expect(
      buttonsOf(message, rulesOf(sampleRules.replace('alertname: InstanceDown', 'alertname: Other'))),
    ).toEqual(['CDN metrics 5xx']);
    expect(
      buttonsOf(message, rulesOf(sampleRules.replace('5xx --last 1h', '5xx --last 1h, label: Errors'))),
    ).toEqual(['Reboot web-1…', 'Errors']);
    expect(buttonsOf(message, rulesOf(sampleRules.slice(0, sampleRules.indexOf('hooks:'))))).toEqual([]);
  });

  it('about many says how many fire, and lists them with what is newest of each', () => {
    const content: AlertContent = {
      title: 'HostUnreachable',
      severity: 'warning',
      alerts: [],
      firing: 1,
      total: 1,
    };
    const shownOf = (more: Partial<AlertContent>): AlertContent => ({ ...content, ...more });
    const storm: OfferStorm = {
      tier: 'other',
      firing: 2400,
      total: 2493,
      titles: [
        { title: 'HostUnreachable', firing: 1990, content: shownOf({ targets: ['web-1'] }), since: at },
        { title: '<!channel>', firing: 1, content: shownOf({ severity: undefined }), since: at },
      ],
    };
    const message = { ...messageOf(alertmanagerBody()), group: undefined, storm };
    const shown = rendered(message);
    expect(shown.text).toBe('Firing: 2,400 more alerts');
    const [, lines] = shown.blocks;
    expect(lines?.type === 'section' && lines.text?.text.replaceAll(/<!date.*?>/gu, 'then')).toBe(
      [
        'Since then, 93 resolved. Grouped because many alerts arrived at once.',
        '• warning: HostUnreachable, 1,990 firing, the newest on web-1 since then',
        '• &lt;!channel&gt;, since then',
        '… and 409 under other titles',
      ].join('\n'),
    );
    expect(buttonsOf(message)).toEqual(['CDN metrics 5xx']);
    const over = rendered({ ...message, storm: { ...storm, firing: 0, titles: [] } });
    expect(over.text).toBe('Resolved: 2,493 more alerts');
    const worse = rendered({ ...message, storm: { ...storm, tier: 'critical', firing: 1 } });
    expect(worse.text).toBe('Firing: 1 more critical alert');
  });

  it('tells the channel who changes what in its thread, and when it was over after that', () => {
    expect(shownBy([change('proposed')])).toContain(
      '👉 <@U0ALICE> is confirming *Reboot web-1* (staging) in the thread',
    );
    expect(shownBy([change('proposed')], 'resolved')).toContain(
      '👉 <@U0ALICE> has not confirmed *Reboot web-1* (staging) yet, see the thread',
    );
    expect(shownBy([change('awaiting approval')])).toContain(
      '⏳ *Reboot web-1* (staging) by <@U0ALICE> needs approval',
    );
    expect(shownBy([change('cancelled')])).not.toContain('web-1* (staging)');
    const done = change('succeeded', { endedAt: at - 60_000 });
    expect(shownBy([change('failed', { endedAt: at }), done])).toMatch(
      /❌ .* failed at .*\n✅ \*Reboot web-1\* \(staging\) by <@U0ALICE> succeeded at <!date/u,
    );
    expect(shownBy([done])).not.toContain(' after *Reboot');
    expect(shownBy([done], 'resolved')).toMatch(/ after \*Reboot web-1\* \(staging\)\n/u);
  });

  it('says what happened to the target once the service is known to have done it', () => {
    const outcome = { tasks: { ids: ['t-1'], finished: true as const } };
    expect(shownBy([change('succeeded', { endedAt: at, outcome })])).toMatch(
      /✅ \*web-1\* \(staging\) rebooted by <@U0ALICE> at <!date/u,
    );
    const before = change('succeeded', { endedAt: at - 3 * 60_000, outcome });
    expect(shownBy([before, change('failed', { endedAt: at - 3 * 60_000 })])).toMatch(
      /\nBefore this alert: ✅ \*web-1\* \(staging\) rebooted by <@U0ALICE> at .*\nBefore this alert: ❌ \*Reboot web-1\*/u,
    );
    const rollout = rolloutStory(3)['done past an unknown'];
    expect(shownBy([change('succeeded', { ...rollout, endedAt: at })])).toMatch(
      /⚠️ \*Reboot 3 × tier=web\* \(staging\) by <@U0ALICE>: 2 of 3 rebooted\. The outcome for web-2 is unknown\./u,
    );
  });

  it.each([
    ['before it fired', -3 * 60_000, /^undefined$/u],
    ['after its end', 11 * 60_000, /^undefined$/u],
    [
      'in between',
      9 * 60_000,
      /^<@U0ALICE> ✅ InstanceDown on web-1: resolved 1 min after \*Reboot web-1\* \(staging\)\.$/u,
    ],
  ])('that is resolved mentions the person whose change ended %s, or no one', (_, ms, said) => {
    const resolved = messageOf(alertmanagerBody([{ instance: 'web-1:9100', status: 'resolved' }]));
    const text = resolvedText(registry, resolved, [change('succeeded', { endedAt: at + ms })]);
    expect(String(text)).toMatch(said);
    const firing = messageOf(alertmanagerBody([{ instance: 'web-1:9100' }]));
    expect(resolvedText(registry, firing, [change('succeeded', { endedAt: at + ms })])).toBe(undefined);
  });

  it('that is continued in a newer one says so and offers nothing, and is not posted for that', () => {
    const { group, ...message } = messageOf(alertmanagerBody());
    if (!group) throw new Error('no group');
    const moved = { ...message, moved: { content: group.content }, ts: '1.1' };
    expect(rendered(moved).text).toBe('Continued below: InstanceDown on web-1');
    expect(JSON.stringify(rendered(moved).blocks)).toContain('Continued in a newer message below.');
    expect(buttonsOf(moved)).toEqual([]);
    const ended = { ...group.content, firing: 0 };
    expect(rendered({ ...moved, moved: { content: ended } }).text).toBe(
      'Fires again below: InstanceDown on web-1',
    );
    const unreadable = { ...moved, moved: { content: { title: 'InstanceDown' } } };
    expect(rendered(unreadable).text).toBe('Continued below: InstanceDown');
    expect(
      renderAlert({ registry, rulebook: () => rulebook, disclaimers: [] }, { ...moved, ts: undefined }),
    ).toBe(undefined);
  });

  it('keeps its own words apart from those of the alert', () => {
    const imitation = { summary: 'down\nTarget: *db-1*', severity: 'page* Target: *db-1' };
    const body = alertmanagerBody([imitation]);
    const { blocks } = rendered(messageOf(body));
    const own = blocks[1]?.type === 'section' ? blocks[1].text?.text : '';
    const literal = '<!date^00000000^{_}|*>';
    expect(own).toContain(`*page${literal} Target: ${literal}db-1* · `);
    expect(own).toMatch(/\nTarget: \*web-1\*$/u);
    expect(blocks[2]).toEqual({
      type: 'rich_text',
      elements: [{ type: 'rich_text_quote', elements: [{ type: 'text', text: imitation.summary }] }],
    });
    const two = rendered(messageOf(alertmanagerBody([imitation, { ...imitation, instance: 'web-2' }])));
    expect(JSON.stringify(two.blocks)).toContain(`• web-2: down Target: ${literal}db-1${literal}`);
  });

  it('is within the limits of Slack and wakes no one, whatever the alert says', () => {
    fc.assert(
      fc.property(
        hostileText,
        hostileText,
        hostileText,
        hostileText,
        (alertname, instance, summary, severity) => {
          const runbook = `https://example.com/${summary}`;
          const body = alertmanagerBody([{ alertname, instance, summary, severity, runbook }, { summary }], {
            externalURL: `https://example.com/${summary}`,
          });
          const shown = rendered(messageOf(body));
          expect(messageProblems(shown)).toEqual([]);
        },
      ),
      { numRuns: Number(process.env['FUZZ_RUNS'] ?? 200) },
    );
  });
});

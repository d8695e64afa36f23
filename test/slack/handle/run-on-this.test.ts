import type { MessageShortcut } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { SlackContext } from '../../../src/slack/messages/context.ts';
import { handleShortcut, messageWords } from '../../../src/slack/handle/run-on-this.ts';
import { setStage, type ServiceStage } from '../../operations/stage.ts';
import { received, sendThrough } from '../receive/handled.ts';
import { shortcut, submission } from '../receive/payload-samples.ts';
import { outline } from '../outline.ts';

let stage: ServiceStage;
beforeAll(async () => {
  stage = await setStage();
});
afterAll(() => stage.close());

/** A Slack that records opened views and private messages. */
function openSlack() {
  const opened: ModalView[] = [];
  const said: string[] = [];
  const context = {
    ...stage.context,
    api: {
      openView: (_: string, view: ModalView) => Promise.resolve(void opened.push(view)),
      respond: (_: string, { text, thread }: { text: string; thread?: string }) =>
        Promise.resolve(void said.push(`${thread}: ${text}`)),
    },
    clock: stage.clock,
    ids: { correlation: () => 'c-1' },
    log: { info() {}, warn() {}, error() {} },
    disclaimers: [],
    ownTeam: 'T0LOCAL',
  } as unknown as SlackContext;
  return { opened, said, context };
}

async function runOn(message: object, team_id = 'T0LOCAL') {
  const slack = openSlack();
  const sent = {
    ...shortcut,
    user: { ...shortcut.user, team_id },
    message: { ...shortcut.message, ...message },
  };
  await handleShortcut(slack.context, sent as unknown as MessageShortcut, received(sent).context);
  return slack;
}

/** Chooses in the view as a person does. Resolves to the view that replaces it. */
async function choose(context: SlackContext, { private_metadata }: ModalView, value: string) {
  const values = { command: { value: { type: 'static_select', selected_option: { value } } } };
  const view = { ...submission.view, callback_id: 'run-on-this', private_metadata, state: { values } };
  const [answer] = await sendThrough(context, { ...submission, view });
  return answer as { response_action: string; view: ModalView; errors: object };
}

const optionsOf = (view: ModalView | undefined): unknown => {
  const text = JSON.stringify(view?.blocks);
  return [...text.matchAll(/"text":"([^"]*)","emoji":false\},"value"/gu)].map(([, each]) => each);
};

describe('“Run on this…” on a message', () => {
  it('offers first what can be run on the instances and containers that the message names', async () => {
    const { opened, said } = await runOn({ text: 'web-1 hangs since api was deployed' });
    expect(said).toEqual([]);
    expect(optionsOf(opened[0])).toMatchInlineSnapshot(`
      [
        "Reboot web-1",
        "Stop web-1",
        "Start web-1",
        "Suspend web-1",
        "Resume web-1",
        "Show web-1",
        "Hold web-1",
        "Release web-1",
        "Show container api",
        "Hold api",
        "Release api",
        "/cloud reboot <instance>",
        "/cloud stop <instance>",
        "/cloud start <instance>",
        "/cloud suspend <instance>",
        "/cloud resume <instance>",
        "/cloud list [search]",
        "/cloud show <instance>",
        "/cloud container <name>",
        "/cloud ips [search]",
        "/cloud whois <address>",
        "/cdn metrics [names…]",
        "/cdn capacity [country…]",
        "/cdn raw-logs",
        "/cdn purge <resource> [path…]",
        "/cdn purges [purge]",
        "/storage post <kind> --bucket … --storage …",
        "/storage change <kind> --bucket … --storage …",
        "/storage delete <kind> --bucket … --storage …",
        "/storage kinds",
        "/storage events [kind…]",
        "/bellhop help",
        "/bellhop can <command…>",
        "/bellhop policy",
        "/bellhop requests",
        "/bellhop audit",
        "/bellhop timeline",
        "/bellhop status",
        "/bellhop alerts",
        "/bellhop oncall",
        "/bellhop hold <targets…> --reason …",
        "/bellhop release [targets…]",
        "/bellhop extend <id…>",
        "/bellhop holds",
      ]
    `);
    expect(outline(opened[0]?.blocks ?? [])).toContain('the message: `web-1`, `api`.');
  });

  it('fills the form of the chosen operation in with the target, and keeps the thread of the message', async () => {
    const { opened, context } = await runOn({ text: 'web-1 hangs' });
    const [view] = opened;
    if (!view) throw new Error('nothing was opened');
    const { response_action: action, view: next } = await choose(context, view, '0 cloud.reboot');
    expect(action).toBe('update');
    expect(next.callback_id).toBe('ask');
    expect(JSON.stringify(next.blocks)).toContain(
      '"initial_option":{"text":{"type":"plain_text","text":"web-1"',
    );
    expect(JSON.parse(next.private_metadata ?? '')).toEqual({
      operation: 'cloud.reboot',
      place: { team: 'T0LOCAL', channel: 'C0OPS', thread: '1763700000.000100' },
      responseUrl: shortcut.response_url,
      opensThread: true,
    });
  });

  it('says where nothing is found, and offers every command', async () => {
    const { opened } = await runOn({ text: 'good morning' });
    expect(outline(opened[0]?.blocks ?? [])).toContain('No known instance or container');
    expect(optionsOf(opened[0])).toContain('/cloud reboot <instance>');
  });

  it('looks through the blocks and attachments of an alert', async () => {
    const { opened } = await runOn({
      text: '',
      bot_id: 'B0GRAFANA',
      blocks: [{ type: 'section', fields: [{ type: 'mrkdwn', text: '*instance*\nweb-2:9100' }] }],
      attachments: [{ color: 'danger', fallback: 'down', fields: [{ title: 'Instance', value: 'db-1' }] }],
    });
    expect(outline(opened[0]?.blocks ?? [])).toContain('the message: `web-2`, `db-1`.');
  });

  it('opens nothing for someone of another organization, and says so where they see it', async () => {
    const { opened, said } = await runOn({ text: 'web-1 hangs' }, 'T0OTHER');
    expect(opened).toEqual([]);
    expect(said).toEqual([expect.stringMatching(/^undefined: Bellhop takes commands only from members/u)]);
  });

  it('takes a choice for a hint: of a target that was not offered nothing is filled in, of no operation nothing comes', async () => {
    const { opened, context } = await runOn({ text: 'web-1 hangs' });
    const [view] = opened;
    if (!view) throw new Error('nothing was opened');
    const { view: empty } = await choose(context, view, '7 cloud.reboot');
    expect(JSON.stringify(empty.blocks)).not.toContain('initial_option');
    expect(await choose(context, view, '0 cloud.melt')).toBeUndefined();
  });
});

it('the text of a message is bounded, however deep it lies', () => {
  const deep = Array.from({ length: 1000 }).reduce<object>((inside) => ({ elements: [inside] }), {
    text: 'x',
  });
  expect(messageWords({ blocks: [deep] })).toBe('');
  expect(messageWords({ text: 'y'.repeat(30_000), attachments: [{ text: 'z' }] })).toHaveLength(20_000);
});

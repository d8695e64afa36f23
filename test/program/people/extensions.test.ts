import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';

import type { DrawnView } from '../../../playground/workspace/protocol.ts';
import type { EndpointName } from '../../areas/service-client.ts';
import { until } from '../../until.ts';
import { exampleRulebook } from '../rulebook-text.ts';
import { buttonsOf, setStage, type Message, type Stage } from '../stage.ts';
import { gesture } from '../workspace-page.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await setStage({ rulebook: exampleRulebook({ tasks: true }), env: { LOG_LEVEL: 'warn' } });
});
afterAll(() => stage.close());

/** The first message that this brings, once it says the text. */
async function answerTo(as: string, doing: () => Promise<unknown>, text: string): Promise<Message> {
  const before = new Set((await stage.messages(as)).map(({ ts }) => ts));
  await doing();
  return stage.seen(as, (message) => !before.has(message.ts) && message.text.includes(text));
}

const type = (as: string, line: string, text: string): Promise<Message> =>
  answerTo(as, () => stage.say(as, line), text);

const blocksOf = ({ blocks }: Message): string => JSON.stringify(blocks);

/** Lets the tasks of the service end until the card says so. */
const succeeds = ({ ts }: Message): Promise<Message> =>
  until(
    async () => {
      await stage.advance(2000);
      const messages = await stage.messages('U0ALICE');
      return messages.find((message) => message.ts === ts && message.text.includes(': succeeded'));
    },
    () => stage.bot.output(),
  );

const inputs = z.looseObject({
  blocks: z.array(
    z.looseObject({
      block_id: z.string(),
      element: z.looseObject({ type: z.string(), action_id: z.string() }).optional(),
    }),
  ),
});

/** Enters these into the fields of an open form, and submits it. */
function submit(view: DrawnView, values: Readonly<Record<string, string>>): Promise<unknown> {
  const entered = inputs.parse(view).blocks.flatMap(({ block_id: block, element }) => {
    const value = values[block];
    if (element === undefined || value === undefined) return [];
    const chosen = { selected_option: { text: { type: 'plain_text', text: value }, value } };
    const typed = { type: element.type, ...(element.type.endsWith('select') ? chosen : { value }) };
    return [[block, { [element.action_id]: typed }] as const];
  });
  expect(entered.map(([block]) => block).toSorted()).toEqual(Object.keys(values).toSorted());
  const body = { as: 'U0ALICE', view_id: view.id, values: Object.fromEntries(entered) };
  return gesture(stage.workspace, 'submit', body);
}

async function formOf(line: string): Promise<DrawnView> {
  await stage.say('U0ALICE', line);
  return until(async () => (await stage.modals('U0ALICE'))[0]);
}

/** Confirms a proposed change, which then ends well. Resolves to how often the service was called. */
async function callsOnceConfirmed(card: Message, endpoint: EndpointName): Promise<number> {
  const before = await stage.calls(endpoint);
  const [button = ''] = buttonsOf(card);
  await stage.press('U0ALICE', card, button);
  await succeeds(card);
  return (await stage.calls(endpoint)) - before;
}

const videos = '--bucket videos --storage media';

describe('with all extensions', () => {
  it.each([
    ['/cloud list', 'Instances in', 'listInstances'],
    ['/cloud show web-1', 'Instance web-1', 'readInstance'],
    ['/cloud ips --all', 'Floating IPs in', 'listHeldFloatingIps'],
    ['/cloud whois 198.51.100.1', '198.51.100.1', 'listHeldFloatingIps'],
    ['/cdn purges', 'Purges of the CDN', 'listPurges'],
  ] as const)('%s is answered privately, from the service', async (line, text, endpoint) => {
    const before = await stage.calls(endpoint);
    expect(await type('U0ALICE', line, text)).toMatchObject({ ephemeral: true });
    expect(await stage.calls(endpoint)).toBeGreaterThan(before);
  });

  it.each([
    ['/cloud reboot web-1 --hard', 'actOnInstance', 'hard'],
    ['/cloud suspend web-1', 'actOnInstance', 'suspend'],
    ['/cloud resume web-1', 'actOnInstance', 'resume'],
    [`/storage change reaching_used_space ${videos} --bytes 9TB`, 'changeStorageEvent', '9 TB'],
    [`/storage delete reaching_used_space ${videos}`, 'deleteStorageEvent', 'DELETE'],
    ['/cdn purge 1001 /css/site.css', 'purgeResource', '/css/site.css'],
  ] as const)('%s is shown, confirmed, sent once and followed to its end', async (line, endpoint, shown) => {
    const card = await type('U0ALICE', line, ': proposed');
    expect(blocksOf(card)).toContain(shown);
    expect(await callsOnceConfirmed(card, endpoint)).toBe(1);
  });

  it.each([
    ['/cloud reboot --hard', { instance: 'web-2' }, 'actOnInstance'],
    ['/cloud suspend', { instance: 'web-2' }, 'actOnInstance'],
    ['/cloud resume', { instance: 'web-2' }, 'actOnInstance'],
    ['/cloud stop', { instance: 'web-2' }, 'stopInstance'],
    ['/cloud start', { instance: 'web-2' }, 'actOnInstance'],
    [
      '/storage change reaching_used_requests',
      { bucket: 'videos', storage: 'media', count: '123' },
      'changeStorageEvent',
    ],
    [
      '/storage delete',
      { kind: 'reaching_used_requests', bucket: 'videos', storage: 'media' },
      'deleteStorageEvent',
    ],
    ['/cdn purge', { resource: '1001', path: '/a.css' }, 'purgeResource'],
  ] as const)('%s asks in a form for what is missing', async (line, values, endpoint) => {
    const view = await formOf(line);
    const card = await answerTo('U0ALICE', () => submit(view, values), ': proposed');
    expect(await callsOnceConfirmed(card, endpoint)).toBe(1);
  });

  it('/cloud show has the buttons that fit the state, and each leads to a card that asks', async () => {
    const running = await type('U0ALICE', '/cloud show web-1', 'Instance web-1');
    expect(buttonsOf(running)).toEqual(expect.arrayContaining(['Reboot…', 'Stop…']));
    const before = await stage.calls('rebootInstance');
    const reboot = await answerTo(
      'U0ALICE',
      () => stage.press('U0ALICE', running, 'Reboot…'),
      'web-1: proposed',
    );
    await stage.press('U0ALICE', reboot, 'Cancel');
    await stage.seen('U0ALICE', ({ ts, text }) => ts === reboot.ts && text.includes('cancelled'));
    expect(await stage.calls('rebootInstance')).toBe(before);
    const stop = await answerTo('U0ALICE', () => stage.press('U0ALICE', running, 'Stop…'), 'web-1: proposed');
    expect(await callsOnceConfirmed(stop, 'stopInstance')).toBe(1);
    const stopped = await type('U0ALICE', '/cloud show web-1', 'Instance web-1');
    expect(buttonsOf(stopped)).not.toContain('Stop…');
    const start = await answerTo(
      'U0ALICE',
      () => stage.press('U0ALICE', stopped, 'Start…'),
      'web-1: proposed',
    );
    expect(await callsOnceConfirmed(start, 'actOnInstance')).toBe(1);
    expect(blocksOf(await type('U0ALICE', '/cloud show web-1', 'Instance web-1'))).toContain(
      'start_vm, FINISHED',
    );
  });

  it('/cloud show has no such button for people who may only look, and is refused to a guest', async () => {
    const shown = await type('U0BOB', '/cloud show web-1', 'Instance web-1');
    expect(buttonsOf(shown).filter((text) => text.endsWith('…'))).toEqual([]);
    const before = await stage.calls('readInstance');
    const refused = await type('U0GUS', '/cloud show web-1', 'You have no role that may run');
    expect(refused.ephemeral).toBe(true);
    expect(buttonsOf(refused)).toEqual([]);
    expect(await stage.calls('readInstance')).toBe(before);
  });

  it('/cdn purge --all is sent once someone else has approved', async () => {
    const before = await stage.calls('purgeResource');
    const card = await type('U0ALICE', '/cdn purge 1001 --all', ': awaiting approval');
    await answerTo('U0ALICE', () => stage.press('U0ALICE', card, 'Approve'), 'approve');
    expect(await stage.calls('purgeResource')).toBe(before);
    await stage.press('U0CAROL', card, 'Approve');
    await succeeds(card);
    expect(await stage.calls('purgeResource')).toBe(before + 1);
  });
});

import { z } from 'zod';

import type { Message, Stage } from '../../program/stage.ts';
import { until } from '../../until.ts';
import { gesture } from '../../program/workspace-page.ts';

/** A body as it goes over the wire. */
export interface Wire {
  readonly type: string;
  readonly body: string | Buffer;
}

export type Path = readonly (string | number)[];

/** A payload that would do something if it were sent unchanged. */
export interface Victim {
  readonly name: string;
  /** The vital fields. Nothing may run if any one of these is wrong. */
  readonly vital: readonly Path[];
  /** A payload that Slack has not sent before, so that it is not taken for a redelivery. */
  fresh(number: number): object;
  wire(payload: object): Wire;
}

const form = 'application/x-www-form-urlencoded';
const asFields = (payload: object): Wire => ({
  type: form,
  body: new URLSearchParams(
    Object.entries(payload).map(([name, value]): [string, string] => [
      name,
      typeof value === 'string' ? value : (JSON.stringify(value) ?? ''),
    ]),
  ).toString(),
});
const asInteraction = (payload: object): Wire => ({
  type: form,
  body: new URLSearchParams({ payload: JSON.stringify(payload) }).toString(),
});
const asEvent = (payload: object): Wire => ({ type: 'application/json', body: JSON.stringify(payload) });

const clickSchema = z.looseObject({ actions: z.tuple([z.looseObject({})]) });
const viewSchema = z.looseObject({ view: z.looseObject({}) });

const requestOf = (card: Message): string => /\br-[a-z0-9]{10}\b/u.exec(card.text)?.[0] ?? '';

/** The payloads of one request that waits to be confirmed, and its data. */
export interface Lure {
  readonly victims: readonly Victim[];
  readonly card: Message;
  readonly confirmation: Victim;
}

/**
 * Alice does everything once, and the payloads that Slack sent are kept, including the click that would confirm a
 * reboot that is still open.
 */
export async function layOut(stage: Stage): Promise<Lure> {
  const cancelled = await askByForm(stage);
  await stage.press('U0ALICE', cancelled, 'Cancel');
  await stage.seen('U0ALICE', ({ ts, text }) => ts === cancelled.ts && text.includes(': cancelled'));
  await stage.say('U0ALICE', '/cloud reboot web-2');
  const card = await stage.seen('U0ALICE', ({ text }) => text.includes('Reboot web-2: proposed'));
  await gesture(stage.workspace, 'home', { as: 'U0ALICE' });
  const sent = (sign: string): Promise<unknown> => until(async () => lastSent(stage, sign));
  const confirmation = clickOf(
    JSON.parse(
      JSON.stringify(await sent('"block_actions"'))
        .replaceAll(requestOf(cancelled), requestOf(card))
        .replaceAll(cancelled.ts, card.ts)
        .replaceAll('"cancel"', '"confirm"'),
    ),
  );
  return {
    card,
    confirmation,
    victims: [
      commandOf(await sent('reboot web-2')),
      confirmation,
      formOf(await sent('"view_submission"')),
      suggestionOf(await sent('"block_suggestion"')),
      eventOf(await sent('"event_callback"')),
    ],
  };
}

/** Through the form of `/cloud reboot`. Resolves to the card. */
async function askByForm(stage: Stage): Promise<Message> {
  await stage.say('U0ALICE', '/cloud reboot');
  const view = await until(
    async () => (await stage.modals('U0ALICE'))[0],
    () => stage.bot.output(),
  );
  const element = { container: { type: 'view', view_id: view.id }, block_id: 'instance', action_id: 'value' };
  await gesture(stage.workspace, 'options', { as: 'U0ALICE', ...element, value: 'we' });
  const option = { text: { type: 'plain_text', text: 'web-1' }, value: 'web-1' };
  await gesture(stage.workspace, 'submit', {
    as: 'U0ALICE',
    view_id: view.id,
    values: { instance: { value: { type: 'external_select', selected_option: option } } },
  });
  return stage.seen('U0ALICE', ({ text }) => text.includes('Reboot web-1: proposed'));
}

/** The newest payload that contains this. */
function lastSent(stage: Stage, sign: string): unknown {
  for (const { headers, body } of stage.payloads.passed.toReversed()) {
    const fields = new URLSearchParams(body.toString());
    const payload = fields.get('payload');
    const json = headers['content-type'] === form ? payload : body.toString();
    if (json?.includes(sign) === true) return JSON.parse(json);
    if (json === null && fields.get('text') === sign) return Object.fromEntries(fields);
  }
  return undefined;
}

function commandOf(recorded: unknown): Victim {
  const payload = z.record(z.string(), z.string()).parse(recorded);
  return {
    name: 'command',
    // The team is not vital: users.info says who is a member of the workspace.
    vital: [['command'], ['text'], ['user_id'], ['channel_id']],
    fresh: (number) => ({ ...payload, trigger_id: `${number}.1.fresh` }),
    wire: asFields,
  };
}

function clickOf(recorded: unknown): Victim {
  const payload = clickSchema.parse(recorded);
  const [action] = payload.actions;
  return {
    name: 'click',
    vital: [
      ['type'],
      ['user'],
      ['user', 'id'],
      ['actions'],
      ['actions', 0, 'action_id'],
      ['actions', 0, 'value'],
    ],
    fresh: (number) => ({
      ...payload,
      trigger_id: `${number}.2.fresh`,
      actions: [{ ...action, action_ts: `${1_795_000_000 + number}.000100` }],
    }),
    wire: asInteraction,
  };
}

function formOf(recorded: unknown): Victim {
  const payload = viewSchema.parse(recorded);
  return {
    name: 'form',
    vital: [
      ['type'],
      ['user', 'id'],
      ['view'],
      ['view', 'callback_id'],
      ['view', 'private_metadata'],
      ['view', 'state'],
      ['view', 'state', 'values', 'instance'],
      ['view', 'state', 'values', 'instance', 'value', 'selected_option', 'value'],
    ],
    fresh: (number) => ({ ...payload, view: { ...payload.view, hash: `${number}.3.fresh` } }),
    wire: asInteraction,
  };
}

function suggestionOf(recorded: unknown): Victim {
  const payload = viewSchema.parse(recorded);
  return {
    name: 'typing',
    vital: [['type'], ['user', 'id'], ['action_id'], ['block_id'], ['value'], ['view', 'private_metadata']],
    fresh: () => payload,
    wire: asInteraction,
  };
}

function eventOf(recorded: unknown): Victim {
  const payload = z.looseObject({}).parse(recorded);
  return {
    name: 'event',
    vital: [['type'], ['event_id'], ['event'], ['event', 'type'], ['event', 'user']],
    fresh: (number) => ({ ...payload, event_id: `Ev${number}` }),
    wire: asEvent,
  };
}

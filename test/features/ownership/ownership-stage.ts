import { createRegistry } from '../../../src/command/grammar/registry.ts';
import { createOwnerHandler } from '../../../src/features/ownership/handler.ts';
import { ownership } from '../../../src/features/ownership/index.ts';
import { ownerKind, ownersNow } from '../../../src/features/ownership/owner.ts';
import { ownerParts, takeAction } from '../../../src/features/ownership/render.ts';
import type { Handler } from '../../../src/model/records/due.ts';
import type { OfferMessage, OpenFold } from '../../../src/model/records/offer.ts';
import { createReplyHandler } from '../../../src/slack/messages/replies.ts';
import type { SlackContext } from '../../../src/slack/messages/context.ts';
import type { Click } from '../../../src/slack/receive/dispatch.ts';
import type { Message } from '../../../src/slack/render/blocks.ts';
import { callerOf } from '../../core.ts';
import { people, type Who } from '../../people.ts';
import { type BoxStage, openBoxes } from '../../run/sample-boxes.ts';
import { workDue } from '../../due/work-due.ts';

export const minute = 60_000;
export const hour = 60 * minute;

interface Said {
  readonly to: string;
  readonly thread: string | undefined;
  readonly message: Message;
}

const noFold: Partial<OpenFold> = {};

export const groupOf = ({ group }: OfferMessage): string => group?.id ?? '';

/** Roles with schedules, each with the name of its role. */
export const inRota = (...names: readonly string[]) => ({
  roles: {
    responders: { users: ['U0ALICE'], usergroups: [] },
    ...Object.fromEntries(
      names.map((name) => [name, { users: [], usergroups: [], sources: [{ key: 'rota', name }] }]),
    ),
  },
});

/** Boxes with an alert on db-1 and its message, of which people are owners. */
export async function openOwnership() {
  const opened = await openBoxes();
  const operations = opened.context.registry.entries.map(({ operation }) => operation);
  const boxes: BoxStage = opened.another(opened.store, {
    registry: createRegistry([...operations, ...(ownership.operations ?? [])], []),
  });
  const said: Said[] = [];
  const say = (to: string, message: Message, thread?: string): void =>
    void said.push({ to, message, thread });
  const parts = {
    ...boxes.context,
    store: boxes.store,
    clock: boxes.clock,
    disclaimers: [],
    inProgress: { run: (_: unknown, does: () => Promise<unknown>) => does() },
    offers: [{ owns: () => true, ownedForMs: () => 4 * hour }],
    api: {
      postMessage: async (channel: string, message: Message, thread?: string) =>
        say(channel, message, thread),
      postEphemeral: async (_: string, user: string, message: Message) => say(user, message),
    },
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parts that ownership uses
  const slack = parts as unknown as SlackContext;
  const handlers: readonly Handler[] = [createOwnerHandler(parts), createReplyHandler(slack)];
  const state = { slack };

  let numbered = 0;

  /** Resolves to the message of the group, as its hook reports it. */
  async function fire(
    status: 'firing' | 'resolved' = 'firing',
    {
      key = 'db-1 down',
      title = 'InstanceDown',
      fold = noFold,
      channel = 'C0INC42',
      rank = 4,
      targets = ['db-1'],
      on = ['db-1'],
    } = {},
  ): Promise<OfferMessage> {
    const at = boxes.clock.now();
    const messageId = `a-${(numbered += 1)}`;
    const content = { title, targets, on };
    const update = { key, status, digest: `${numbered}`, content };
    await boxes.store.foldOffer({
      source: 'grafana',
      channel,
      at,
      messageId,
      update,
      fold: (known) => ({
        fold:
          known && !('in' in fold)
            ? { kind: 'change' }
            : { kind: 'open', in: 'message', tier: 'target', ...fold },
        update,
        rank,
        told: {},
      }),
      entries: () => [],
    });
    const found = await boxes.store.findOfferOf('grafana', key);
    const message = await boxes.store.findOffer(found?.messageId ?? '');
    if (!message) throw new Error('no message');
    if (message.ts === undefined)
      await boxes.store.markOfferShown(message, { channel, ts: `${messageId}.1` });
    return { ...message, ts: message.ts ?? `${messageId}.1` };
  }

  async function press(
    who: Who,
    message: OfferMessage,
    action = takeAction,
    channel = 'C0INC42',
  ): Promise<void> {
    const click = {
      action: { value: groupOf(message) },
      context: {
        caller: callerOf(people[who], channel),
        responseUrl: undefined,
        clicked: { ts: message.ts },
      },
    };
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parts of a click that ownership uses
    await ownership.buttons?.[action]?.(state.slack, click as unknown as Click);
  }

  const shown = async (message: OfferMessage, drawn = {}): Promise<string> => {
    const current = (await boxes.store.findOfferOfGroup(groupOf(message))) ?? message;
    return JSON.stringify(await ownerParts(state.slack)(current, drawn));
  };

  /** Does the due work, as the queue does. */
  async function work(): Promise<void> {
    while ((await workDue(boxes.store, boxes.clock.now(), ...handlers)) > 0);
  }

  const log = async (): Promise<readonly string[]> =>
    (await boxes.store.audit({ limit: 100 }))
      .filter(({ event }) => event.startsWith('alert '))
      .toReversed()
      .map(({ event, note, actor }) => `${event}: ${note} by ${actor?.user ?? 'Bellhop'}`);

  return Object.assign(state, {
    boxes,
    /** The messages in Slack, in order. */
    said,
    fire,
    press,
    shown,
    work,
    log,
    owners: async () => ownersNow(await boxes.store.lasting(ownerKind)),
    inThread: () => said.filter(({ thread }) => thread),
  });
}

export type OwnershipStage = Awaited<ReturnType<typeof openOwnership>>;

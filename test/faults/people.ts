import { isEndedCard, isOpenCard, isRestingCard, requestOf } from '../harness/cards.ts';
import type { ChannelWatch } from '../harness/channel-watch.ts';
import { rollingCommand, rollingName, type Target } from '../harness/targets.ts';
import { pause } from '../harness/world.ts';
import type { Message } from '../program/workspace-page.ts';
import { clickFields, commandFields, type Fields } from './slack-payloads.ts';
import type { Sent, SlackSide } from './slack-side.ts';

/** The actions and observations of people. */
export interface Scene {
  readonly slack: SlackSide;
  readonly watch: ChannelWatch;
  readonly targets: readonly Target[];
  /** The URL for the answer to the payload with this id. */
  readonly responseUrl: (id: string) => string;
}

/** The stories, in turn: half of them read something, and half change something, each in another way. */
const stories = ['look', 'plain', 'look', 'double click', 'look', 'delivered twice'] as const;
type Story = (typeof stories)[number];

/** In milliseconds. A person waits this long for a card, and for its end. */
const cardWithinMs = 20_000;
const endWithinMs = 50_000;

/**
 * In milliseconds. A payload is delivered again this much later: while the first delivery may still be handled, or
 * after that.
 */
const againAfterMs = [5, 400];

const requesters = ['U0ALICE', 'U0BOB'] as const;
const approver = 'U0CAROL';

/**
 * Types this many commands a second, and presses the buttons of their cards, until `goOn` returns false. Resolves when
 * everything that was begun has ended or timed out.
 */
export async function letPeopleWork(scene: Scene, perSecond: number, goOn: () => boolean): Promise<void> {
  const free = [...scene.targets];
  const under: Promise<void>[] = [];
  const began = performance.now();
  for (let number = 0; goOn(); number += 1) {
    await pause(began + (number * 1000) / perSecond - performance.now());
    const story = stories[number % stories.length] ?? 'look';
    const target = story === 'look' ? undefined : free.shift();
    const as = requesters[number % requesters.length] ?? approver;
    if (!target) {
      under.push(look(scene, number, as));
      continue;
    }
    // A target whose request did not end is not used again, because its request would block the next one.
    under.push(change(scene, story, number, as, target).then((ended) => void (ended && free.push(target))));
  }
  await Promise.all(under);
}

async function look({ slack, responseUrl }: Scene, number: number, as: string): Promise<void> {
  const id = `look-${number}`;
  await slack.post(commandFields({ id, as, responseUrl: responseUrl(id) }, `/cloud ips ${id}`), {
    id,
    kind: 'command',
  });
}

/** Runs one request from the command to its end. Resolves to true if it ended. */
async function change(
  scene: Scene,
  story: Story,
  number: number,
  as: string,
  target: Target,
): Promise<boolean> {
  const { slack, watch, responseUrl } = scene;
  const id = `change-${number}`;
  const fields = commandFields(
    { id, as, responseUrl: responseUrl(id) },
    `/${target.area} reboot ${target.name} --reason ${id}`,
  );
  const since = latest(watch);
  const asked = await slack.post(fields, { id, kind: 'command' });
  // Slack showed an error, so people leave it. There may be nothing, or a card that no one presses.
  if (!asked.acked) return false;
  if (story === 'delivered twice') void again(slack, fields);
  const isCard = (message: Message): boolean => message.ts > since && isOpenCard(message, target.name);
  const card = await watch.first(isCard, cardWithinMs);
  const request = card && requestOf(card);
  if (!card || request === undefined) return false;
  await press(scene, story, `press-${number}`, target.production ? approver : as, card, request);
  const isEnd = (message: Message): boolean => message.ts === card.ts && isEndedCard(message);
  return (await watch.first(isEnd, endWithinMs)) !== undefined;
}

async function press(
  { slack, responseUrl }: Scene,
  story: Story,
  id: string,
  as: string,
  card: Message,
  request: string,
): Promise<void> {
  const action = as === approver ? 'approve' : 'confirm';
  const click = async (one: string): Promise<Sent> => {
    const fields = clickFields({ id: one, as, responseUrl: responseUrl(one) }, card, action, request);
    const sent = await slack.post(fields, { id: one, kind: 'click', request });
    if (story === 'delivered twice') void again(slack, fields);
    return sent;
  };
  await Promise.all([click(`${id}-1`), ...(story === 'double click' ? [click(`${id}-2`)] : [])]);
}

const rolledWithinMs = 120_000;

/**
 * Runs a rollout over three targets, delivered twice, and continues after every pause. Resolves to the problem, if
 * there was one.
 */
export async function letThemRoll({ slack, watch, responseUrl }: Scene): Promise<string | undefined> {
  const as = requesters[0];
  let presses = 0;
  const post = async (fields: Fields, about: Parameters<SlackSide['post']>[1]): Promise<Sent> => {
    const sent = await slack.post(fields, about);
    void again(slack, fields);
    return sent;
  };
  const pressAgain = (card: Message, action: string, request: string, value = request): Promise<Sent> => {
    const id = `roll-press-${(presses += 1)}`;
    const fields = clickFields({ id, as, responseUrl: responseUrl(id) }, card, action, value);
    return post(fields, { id, kind: 'click', request });
  };
  let card: Message | undefined;
  for (let tries = 1; !card && tries <= 3; tries += 1) {
    const id = `roll-${tries}`;
    const fields = commandFields(
      { id, as, responseUrl: responseUrl(id) },
      `${rollingCommand} --reason ${id}`,
    );
    await post(fields, { id, kind: 'command' });
    card = await watch.first((message) => isOpenCard(message, rollingName), cardWithinMs);
  }
  const request = card && requestOf(card);
  if (!card || request === undefined) return 'a rollout has no card';
  await pressAgain(card, 'confirm', request);
  const until = performance.now() + rolledWithinMs;
  const rests = (message: Message): boolean => message.ts === card.ts && isRestingCard(message);
  while (performance.now() < until) {
    const now = await watch.first(rests, until - performance.now());
    if (!now) break;
    if (!now.text.includes(': paused')) return undefined;
    const [, value] = /"value":"(r-[a-z0-9]{10}\/\d+)"/u.exec(JSON.stringify(now.blocks)) ?? [];
    await pressAgain(now, value === undefined ? 'stop' : 'continue', request, value);
    await pause(1000);
  }
  return `a rollout came to no end: ${watch.messages.get(card.ts)?.text ?? ''}`;
}

async function again(slack: SlackSide, fields: Parameters<SlackSide['redeliver']>[0]): Promise<void> {
  for (const ms of againAfterMs) {
    await pause(ms);
    await slack.redeliver(fields);
  }
}

const latest = ({ messages }: ChannelWatch): string => [...messages.keys()].at(-1) ?? '';

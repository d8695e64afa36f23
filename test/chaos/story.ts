import type { Workspace } from '../../playground/workspace/start-workspace.ts';
import { buttonsOf, clickOn, gesture, lookAt, type Message } from '../program/workspace-page.ts';
import { continueButton, isEndedCard, isOpenCard, isRestingCard, requestOf } from '../harness/cards.ts';
import type { ChannelWatch } from '../harness/channel-watch.ts';
import type { Dice } from '../harness/seeded-random.ts';
import { rollingCommand, rollingName, type Target } from '../harness/targets.ts';
import { pause } from '../harness/world.ts';
import type { Herd } from './load.ts';
import type { Tollgate } from './tollgate.ts';

/** The world of the stories. */
export interface Scene {
  readonly workspace: Workspace;
  readonly watch: ChannelWatch;
  readonly herd: Herd;
  readonly tollgate: Tollgate;
  readonly dice: Dice;
  /** A request that no one confirms ends after this many milliseconds. */
  readonly expireMs: number;
}

export const storyKinds = [
  'plain',
  'double click',
  'cancel race',
  'expiry race',
  'denial race',
  'answer lost',
  'killed after the command',
  'killed after the proposal',
  'killed after the click',
  'killed before the effect',
  'killed after the effect',
] as const;
type StoryKind = (typeof storyKinds)[number];

/** Runs one request on one target, from the command to its end. Resolves to the problem, if there was one. */
export async function tellStory(scene: Scene, kind: StoryKind, target: Target): Promise<string | undefined> {
  const { dice, herd } = scene;
  const verb = dice.chance(0.8) ? 'reboot' : 'stop';
  const { area, name } = target;
  const card = await ask(scene, kind, `/${area} ${verb} ${name}`, name);
  if (!card) return `${kind}: no card for ${target.name}; ${lastWhispers(scene.watch, target.name)}`;
  const id = requestOf(card);
  await actOut(scene, kind, target, card);
  scene.tollgate.wave(target.id);
  const ended = await isOver(scene.watch, id);
  if (kind === 'plain' && dice.chance(0.05)) void herd.kill(dice.below(herd.size), 'now');
  return ended ? undefined : `${kind}: ${id} on ${target.name} never ended`;
}

const rolledWithinMs = 240_000;

/**
 * Runs a rollout from the command to its end, while bots die. The answer of its second target is lost, with or without
 * an effect, and mostly together with the bot that sent the change. Alice continues after every pause.
 */
export async function tellRollout(scene: Scene, targets: readonly Target[]): Promise<string | undefined> {
  const { dice, herd, tollgate, watch } = scene;
  const card = await ask(scene, 'plain', rollingCommand, rollingName);
  if (!card) return `rollout: no card; ${lastWhispers(watch, rollingName)}`;
  const [id, [, second]] = [requestOf(card), targets];
  const arrived = Promise.withResolvers<number>();
  const released = arrived.promise.then((bot) => (dice.chance(0.7) ? herd.kill(bot, 'soon') : undefined));
  const effect = dice.chance(0.5) ? 'after' : 'before';
  tollgate.hold(second?.id ?? '', { effect, arrived: arrived.resolve, released });
  const go = firstButton(card);
  await together([() => click(scene, 'U0ALICE', card, go), () => click(scene, 'U0ALICE', card, go)]);
  const until = performance.now() + rolledWithinMs;
  while (performance.now() < until) {
    const rests = (message: Message): boolean => requestOf(message) === id && isRestingCard(message);
    const now = await watch.first(rests, until - performance.now());
    if (!now?.text.includes(': paused')) break;
    await click(scene, 'U0ALICE', now, continueButton(now) ?? 'Stop here');
    await pause(500);
  }
  tollgate.wave(second?.id ?? '');
  const { text = '' } = [...watch.messages.values()].find((message) => requestOf(message) === id) ?? {};
  return isRestingCard({ ...card, text }) && !text.includes(': paused') ? undefined : `rollout: ${text}`;
}

/**
 * Resolves to the card that says how the request ended, on any message. Resolves to undefined if no card says so in
 * time.
 */
const isOver = (watch: ChannelWatch, id: string | undefined): Promise<Message | undefined> =>
  watch.first((message) => requestOf(message) === id && isEndedCard(message), endsWithinMs);

const endsWithinMs = 60_000;

/** In milliseconds. All bots may be down at once for a while. */
const cardWithinMs = 45_000;

/** The private messages about a target, for anyone who investigates a failure. */
const lastWhispers = ({ messages }: ChannelWatch, name: string): string =>
  [...messages.values()]
    .filter(({ ephemeral, text }) => ephemeral && text.includes(name))
    .map(({ text }) => text)
    .slice(-3)
    .join(' | ');

/** Types the command until a card appears, because an acknowledged command may have died with its process. */
async function ask(
  { workspace, watch, herd, dice }: Scene,
  kind: StoryKind,
  text: string,
  name: string,
): Promise<Message | undefined> {
  const earlier = new Set(watch.messages.keys());
  const isCard = (message: Message): boolean => !earlier.has(message.ts) && isOpenCard(message, name);
  const began = performance.now();
  for (let tries = 0; performance.now() - began < cardWithinMs; tries += 1) {
    const said = await gesture(workspace, 'send', {
      as: 'U0ALICE',
      channel: 'C0OPS',
      text,
    });
    if (kind === 'killed after the command' && tries === 0) await herd.kill(dice.below(herd.size), 'now');
    const card = await watch.first(isCard, said.ok ? 4000 : 300);
    if (card) return card;
  }
  return undefined;
}

async function actOut(scene: Scene, kind: StoryKind, target: Target, card: Message): Promise<void> {
  const { dice, herd } = scene;
  const [who, go] = target.production
    ? (['U0CAROL', 'Approve'] as const)
    : (['U0ALICE', firstButton(card)] as const);
  const press = (): Promise<void> => click(scene, who, card, go);
  const cancel = (): Promise<void> => click(scene, 'U0ALICE', card, 'Cancel');
  switch (kind) {
    case 'plain':
    case 'killed after the command':
      return press();
    case 'double click':
      return together(Array.from({ length: 2 + dice.below(3) }, () => press));
    case 'cancel race':
      return together(dice.chance(0.5) ? [press, cancel, press] : [cancel, press]);
    case 'denial race':
      return together([press, target.production ? () => deny(scene, who, card) : cancel, press]);
    case 'expiry race':
      await pause(scene.expireMs - 700 + dice.below(900));
      return together([press, press]);
    case 'killed after the proposal':
      await herd.kill(dice.below(herd.size), 'now');
      return press();
    case 'killed after the click':
      await press();
      return herd.kill(dice.below(herd.size), 'now');
    case 'answer lost':
      return held(scene, target, card, press, async () => undefined);
    case 'killed before the effect':
    case 'killed after the effect':
      return held(
        scene,
        target,
        card,
        press,
        (bot) => herd.kill(bot, 'soon'),
        kind.endsWith('after the effect'),
      );
  }
}

/** Holds the change at the service, does something in the meantime, and loses the answer. */
async function held(
  { tollgate, watch }: Scene,
  target: Target,
  card: Message,
  press: () => Promise<void>,
  meanwhile: (bot: number) => Promise<void>,
  effect = true,
): Promise<void> {
  const [arrived, released] = [Promise.withResolvers<number>(), Promise.withResolvers<undefined>()];
  tollgate.hold(target.id, {
    effect: effect ? 'after' : 'before',
    arrived: arrived.resolve,
    released: released.promise,
  });
  await press();
  // If another story kills the process, the click dies with it, and nothing arrives.
  const nothing = isOver(watch, requestOf(card)).then(() => undefined);
  const bot = await Promise.race([arrived.promise, nothing]);
  if (bot !== undefined) await meanwhile(bot);
  released.resolve(undefined);
}

/** Clicks like a person: again if Slack says that the click failed, as long as the button exists. */
async function click({ workspace, watch }: Scene, who: string, card: Message, button: string): Promise<void> {
  for (let tries = 0; tries < 8; tries += 1) {
    const now = watch.messages.get(card.ts) ?? card;
    if (!buttonsOf(now).includes(button)) return;
    const pressed = await gesture(workspace, 'action', clickOn(who, now, button));
    if (pressed.ok) return;
    await pause(200);
  }
}

/** Presses Deny and submits the form that opens, unless it is too late to deny. */
async function deny(scene: Scene, who: string, card: Message): Promise<void> {
  const { workspace } = scene;
  await click(scene, who, card, 'Deny');
  const values = { reason: { value: { type: 'plain_text_input', value: 'not now' } } };
  for (let tries = 0; tries < 8; tries += 1) {
    const [form] = (await lookAt(workspace, who)).modals;
    if (form) return void (await gesture(workspace, 'submit', { as: who, view_id: form.id, values }));
    await pause(100);
  }
}

const firstButton = (card: Message): string => buttonsOf(card)[0] ?? '';

const together = async (acts: readonly (() => Promise<void>)[]): Promise<void> => {
  await Promise.all(acts.map((act) => act()));
};

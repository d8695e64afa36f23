import type { Store } from '../../src/store/store.ts';
import { isOpen, type Request, stateWord } from '../../src/model/records/request.ts';
import { verifyAudit } from '../../src/audit/verify/verify-audit.ts';
import { buttonsOf, type Message } from '../program/workspace-page.ts';
import { requestOf } from './cards.ts';
import type { World } from './world.ts';

/** The faults in the store, the service and the channel after a trial, in words. */
export interface Verdict {
  readonly requests: number;
  /** How many of them are in each state now. */
  readonly states: Readonly<Record<string, number>>;
  /** The number of changes that were sent. */
  readonly changes: number;
  /** The number of changes that the service executed. */
  readonly effects: number;
  readonly twice: readonly string[];
  readonly withoutEnd: readonly string[];
  /** Rows that differ from what the service did. */
  readonly toldWrongly: readonly string[];
  /** Cards that do not show their row. */
  readonly staleCards: readonly string[];
  /** The number of second cards that a crash left behind, and whose buttons were never pressed. */
  readonly strays: number;
  /** Empty if the chain is intact. */
  readonly chain: string;
}

/** Each violation in words. */
export const faultsIn = ({
  twice,
  withoutEnd,
  toldWrongly,
  staleCards,
  chain,
}: Verdict): readonly string[] => [
  ...twice.map((what) => `twice: ${what}`),
  ...withoutEnd.map((what) => `never finished: ${what}`),
  ...toldWrongly.map((what) => `wrong status: ${what}`),
  ...staleCards.map((what) => `card: ${what}`),
  ...(chain === '' ? [] : [`chain: ${chain}`]),
];

/** The changes on the way to the service and at the service, by `X-Request-Id`. */
export interface SeenChanges {
  /** How often each change was sent. */
  readonly sent: ReadonlyMap<string, number>;
  /** How often the service executed each change. */
  readonly effects: ReadonlyMap<string, number>;
}

export async function judgeWorld(
  store: Store,
  { changes: { sent, effects }, watch: { messages } }: Pick<World<never>, 'changes' | 'watch'>,
): Promise<Verdict> {
  const rows = await store.list({ limit: 100_000 });
  const known = new Map(rows.map((row) => [row.correlationId, row]));
  const verified = await verifyAudit(store);
  const { starts, ends } = await recorded(store);
  const cards = new Map<string, string>();
  for (const { id } of rows) {
    const card = await store.findCard(id);
    if (card) cards.set(id, card.ts);
  }
  const cardMessages = new Set(cards.values());
  return {
    requests: rows.length,
    states: Object.fromEntries(
      Map.groupBy(rows, ({ state }) => state)
        .entries()
        .map(([state, its]) => [state, its.length]),
    ),
    changes: totalOf(sent),
    effects: totalOf(effects),
    twice: [
      ...moreThanOnce(sent).map((id) => `${id}: sent more than once`),
      ...moreThanOnce(effects).map((id) => `${id}: executed more than once`),
      ...repeatedTargets(rows, sent),
    ],
    withoutEnd: rows.flatMap(({ id, state }) => (isOpen(state) ? [`${id} is ${state}`] : [])),
    toldWrongly: [
      ...[...new Set([...sent.keys(), ...effects.keys()])].flatMap((id) =>
        known.has(id) ? [] : [`${id} belongs to no request`],
      ),
      ...rows.flatMap((row) =>
        contradiction(row, sent.get(row.correlationId) ?? 0, effects.get(row.correlationId) ?? 0),
      ),
      ...moreThanOnce(starts).map((id) => `${id} was started more than once`),
      ...besideAnother(rows, ends),
    ],
    staleCards: rows.flatMap((row) => stale(row, cards.get(row.id), messages)),
    strays: [...messages.values()].filter(
      (message) => !message.ephemeral && !cardMessages.has(message.ts) && requestOf(message) !== undefined,
    ).length,
    chain: verified.intact ? '' : verified.why,
  };
}

const totalOf = (times: ReadonlyMap<string, number>): number =>
  [...times.values()].reduce((sum, one) => sum + one, 0);

const moreThanOnce = (times: ReadonlyMap<string, number>): readonly string[] =>
  [...times].flatMap(([id, one]) => (one > 1 ? [id] : []));

/**
 * A request is judged by what it did itself. Another request's change of the same target does not make it a success.
 */
export function contradiction(
  { id, state, outcome, rollout }: Request,
  sent: number,
  effects: number,
): string[] {
  if (rollout) return sent > 0 ? [`${id} is a rollout and was sent itself`] : [];
  const saysNothingSent =
    ['cancelled', 'expired', 'refused'].includes(state) || outcome?.error?.code === 'not-sent';
  if (saysNothingSent && sent > 0) return [`${id} is ${state} and was sent`];
  if (state === 'succeeded' && effects === 0) return [`${id} is ${state} and the service did nothing for it`];
  if (state === 'failed' && effects > 0) return [`${id} is ${state} and the service carried it out`];
  return [];
}

const singlesOf = (rows: readonly Request[]): readonly (readonly Request[])[] => [
  ...Map.groupBy(
    rows.filter(({ partOf }) => partOf !== undefined),
    ({ partOf }) => partOf,
  ).values(),
];

/** Targets that one rollout sent more than one change to. */
const repeatedTargets = (rows: readonly Request[], sent: SeenChanges['sent']): readonly string[] =>
  singlesOf(rows).flatMap((singles) => {
    const names = singles
      .filter(({ correlationId }) => sent.has(correlationId))
      .map(({ target }) => target.name);
    return names
      .filter((name, index) => names.indexOf(name) !== index)
      .map((name) => `${name} was changed twice by ${String(singles[0]?.partOf)}`);
  });

/** Changes of one rollout that were started while another one ran. An unknown one has ended, although its answer may come later. */
export const besideAnother = (
  rows: readonly Request[],
  ends: ReadonlyMap<string, number>,
): readonly string[] =>
  singlesOf(rows).flatMap((singles) => {
    const started = singles
      .filter(({ startedAt }) => startedAt !== undefined)
      .toSorted((one, other) => (one.startedAt ?? 0) - (other.startedAt ?? 0));
    return started.flatMap(({ id, startedAt = 0 }, index) => {
      const before = started[index - 1];
      const beside = before && (ends.get(before.id) ?? Infinity) > startedAt;
      return beside ? [`${id} was started while ${before.id} was running`] : [];
    });
  });

/** By request, the number of its starts in the log, and the time of its first end there. */
async function recorded(store: Store) {
  const starts = new Map<string, number>();
  const ends = new Map<string, number>();
  const page = 5000;
  for (let after = 0; ;) {
    const entries = await store.auditFrom(after, page);
    for (const { event, at, requestId = '' } of entries) {
      if (event === 'started') starts.set(requestId, (starts.get(requestId) ?? 0) + 1);
      if (event === 'ended') ends.set(requestId, Math.min(at, ends.get(requestId) ?? at));
    }
    if (entries.length < page) return { starts, ends };
    after = entries.at(-1)?.seq ?? after;
  }
}

/** The buttons that an ended card may still have. */
const harmless: ReadonlySet<string> = new Set(['Run it again', 'Request again', 'Details']);
/** The further buttons of an unknown outcome. They check, or record what a person knows, and send nothing. */
const ofUnknown: ReadonlySet<string> = new Set(['Check now', 'Settle…']);

function stale(
  { id, state: own, partOf, rollout }: Request,
  card: string | undefined,
  messages: ReadonlyMap<string, Message>,
): string[] {
  // The card of its rollout shows the part.
  if (partOf !== undefined) return [];
  const state = stateWord({ state: own, rollout });
  if (card === undefined) return [`${id} (${state}) has no card`];
  const shown = messages.get(card);
  if (!shown) return [`the card of ${id} is not a message`];
  if (!shown.text.includes(`: ${state}`)) return [`${id} is ${state}, its card says “${shown.text}”`];
  const isUnknown = state === 'unknown' || rollout?.lines.some((line) => line.state === 'unknown') === true;
  const buttons = buttonsOf(shown).filter(
    (button) => !harmless.has(button) && !(isUnknown && ofUnknown.has(button)),
  );
  return !isOpen(own) && buttons.length > 0 ? [`${id} is ${state} and offers ${buttons.join(', ')}`] : [];
}

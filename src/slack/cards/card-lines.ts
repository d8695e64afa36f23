import { actionLabelOf } from '../../command/grammar/registry.ts';
import type { Log } from '../../model/ports.ts';
import {
  isOpen,
  isWaiting,
  openStates,
  type Request,
  startOf,
  stateWord,
  waitingFor,
} from '../../model/records/request.ts';
import type { RequestOutcome } from '../../model/records/outcome.ts';
import type { Requests } from '../../model/records/requests.ts';
import { eachTarget, isSeveral, targetKey } from '../../model/rulebook/target.ts';
import { begunAt, hasParts, lineIn, ownWhole, placeIn, shortName } from '../../model/records/whole.ts';
import type { Registry } from '../../model/registry.ts';
import type { Standing } from '../../model/restriction.ts';
import type { LinkPart, TextPart } from '../../text/parts.ts';
import { capitalized, clip } from '../../text/words.ts';
import { foundParts } from './card-words.ts';

type Line = readonly (TextPart | LinkPart)[];

export type CardLines = (request: Request) => Promise<readonly Line[]>;

export type CardExtra = (
  request: Request,
) => { readonly text: string; readonly action: string; readonly line: string } | undefined;

type LinkTo = (request: Request) => Promise<string | undefined>;

export interface Linked {
  readonly request: Request;
  readonly link: string | undefined;
}

export interface Beside {
  readonly above?: readonly Line[];
  /** For a closed draft: the approved request that runs the change nevertheless. */
  readonly overtaken?: Line | undefined;
  /** The restrictions that deny the change now. Lines above name them. */
  readonly barred?: readonly Standing[];
  /** The search for the task of the earlier attempt, whose outcome is unknown. */
  readonly earlier?: RequestOutcome['search'];
  /** By target key: the last attempt on a target of the whole, if its outcome is unknown. */
  readonly earlierParts?: ReadonlyMap<string, Request>;
  /** By target key: the open request for a target of the whole. */
  readonly openParts?: ReadonlyMap<string, Linked>;
}

const maxAbove = 5;

/** Lines to read before deciding on a waiting request, on its card and elsewhere. */
export const warningsOf = (request: Request, { above = [], earlier }: Beside): readonly Line[] => [
  ...above.slice(0, maxAbove),
  ...(request.lastUnknownAt === undefined || !isWaiting(request)
    ? []
    : [earlierLine(request.lastUnknownAt, earlier)]),
];

function earlierLine(at: number, earlier: Beside['earlier']): Line {
  const seen = earlier?.seen === undefined ? [] : [` ${clip(earlier.seen, 200)}`, ...foundParts(earlier)];
  const opening = ['⚠️ The attempt on ', { at }, ' has an unknown outcome'];
  return earlier?.suggests === 'failed'
    ? [...opening, '.', ...seen]
    : [...opening, ' and may have run.', ...seen, ' Check before you run it again.'];
}

export function attemptLine(attempt: Request): Line {
  const came = attempt.outcome?.search?.suggests === 'failed' ? 'most likely did not run' : 'may have run';
  return ['⚠️ The attempt on ', { at: startOf(attempt) }, ` has an unknown outcome and ${came}`];
}

type Store = Pick<Requests, 'list'>;

interface AllLines {
  /** Resolves to what restricts a waiting request now. */
  readonly standing: (request: Request) => Promise<readonly Standing[]>;
  readonly draft: CardLines;
  readonly others: readonly CardLines[];
}

/**
 * For a waiting request: the features' lines and earlier attempts. For a whole: its targets' open requests. Never rejects, because the card
 * matters more.
 */
export const linesOn =
  ({ standing, draft, others }: AllLines, store: Store, log: Log, linkTo: LinkTo) =>
  async (request: Request): Promise<Beside> => {
    const isClosedDraft = request.state === 'cancelled' && waitingFor(request) !== undefined;
    if (!isWaiting(request) && stateWord(request) !== 'paused' && !isClosedDraft) return {};
    try {
      if (isClosedDraft) return { overtaken: (await draft(request))[0] };
      const open = hasParts(request) ? { openParts: await openParts(store, linkTo, request) } : {};
      if (!isWaiting(request)) return { ...open, ...(await earlierOf(store, request)) };
      const [earlier, barred, ...lines] = await Promise.all([
        earlierOf(store, request),
        standing(request),
        draft(request),
        ...others.map((linesOf) => linesOf(request)),
      ]);
      const bars = barred.map(({ said }) => said.concat('.'));
      return { above: [bars, ...lines].flat(), barred, ...earlier, ...open };
    } catch (error) {
      log.warn({ err: error, requestId: request.id }, 'a card lacks the lines of a feature');
      return {};
    }
  };

interface RecentPorts {
  readonly store: Pick<Requests, 'find'>;
  readonly registry: Registry;
  readonly linkTo: LinkTo;
}

/**
 * Says where the whole is that includes the target, or when it stopped, or else who has just changed the target. The row names that
 * request. If it names none, nothing is read.
 */
export const recentLines =
  ({ store, registry, linkTo }: RecentPorts): CardLines =>
  async (request) => {
    const { recentChange } = request;
    const recent = recentChange === undefined ? undefined : await store.find(recentChange);
    if (!recent) return [];
    const entry = registry.find(recent.operation);
    const verb = actionLabelOf(entry, recent);
    const person = { person: recent.requester.user };
    const place = placeIn(recent, request);
    if (place !== undefined) {
      const link = {
        text: `${capitalized(verb)} ${clip(shortName(recent), 80)}`,
        link: await linkTo(recent),
      };
      return [[isOpen(recent.state) ? '⚠️ ' : '', person, ownWhole, link, ...place]];
    }
    const { state, at, isBack } = hasParts(recent)
      ? { ...lineIn(recent, request.target) }
      : { state: recent.state, at: recent.endedAt, isBack: recent.outcome?.tasks?.finished };
    if (state !== 'succeeded' || at === undefined) return [];
    const done = isBack && entry?.operation.doneWord;
    return [[person, ` ${done ? done : `ran ${verb}`} ${clip(request.target.name, 80)} on `, { at }, '.']];
  };

/** Links the waiting request that a draft would replace, or that has replaced it. */
export const draftLines =
  ({ store, registry, linkTo }: RecentPorts): CardLines =>
  async (request) => {
    const id = waitingFor(request);
    const waiting = id === undefined ? undefined : await store.find(id);
    if (!waiting) return [];
    const person = { person: waiting.requester.user };
    if (isWaiting(request)) {
      const stays = `'s request ${waiting.id}, which waits for approval, stays open until you confirm, and is then cancelled.`;
      return [[person, stays]];
    }
    const at = begunAt(waiting);
    if (at === undefined) return [];
    const title = `${capitalized(actionLabelOf(registry.find(waiting.operation), waiting))} ${clip(shortName(waiting), 80)}`;
    const link = { text: title, link: await linkTo(waiting) };
    return [[link, ' was started on ', { at }, ' by ', person, "'s approved request."]];
  };

const maxEarlier = 5;

/** For a whole: the most open requests, and the most unknown outcomes, that are searched for its targets. */
const maxUnknown = 100;

const earlierOf = async (store: Store, request: Request): Promise<Pick<Beside, 'earlier' | 'earlierParts'>> =>
  isSeveral(request.target)
    ? { earlierParts: await earlierParts(store, request) }
    : { earlier: await earlierSearch(store, request) };

async function earlierSearch(store: Store, { lastUnknownAt, target }: Request): Promise<Beside['earlier']> {
  if (lastUnknownAt === undefined) return undefined;
  const unknown = await store.list({ states: ['unknown'], targetKey: targetKey(target), limit: maxEarlier });
  return unknown.find((one) => startOf(one) === lastUnknownAt)?.outcome?.search;
}

async function openParts(
  store: Store,
  linkTo: LinkTo,
  { id, target }: Request,
): Promise<NonNullable<Beside['openParts']>> {
  const keys = new Set(eachTarget(target).map((one) => targetKey(one)));
  const open = await store.list({ states: openStates, limit: maxUnknown });
  const inTheWay = open.filter((one) => one.partOf !== id && keys.has(one.targetKey));
  const linked = inTheWay.map(async (request) => ({ request, link: await linkTo(request) }));
  return new Map((await Promise.all(linked)).map((one) => [one.request.targetKey, one]));
}

async function earlierParts(
  store: Store,
  { id, target, operation }: Request,
): Promise<ReadonlyMap<string, Request>> {
  const unknown = await store.list({ states: ['unknown'], operation, limit: maxUnknown });
  const unknownKeys = new Set(unknown.map((one) => one.targetKey));
  const keys = eachTarget(target)
    .map((one) => targetKey(one))
    .filter((key) => unknownKeys.has(key));
  const last = await Promise.all(
    keys.map((key) =>
      store.list({ states: ['succeeded', 'failed', 'unknown'], operation, targetKey: key, limit: 1 }),
    ),
  );
  return new Map(
    last
      .flat()
      .filter(({ state, partOf }) => state === 'unknown' && partOf !== id)
      .map((one) => [one.targetKey, one]),
  );
}

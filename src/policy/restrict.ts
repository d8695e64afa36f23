import type { Actor, Place } from '../model/values/actor.ts';
import type { Decision } from '../model/values/decision.ts';
import type { Reach, Rules, RunnerContext } from '../model/ports.ts';
import type { Entry } from '../model/registry.ts';
import type { DueKind, Lasting, LastingWork } from '../model/records/due.ts';
import { type Bar, barring, type LastingRestriction } from '../model/restriction.ts';
import { listedTargets } from '../command/inventory.ts';
import { decide, denialBy } from './policy.ts';
import { holdsAny, type Memberships } from './roles.ts';
import type { Requests, Start, StartFilter, Step } from '../model/records/requests.ts';
import type { Target } from '../model/rulebook/target.ts';
import { spokenText, type TextPart } from '../text/parts.ts';
import { sentences } from '../text/words.ts';

export type RestrictContext = Pick<Rules, 'rulebook' | 'registry' | 'clock'> &
  Reach &
  Pick<RunnerContext, 'ids' | 'restrictions'> & {
    readonly store: Pick<Requests, 'started'> & Pick<LastingWork, 'lasting'>;
  };

/** A change that the rules do not deny. */
export interface RuledChange {
  readonly entry: Entry;
  readonly target: Target;
  readonly requester: Actor;
  readonly place: Place;
  /** The roles of the requester. */
  readonly roles: Memberships;
  /** The ids of the other parts of the same request whose targets were seen healthy again. */
  readonly returned: ReadonlySet<string> | undefined;
  /** Whether the requester is the one who reads a denial. */
  readonly isReader?: true | undefined;
}

/**
 * The started changes that a restriction counts. `matters` selects the changes that the store must check again when
 * this change starts.
 */
interface Counted {
  readonly of: readonly StartFilter[];
  readonly matters: (start: Start) => boolean;
  /** When the change starts, the store checks again which records of this kind, such as holds, are still in effect. */
  readonly lasting?: DueKind;
}

/** Applies after the rules, and can only restrict. */
export interface Restriction {
  /** Undefined if the restriction does not apply to this change. */
  readonly counts: (context: RestrictContext, change: RuledChange) => Counted | undefined;
  /**
   * Returns a decision that is at least as strict, and a note for the card.
   * @param started the changes that any restriction counts, newest first
   * @param lasting what still lasts of the restriction's kind
   */
  readonly restrict: (
    context: RestrictContext,
    change: RuledChange,
    decision: Decision,
    started: readonly Start[],
    lasting: readonly Lasting[],
  ) => Promise<Pick<Restricted, 'decision'> & { readonly note?: string | undefined }>;
}

export interface Restricted {
  readonly decision: Decision;
  /**
   * The store checks this again when the change starts, because two changes that start at once count against each
   * other.
   */
  readonly check?: Step['check'] | undefined;
}

/** A feature's restriction. Its bars deny, except where break-glass skips the approval. */
export const byLasting = ({ kind, noun, bars }: LastingRestriction): Restriction => ({
  counts: () => ({ of: [], matters: () => false, lasting: kind }),
  restrict: (context, change, decision, _, all) =>
    Promise.resolve({ decision: barredBy(context, barring(bars(all), change), noun, change, decision) }),
});

const noRoles: Memberships = { granting: new Map(), denying: new Map() };

/** Why a change is denied, and who may end that, by the rules for the change's place. */
export function saidOf(
  { rulebook, registry, clock }: Pick<Rules, 'rulebook' | 'registry' | 'clock'>,
  { said, instead, endedBy = '', meets }: Bar,
  { target, requester: { team }, place }: Pick<RuledChange, 'target' | 'requester' | 'place'>,
  reader: Memberships = noRoles,
): readonly TextPart[] {
  const { policy, inventory } = rulebook();
  const ends = registry.find(endedBy)?.operation;
  const needed = listedTargets(inventory)
    .filter(meets)
    .map((one) => {
      if (!ends) return [];
      const asked = { operation: ends, input: {}, target: one, team, place, roles: noRoles };
      const { roles, channels } = decide(policy, { ...asked, now: clock.now() }).needed;
      return channels.length === 0 ? roles : [];
    });
  const [first = [], ...others] = needed;
  const roles = first.filter((role) => others.every((all) => all.includes(role)));
  return [...said(target.name), '. ', ...instead(holdsAny(roles, reader) ? 'you' : roles)];
}

const maxSaid = 2;

const endOf = ({ until = Infinity }: Bar): number => until;

function barredBy(
  context: RestrictContext,
  bars: readonly Bar[],
  noun: string,
  change: RuledChange,
  decision: Decision,
): Decision {
  const ordered = bars.toSorted((one, other) => endOf(other) - endOf(one));
  const [first] = ordered;
  const { name } = change.target;
  if (!first) return decision;
  if (decision.approvalSkipped) {
    const passed = bars.map((bar) => bar.overridden(name).concat(`. Break-glass overrode this ${noun}.`));
    return {
      ...decision,
      note: sentences([`Break-glass overrides the ${noun} on ${name}.`, decision.note]),
      said: passed.flatMap((said) => said.concat(' ')),
    };
  }
  const why = first.said(name);
  const said = ordered
    .slice(0, maxSaid)
    .flatMap((bar) => saidOf(context, bar, change, change.isReader && change.roles).concat('. '))
    .slice(0, -1);
  const left = bars.length - maxSaid;
  return {
    ...denialBy({ kind: 'feature', title: first.title }, spokenText(why)),
    said:
      left > 0
        ? [...said, `. ${left} more ${noun}${left === 1 ? ' also prevents' : 's also prevent'} it`]
        : said,
    until: first.until,
    passes: true,
    enders: bars.map(({ by, advice }) => ({ by, advice })),
    wayOut: holdsAny(decision.breakGlass ?? [], change.roles)
      ? `Can't wait? --break-glass "reason" overrides the ${noun}.`
      : undefined,
  };
}

/** Applies restrictions in order, up to a denial. @throws RangeError if a restriction allows more than what was decided before */
export async function restrictBy(
  restrictions: readonly Restriction[],
  context: RestrictContext,
  change: RuledChange,
  ruled: Decision,
): Promise<Restricted> {
  if (change.entry.operation.risk === 'read' || ruled.effect === 'deny') return { decision: ruled };
  const concerned = restrictions.flatMap(({ counts, restrict }) => {
    const counted = counts(context, change);
    return counted ? [{ ...counted, restrict }] : [];
  });
  if (concerned.length === 0) return { decision: ruled };
  const of = concerned.flatMap((one) => one.of);
  const [started, lasting] = await Promise.all([
    of.length === 0 ? [] : context.store.started(of),
    lastingOf(
      context,
      concerned.flatMap((one) => one.lasting ?? []),
    ),
  ]);
  const notes = [];
  let decision = ruled;
  for (const { restrict, lasting: kind } of concerned) {
    const all = lasting.find((one) => one.kind === kind)?.all ?? [];
    const next = await restrict(context, change, decision, started, all);
    if (!isAsStrict(next.decision, decision))
      throw new RangeError(`a restriction turned ${decision.effect} (${decision.rule}) into less`);
    if (next.decision.effect === 'deny') return { decision: next.decision };
    notes.push(next.note);
    ({ decision } = next);
  }
  const known = new Set(started.map(({ id }) => id));
  const admits = (later: readonly Start[]): boolean =>
    later.every((start) => known.has(start.id) || !concerned.some(({ matters }) => matters(start)));
  return {
    decision: { ...decision, note: sentences([...notes, decision.note]) },
    check: {
      of,
      admits,
      lasting: lasting.map(({ kind, all }) => ({ kind, keys: all.map(({ key }) => key) })),
    },
  };
}

const lastingOf = ({ store }: RestrictContext, kinds: readonly DueKind[]) =>
  Promise.all(kinds.map(async (kind) => ({ kind, all: await store.lasting(kind) })));

export const strictness = { allow: 0, confirm: 1, approve: 2, deny: 3 } as const;

const isPart = <T>(part: readonly T[], whole: readonly T[]): boolean =>
  part.every((one) => whole.includes(one));

const approversBy = (ms: number, { approvers, approversAfter = [] }: Decision): readonly string[] => [
  ...approvers,
  ...approversAfter.filter(({ afterMs }) => afterMs <= ms).flatMap(({ roles }) => roles),
];

function isAsStrict(now: Decision, before: Decision): boolean {
  if (now.effect === 'deny') return true;
  const { demands = [], approversAfter = [] } = now;
  const keeps =
    strictness[now.effect] >= strictness[before.effect] &&
    (now.typeName || !before.typeName) &&
    (before.approvalSkipped === true || now.approvalSkipped !== true) &&
    isPart(before.demands ?? [], demands);
  if (before.effect !== 'approve') return keeps;
  return (
    keeps &&
    now.approvals >= before.approvals &&
    isPart(now.approvers, before.approvers) &&
    approversAfter.every(({ afterMs, roles }) => isPart(roles, approversBy(afterMs, before))) &&
    isPart(now.breakGlass ?? [], before.breakGlass ?? [])
  );
}

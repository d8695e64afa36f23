import type { Actor, Place } from './actor.ts';
import type { AuditEntry } from './audit.ts';
import type { Catalogue, Entry } from './catalogue.ts';
import type { Environment } from './environment.ts';
import { BellhopError } from './errors.ts';
import { parse, readInput } from './grammar.ts';
import { judge, whoHolds, type Judgement, type WhoMay } from './judge.ts';
import { mightAllow } from './policy.ts';
import type { AuditFilter, RequestFilter } from './ports.ts';
import type { Request } from './request.ts';
import { rolesOf } from './roles.ts';
import type { Target } from './target.ts';

/** How the rules would decide, and about what. Nothing is done and nothing is written. */
export interface Explanation extends Judgement {
  readonly entry: Entry;
  readonly target: Target;
  readonly whoMay: WhoMay;
}

/** What Bellhop can tell about itself, for its own operations. Looking changes nothing. */
export interface Insight {
  readonly catalogue: Catalogue;
  readonly ownTeam: string;
  /** The entries that some rule could let the actor run here, on some target. */
  offered(actor: Actor, place: Place): Promise<readonly Entry[]>;
  /** Judges a command as if `actor` typed it here. @throws BellhopError for a command that is no whole command */
  explain(actor: Actor, place: Place, area: string, text: string): Promise<Explanation>;
  requests(filter: RequestFilter): Promise<readonly Request[]>;
  audit(filter: AuditFilter): Promise<readonly AuditEntry[]>;
}

export function insight(environment: Environment): Insight {
  const { catalogue, store, ownTeam } = environment;
  return {
    catalogue,
    ownTeam,
    offered: (actor, place) => offered(environment, actor, place),
    explain: (actor, place, area, text) => explain(environment, actor, place, area, text),
    requests: (filter) => store.list(filter),
    audit: (filter) => store.audit(filter),
  };
}

async function offered(environment: Environment, actor: Actor, place: Place): Promise<readonly Entry[]> {
  const { catalogue, directory, ownTeam, clock } = environment;
  const { policy } = environment.rulebook();
  const roles = await rolesOf(policy.roles, actor, await directory.person(actor), directory, ownTeam);
  const question = { team: actor.team, place, roles, breakGlass: false, now: clock.now() };
  return catalogue.entries.filter(({ operation }) => mightAllow(policy, { ...question, operation }));
}

async function explain(
  environment: Environment,
  actor: Actor,
  place: Place,
  area: string,
  text: string,
): Promise<Explanation> {
  const parsed = parse(environment.catalogue, area, text);
  if (parsed.kind !== 'ask')
    throw new BellhopError('bad-input', `Give a whole command, such as: cloud reboot web-1.`);
  const { entry, values, options } = parsed;
  const target = entry.operation.target(readInput(entry, values), environment.rulebook().inventory);
  const breakGlass = options.breakGlass !== undefined;
  const judgement = await judge(environment, { entry, input: values, target, actor, place, breakGlass });
  const { needed, approvers, effect } = judgement.decision;
  const roles = effect === 'approve' ? approvers : needed.roles;
  return { ...judgement, entry, target, whoMay: whoHolds(environment, roles, needed.channels) };
}

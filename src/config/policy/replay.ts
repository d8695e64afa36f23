import type { AuditEntry } from '../../model/records/audit.ts';
import { resolveUnfinished } from '../../command/resolve.ts';
import type { Rules } from '../../model/ports.ts';
import { BellhopError } from '../../model/values/errors.ts';
import type { Operation } from '../../model/operation.ts';
import type { Rulebook } from '../../model/rulebook/rulebook.ts';
import { applyRules } from '../../policy/authorize.ts';
import { format } from '../../command/grammar/format.ts';
import { followExtensions } from '../../command/grammar/registry.ts';
import { assumedMembers, sourceKinds } from '../../features/index.ts';
import { isSameRuling, type Ruling, rulingOf } from './compare.ts';
import { severalKind } from '../../model/rulebook/target.ts';

export interface ReplayedCommand {
  readonly entry: AuditEntry;
  readonly words: string;
  readonly before: Ruling;
  readonly after: Ruling;
  /** The difference applies only to members of these groups, which the file does not list. */
  readonly ifIn: readonly string[];
}

/** Each command is recorded by exactly one of these events. */
const asked: ReadonlySet<string> = new Set(['read', 'denied', 'proposed']);

/**
 * The log has the answers of the sources involved, but not those of other sources, and no user groups. So each command is tried for a
 * member of no group and for a member of all groups. The logged decision shows which case fits. If both cases fit, a difference in either
 * case counts.
 */
export async function replay(
  before: Rulebook,
  after: Rulebook,
  operations: readonly Operation[],
  entries: readonly AuditEntry[],
): Promise<{ readonly commands: number; readonly different: readonly ReplayedCommand[] }> {
  const groups = [before, after].flatMap(({ policy }) =>
    Object.values(policy.roles).flatMap(({ usergroups, sources = [] }) =>
      usergroups.concat(sources.map(({ name }) => name)),
    ),
  );
  const [old, now] = [before, after].map((rulebook) => createJudge(rulebook, operations));
  // Several targets are decided one by one. Each of them gets its own entry when its turn comes.
  const commands = entries.filter(
    ({ event, operation, target }) =>
      asked.has(event) && operation !== undefined && target?.kind !== severalKind,
  );
  const different: ReplayedCommand[] = [];
  for (const entry of commands) {
    const tries: (Omit<ReplayedCommand, 'entry'> & { readonly fits: boolean })[] = [];
    const answers = answersIn(entry);
    const untold = [...new Set(groups)].filter((name) => !answers.some(({ source }) => source === name));
    for (const ifIn of untold.length === 0 ? [[]] : [[], untold]) {
      const one = await old?.(entry, ifIn);
      const other = await now?.(entry, ifIn);
      if (!one || !other) continue;
      const denied = typeof one.ruling === 'object' && one.ruling.effect === 'deny';
      const fits = denied === (entry.event === 'denied');
      tries.push({ words: other.words, before: one.ruling, after: other.ruling, ifIn, fits });
    }
    const likely = tries.some(({ fits }) => fits) ? tries.filter(({ fits }) => fits) : tries;
    const found = likely.find((one) => !isSameRuling(one.before, one.after));
    if (found) different.push({ entry, ...found });
  }
  return { commands: commands.length, different };
}

const answersIn = (entry: AuditEntry) => sourceKinds.flatMap((kind) => kind.answers.of(entry) ?? []);

type Judge = (
  entry: AuditEntry,
  groups: readonly string[],
) => Promise<{ readonly ruling: Ruling; readonly words: string } | undefined>;

function createJudge(rulebook: Rulebook, operations: readonly Operation[]): Judge {
  const registry = followExtensions(operations, () => rulebook);
  return async (entry, groups) => {
    const { actor, place, operation = '', input = {}, at } = entry;
    const found = registry.find(operation);
    if (!actor || !place || !found) return undefined;
    const answers = answersIn(entry);
    const people: Rules = {
      registry,
      rulebook: () => rulebook,
      ownTeam: place.team,
      clock: { now: () => at, every: () => () => undefined, wait: () => Promise.resolve() },
      directory: {
        person(who) {
          const fullMember = who.team === place.team;
          return Promise.resolve({ ...who, fullMember, guest: false, active: true, timeZone: 'UTC' });
        },
        inUsergroup: (group) => Promise.resolve(groups.includes(group) ? 'held' : 'not held'),
        membersOf: (source) => {
          const told = answers.find((answer) => answer.source === source.name)?.held;
          const held = told === undefined ? groups.includes(source.name) : told === 'held';
          return assumedMembers(source, told === 'unknown' ? undefined : held ? [actor.user] : []);
        },
      },
    };
    const words = format(found, input);
    try {
      const command = resolveUnfinished({ entry: found, values: input, options: {} }, rulebook.inventory);
      const { decision } = await applyRules(people, command, { actor, place });
      return { ruling: rulingOf(decision), words };
    } catch (error) {
      if (!(error instanceof BellhopError)) throw error;
      return { ruling: 'unknown target', words };
    }
  };
}

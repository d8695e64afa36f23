import { isObject } from '../../text/exact.ts';
import { possibleCommands } from '../../command/possible-commands.ts';
import type { Operation } from '../../model/operation.ts';
import type { Rulebook } from '../../model/rulebook/rulebook.ts';
import type { Decision } from '../../model/values/decision.ts';
import { anyone } from '../../policy/roles.ts';
import { createRegistry } from '../../command/grammar/registry.ts';
import { decideFor } from '../warnings/spots.ts';
import { canonical } from '../../model/records/audit.ts';

export interface Difference {
  readonly role: string;
  /** Undefined means every channel that no rule names. */
  readonly channel: string | undefined;
  readonly before: Ruling;
  readonly after: Ruling;
  readonly commands: ReadonlyMap<string, ReadonlySet<string>>;
}

/** The name of the rule is omitted. A text is the reason why there is no decision. */
export type Ruling =
  | Pick<Decision, 'effect' | 'approvers' | 'approvals' | 'approversAfter' | 'demands'>
  | 'not in the file'
  | 'unknown target';

interface Group extends Difference {
  readonly commands: Map<string, Set<string>>;
}

export function compareRulebooks(
  before: Rulebook,
  after: Rulebook,
  operations: readonly Operation[],
): readonly Difference[] {
  const rules = [...before.policy.rules, ...after.policy.rules];
  const variants = rules.flatMap((rule) => (rule.arguments ? [rule.arguments] : []));
  const commandsOf = ({ inventory, extensions }: Rulebook) =>
    new Map(
      possibleCommands(createRegistry(operations, extensions), inventory, variants).map((command) => [
        JSON.stringify([command.entry.operation.name, command.values]),
        command,
      ]),
    );
  const [old, now] = [commandsOf(before), commandsOf(after)];
  const channels = [...new Set(rules.flatMap((rule) => rule.channels ?? []))];
  const roles = new Set([anyone, ...Object.keys(before.policy.roles), ...Object.keys(after.policy.roles)]);
  const found = new Map<string, Group>();
  for (const [key, command] of now) {
    const earlier = old.get(key);
    for (const role of roles) {
      let everywhere = '';
      for (const channel of [undefined, ...channels]) {
        const one = earlier ? rulingIn(before, earlier, role, channel) : 'not in the file';
        const other = rulingIn(after, command, role, channel);
        const change = canonical([one, other]);
        if (channel === undefined) everywhere = change;
        // A channel without its own rules needs no separate line.
        if (isSameRuling(one, other) || (channel !== undefined && change === everywhere)) continue;
        const group = JSON.stringify([role, channel, change]);
        const { commands } = found.getOrInsertComputed(group, () => {
          return { role, channel, before: one, after: other, commands: new Map() };
        });
        const targets = commands.getOrInsertComputed(command.entry.operation.name, () => new Set());
        targets.add(command.target.name);
      }
    }
  }
  return [...found.values()];
}

function rulingIn(
  { policy }: Rulebook,
  command: ReturnType<typeof possibleCommands>[number],
  role: string,
  channel = '',
): Ruling {
  return rulingOf(decideFor(policy, command, [role], channel));
}

export function rulingOf({
  effect,
  approvers,
  approvals,
  approversAfter = [],
  demands = [],
}: Decision): Ruling {
  const needed = effect === 'approve';
  const later = approversAfter.map((one) => ({ ...one, roles: one.roles.toSorted() }));
  return {
    effect,
    approvers: needed ? approvers.toSorted() : [],
    approvals: needed ? approvals : 0,
    approversAfter: needed ? later : [],
    demands,
  };
}

export const isSameRuling = (one: Ruling, other: Ruling): boolean => canonical(one) === canonical(other);

/** Such as `approve by leads` or `confirm`. */
export function rulingText(ruling: Ruling): string {
  if (ruling === 'not in the file') return 'deny (not in the file)';
  if (ruling === 'unknown target') return 'no command (unknown target)';
  const { effect, approvers, approvals, approversAfter, demands = [] } = ruling;
  const by =
    effect === 'approve'
      ? ` by ${approvals === 1 ? '' : `${approvals} of `}${approvers.join(', ')}${laterText(approversAfter)}`
      : '';
  return `${effect}${by}${demands.map(({ act }) => ` with ${act}`).join('')}`;
}

export const laterText = (further: Decision['approversAfter'] = []): string =>
  further.map(({ after, roles }) => `, ${roles.toSorted().join(', ')} after ${after}`).join('');

export type Sections = Readonly<Record<string, { readonly read: unknown; readonly written: unknown }>>;

/** One difference per line, such as `limits[0].at_most: 2 → 1000`. Different spellings of the same value are equal. */
export function compareSections(before: Sections, after: Sections): readonly string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name) => {
    const [one, other] = [before[name], after[name]];
    return same(one?.read, other?.read) ? [] : differences(name, one?.written, other?.written);
  });
}

const same = (one: unknown, other: unknown): boolean => text(one) === text(other);

function differences(path: string, one: unknown, other: unknown): readonly string[] {
  if (same(one, other)) return [];
  if (Array.isArray(one) && Array.isArray(other)) return listDifferences(path, one, other);
  if (isObject(one) && isObject(other)) {
    const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
    return [...keys].flatMap((key) => differences(`${path}.${key}`, one[key], other[key]));
  }
  return [`${path}: ${short(one)} → ${short(other)}`];
}

/** Named or numbered entries are compared with each other. */
function listDifferences(
  path: string,
  one: readonly unknown[],
  other: readonly unknown[],
): readonly string[] {
  if (![...one, ...other].every(isObject)) {
    const [gone, added] = [without(one, other), without(other, one)].map((items) =>
      items.map(short).join(', '),
    );
    const lines = [
      ...(gone ? [`${path}: removed: ${gone}`] : []),
      ...(added ? [`${path}: added: ${added}`] : []),
    ];
    return lines.length > 0 ? lines : [`${path}: ${short(one)} → ${short(other)}`];
  }
  const [old, now] = [byName(path, one), byName(path, other)];
  const lines = [...new Set([...old.keys(), ...now.keys()])].flatMap((name) => {
    if (!now.has(name)) return [`${name}: removed: ${short(old.get(name))}`];
    return old.has(name)
      ? differences(name, old.get(name), now.get(name))
      : [`${name}: added: ${short(now.get(name))}`];
  });
  return kept(old, now) === kept(now, old) ? lines : [...lines, `${path}: reordered`];
}

const kept = (from: ReadonlyMap<string, unknown>, to: ReadonlyMap<string, unknown>): string =>
  [...from.keys()].filter((name) => to.has(name)).join('\n');

const byName = (path: string, items: readonly unknown[]): ReadonlyMap<string, unknown> =>
  new Map(
    items.map((item, index) => {
      const name = isObject(item) ? item['name'] : undefined;
      return [name === undefined ? `${path}[${index}]` : `${path} “${short(name)}”`, item];
    }),
  );

const without = (items: readonly unknown[], others: readonly unknown[]): readonly unknown[] =>
  items.filter((item) => !others.some((each) => same(item, each)));

const text = (value: unknown): string => (value === undefined ? '' : canonical(value));

const longest = 200;

function short(value: unknown): string {
  if (value === undefined) return '(not set)';
  const written = typeof value === 'string' ? value : text(value);
  return written.length > longest ? `${written.slice(0, longest)}…` : written;
}

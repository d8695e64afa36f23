import { programOf } from '../../model/values/actor.ts';
import { operation, type ReadContext, z, type BellhopTarget } from '../../bellhop/bellhop.ts';
import type { PolicyInForce } from '../../model/introspection.ts';
import type { Cell, ReportParts, Table } from '../../model/values/report.ts';
import type { Freeze, Rule } from '../../model/rulebook/rulebook.ts';
import { given, givenFacts, itemCount, type Row, tableOf, texts } from '../../bellhop/parts/report-parts.ts';

export const policy = operation({
  name: 'bellhop.policy',
  summary: 'Show the rules in force, when they took effect, and why a newer file was rejected.',
  risk: 'read',
  input: z.strictObject({}),
  examples: ['/bellhop policy'],
  run: (_input, { bellhop }: ReadContext<BellhopTarget>) => bellhop.policy(),
  report: ({ rulebook, status, standing }): ReportParts => {
    const { rules, freeze } = rulebook.policy;
    const { warnings, refused } = status;
    const { limits, guards } = rulebook;
    const restrictions = given(
      limits.length > 0 && itemCount(limits.length, 'limit'),
      guards.length > 0 && itemCount(guards.length, 'guard'),
    );
    return {
      title: 'Policy',
      tone: refused ? 'bad' : warnings.length > 0 ? 'warning' : 'good',
      headline: refused
        ? 'A newer bellhop.yaml was rejected. These rules stay in force.'
        : `${itemCount(rules.length, 'rule')} in force, ${itemCount(warnings.length, 'warning')}.`,
      facts: givenFacts([
        ['In force since', { at: status.since }],
        ['Hash of the file', rulebook.policy.hash.slice(0, 12)],
        rejectedRow(status),
        ['Restrictions', restrictions.join(', ')],
        ...standing.map(({ label, said }): Row => [label, said]),
      ]),
      tables: [
        ...findingTable('Why it was rejected', refused?.problems.split('\n') ?? []),
        ...freezeTable(freeze),
        ruleTable(rules),
        ...findingTable('Warnings', warnings),
      ],
      notes: given(
        'The first matching rule wins. Without a match, the command is denied.',
        (refused !== undefined || warnings.length > 0) &&
          'npm run config -- check prints all findings in full.',
      ),
    };
  },
});

function rejectedRow({ refused, lastRefused }: PolicyInForce['status']): Row {
  if (refused) return ['Rejected file', ['a newer bellhop.yaml, ', { at: refused.at }]];
  if (!lastRefused) return ['Last rejected file', 'none since start'];
  const why = lastRefused.problems.replaceAll('\n', ' ').slice(0, 500);
  return ['Last rejected file', [{ at: lastRefused.at }, `, fixed since then. The error was: ${why}`]];
}

const ruleTable = (rules: readonly Rule[]): Table => ({
  caption: 'Rules, in order',
  lines: true,
  columns: texts('Rule', 'Who', 'What', 'Where', 'Where', 'Where', 'Then', 'Approvers'),
  rows: rules.map((rule, index) => [
    `${index + 1}. ${rule.name ?? 'without a name'}`,
    whoOf(rule),
    whatOf(rule),
    ...whereOf(rule),
    thenOf(rule),
    approversOf(rule),
  ]),
});

function whoOf({ programs, roles, teams, effect }: Rule): string {
  if (programs) return programsText(programs);
  // A rule that allows something must name roles.
  const who = roles?.join(', ') ?? (effect === 'deny' ? 'everyone' : 'no one');
  return teams ? `${who} of ${teams.join(', ')}` : who;
}

function programsText(ids: readonly string[]): string {
  const named = Map.groupBy(
    ids.flatMap((user) => programOf({ user }) ?? []),
    ({ kind }) => kind,
  );
  return [...named].map(([kind, its]) => `${kind}s ${its.map(({ name }) => name).join(', ')}`).join(', ');
}

function whatOf({ operations, risk, labels, arguments: values }: Rule): string {
  return [
    operations?.join(', ') ?? 'all operations',
    ...(risk ? [`(${risk.join(' or ')})`] : []),
    ...(labels ? [`on ${pairs(labels)}`] : []),
    ...(values ? [`with ${pairs(values)}`] : []),
  ].join(' ');
}

const pairs = (values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .map(([key, value]) => `${key}=${value}`)
    .join(', ');

/** Channels take three cells, because a cell names only one channel. */
function whereOf({ channels = [] }: Rule): readonly [Cell, Cell, Cell] {
  const cell = (index: number): Cell => {
    const channel = channels[index];
    return channel === undefined ? '' : { channel };
  };
  const more = channels.length - 2;
  return [
    channels.length === 0 ? 'everywhere' : cell(0),
    cell(1),
    more > 1 ? `and ${more} more channels` : cell(2),
  ];
}

const thenOf = ({ effect, typeName, confirmNever, demands = [] }: Rule): string =>
  `${effect}${typeName ? ' by typing the name' : ''}${confirmNever ? ', without confirmation' : ''}${demands.map(({ act }) => ` with ${act}`).join('')}`;

const approversOf = ({ effect, approvers, approvals, approversAfter = [], breakGlass }: Rule): string =>
  effect === 'approve'
    ? [
        `by ${approvals === 1 ? '' : `${approvals} of `}${approvers.join(' or ')}`,
        ...approversAfter.map(({ after, roles }) => `after ${after}, ${roles.join(' or ')}, too`),
        ...(breakGlass.length === 0 ? [] : [`break-glass for ${breakGlass.join(', ')}`]),
      ].join('; ')
    : '';

const freezeTable = (freezes: readonly Freeze[]): readonly Table[] =>
  tableOf(
    'Freezes, before the rules',
    texts('Freeze', 'What', 'From', 'To', 'Except', 'Reason'),
    freezes.map(({ labels, from, to, except, reason = '' }, index) => [
      `freeze ${index + 1}`,
      Object.keys(labels).length === 0 ? 'every change' : `changes on ${pairs(labels)}`,
      { at: from },
      { at: to },
      except.length === 0 ? '' : `except ${except.join(', ')}`,
      reason,
    ]),
    true,
  );

const findingTable = (caption: string, findings: readonly string[]): readonly Table[] =>
  tableOf(
    caption,
    texts('Finding'),
    findings.map((finding) => [finding]),
    true,
  );

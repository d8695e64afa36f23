import { operation, type ReadContext, z, type BellhopTarget } from '../../bellhop/bellhop.ts';
import type { ReportParts, Table } from '../../model/values/report.ts';
import {
  type AuditStatus,
  limited,
  messagesPart,
  type PartStatus,
  type RulesStatus,
  type ServiceStatus,
  type Status,
  type Tally,
  withheldText,
} from '../../model/introspection.ts';
import { cardKind } from '../../model/records/due.ts';
import { offerKind } from '../../model/records/offer.ts';
import { noticeKind, reviewKind } from '../../model/records/requests.ts';
import { wholesByState } from '../../model/records/whole.ts';
import { type Row, givenFacts, itemCount, tableOf, texts } from '../../bellhop/parts/report-parts.ts';
import { clockOf } from '../../text/local-time.ts';
import { counted, listed, tookText } from '../../text/words.ts';

interface ShownStatus extends Status {
  readonly zone: string;
}

export const status = operation({
  name: 'bellhop.status',
  summary: "Show Bellhop's health, unreachable dependencies and open requests.",
  risk: 'read',
  input: z.strictObject({}),
  examples: ['/bellhop status'],
  run: async (_input, { bellhop, person }: ReadContext<BellhopTarget>): Promise<ShownStatus> => ({
    ...(await bellhop.status()),
    zone: person.timeZone,
  }),
  report: (seen): ReportParts => {
    const problems = problemsOf(seen);
    const parts = Object.values(seen.parts);
    return {
      title: 'Bellhop',
      tone: problems.length === 0 ? 'good' : 'bad',
      headline: problems.length === 0 ? 'Healthy.' : `Problems: ${problems.join('; ')}.`,
      facts: [
        ...givenFacts([
          ...waiting(seen.tally),
          ['Dependencies', `${parts.filter(({ ok }) => ok).length} of ${parts.length} ok`],
          ...serviceRows(seen.service),
          ...seen.accounts.flatMap((account) => serviceRows(account, `Account ${account.name}`)),
          ['Version', seen.version],
          ...rulesRows(seen.rules),
          ...auditRows(seen.audit),
        ]),
        ...seen.features.facts,
        ...givenFacts([
          ['Replica', seen.replica],
          ['Up since', { at: seen.startedAt }],
        ]),
      ],
      tables: [...partsTable(seen), ...seen.features.tables],
      notes: [
        ...warningNotes(seen.rules),
        ...seen.withheld.map(withheldText),
        "Health is this replica's view. Requests are counted across all replicas.",
      ],
    };
  },
});

function problemsOf(seen: ShownStatus): readonly string[] {
  const { parts, service, accounts, features, tally, withheld, zone } = seen;
  return [
    ...Object.entries(parts).flatMap(([name, part]) => (part.ok ? [] : [partProblem(name, part, zone)])),
    ...serviceProblem(service),
    ...accounts.flatMap((account) =>
      serviceProblem(account).map((text) => `account ${account.name}: ${text}`),
    ),
    ...features.problems,
    ...lateProblem(seen),
    ...withheld.flatMap((one) =>
      one.what === 'user group' ? [`Slack does not list the user group ${one.group}`] : [],
    ),
    ...(tally === undefined ? ['open requests cannot be counted'] : []),
  ];
}

function partProblem(name: string, { lastError, since }: PartStatus, zone: string): string {
  if (lastError === undefined) return name;
  const said = lastError.replace(/\.$/u, '');
  if (name !== messagesPart) return `${name} (${said})`;
  const time = `${clockOf(zone)(since).slice(11)}${zone === 'UTC' ? ' UTC' : ''}`;
  return `Slack does not accept messages (${said} since ${time})`;
}

/** One failure is enough to report the service, because readers ask why something does not work. */
function serviceProblem({ leftAlone, lastFailure, lastSuccessAt }: ServiceStatus): readonly string[] {
  if (leftAlone.length > 0) {
    return leftAlone.map((area) => `calls to /${area} are paused after too many failures`);
  }
  if (!lastFailure || (lastSuccessAt !== undefined && lastSuccessAt >= lastFailure.at)) return [];
  return [`the last call to the service ${outcomeText(lastFailure.outcome)}`];
}

/** In milliseconds. People decide by messages, so these count sooner. */
const lateAfterMs = 30_000;
const messageLateAfterMs = 10_000;

const messageKinds: ReadonlySet<string> = new Set([cardKind, noticeKind, offerKind, reviewKind]);

function lateProblem({ tally, parts }: ShownStatus): readonly string[] {
  const late = (tally?.due ?? []).filter(
    ({ kind, oldestMs }) => oldestMs > (messageKinds.has(kind) ? messageLateAfterMs : lateAfterMs),
  );
  if (late.length === 0) return [];
  const shows = late.some(({ kind }) => messageKinds.has(kind));
  const why = parts[messagesPart]?.detail === limited ? ' because Slack limits the rate of messages' : '';
  const means = ', so Slack may show an old state (/bellhop requests shows the current one)';
  return [`${lateText(late)}${shows ? why + means : ''}`];
}

function waiting(tally: Tally | undefined): readonly Row[] {
  if (!tally) return [];
  const { requests, due } = tally;
  const { rolling, paused, ...single } = requests;
  const states = Object.entries({ ...single, ...wholesByState(rolling, paused) }).flatMap(([state, count]) =>
    count === 0 ? [] : [`${count} ${state}`],
  );
  return [
    ['Requests', states.join(', ') || 'none open'],
    ['Overdue work', due.length === 0 ? 'none' : lateText(due)],
  ];
}

/** Such as `3 cards and 1 watch job are up to 12 s late`. People see messages, but no other kind of work. */
function lateText(due: Tally['due']): string {
  const oldest = Math.max(...due.map(({ oldestMs }) => oldestMs));
  const kinds = due.map(({ kind, count }) => itemCount(count, messageKinds.has(kind) ? kind : `${kind} job`));
  return `${listed(kinds)} ${due.length === 1 && due[0]?.count === 1 ? 'is' : 'are up to'} ${tookText(oldest)} late`;
}

const serviceRows = (
  { lastSuccessAt, lastFailure: failed }: ServiceStatus,
  who = 'Service',
): readonly Row[] => [
  [`${who} last answered`, lastSuccessAt === undefined ? 'no calls yet' : { at: lastSuccessAt }],
  [
    `${who} last failed`,
    failed ? [{ at: failed.at }, `: ${failed.call} ${outcomeText(failed.outcome)}`] : 'never',
  ],
];

const outcomes: ReadonlyMap<string, string> = new Map([
  ['not-sent', 'was not sent'],
  ['rejected', 'was rejected'],
  ['unknown-outcome', 'got no readable answer'],
]);

/** @param outcome a code, and the status of the answer if there was one: `unknown-outcome, 503` */
function outcomeText(outcome: string): string {
  const [code = '', answer] = outcome.split(', ');
  return `${outcomes.get(code) ?? 'failed'}${answer === undefined ? '' : ` (HTTP ${answer})`}`;
}

const rulesRows = ({ file, policyHash, since, refused }: RulesStatus): readonly Row[] => [
  ['Rules', [`Version ${policyHash.slice(0, 12)} of ${file} has been in force since `, { at: since }, '.']],
  [
    'Rejected rules',
    refused && [
      'A newer version was rejected on ',
      { at: refused.at },
      `: ${refused.problems.replaceAll('\n', ' ').slice(0, 500)}`,
    ],
  ],
];

function auditRows(audit: AuditStatus | undefined): readonly Row[] {
  if (!audit) return [];
  const { entries, checkpoint, keys } = audit;
  return [
    ['Audit log', `${counted(entries, 'entry', 'entries')} sealed, the newest by checkpoint ${checkpoint}`],
    [
      keys.length > 1 ? 'Audit keys' : 'Audit key',
      keys.join('; ') || "none of this replica's keys signed the newest checkpoint",
    ],
  ];
}

const maxWarnings = 5;

/** Only the first warnings are shown, because `npm run config -- check` prints all of them. */
function warningNotes({ warnings }: RulesStatus): readonly string[] {
  const more = warnings.length - maxWarnings;
  const shown = warnings.slice(0, maxWarnings).map((warning) => warning.slice(0, 400));
  return more > 0 ? [...shown, `… and ${more} more warnings about bellhop.yaml.`] : shown;
}

/** Parts that are down, or were down since the start. */
const partsTable = ({ parts }: Status): readonly Table[] =>
  tableOf(
    'Dependencies that have failed since startup',
    texts('Part', 'State', 'Since', 'Last error'),
    Object.entries(parts).flatMap(([name, { ok, since, lastError }]) =>
      ok && lastError === undefined ? [] : [[name, ok ? 'ok' : 'down', { at: since }, lastError ?? '']],
    ),
  );

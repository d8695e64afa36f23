import { z } from 'zod';

import { operation, type RunContext } from '../../core/operation.ts';
import type { Fact, ReportParts, Table } from '../../core/report.ts';
import type { ServiceStatus, Status, Tally } from '../../core/status.ts';
import { itself } from './itself.ts';

export const status = operation({
  name: 'bellhop.status',
  summary: 'Show how Bellhop is, what it cannot reach, and how much waits.',
  risk: 'read',
  input: z.strictObject({}),
  examples: ['/bellhop status'],
  target: () => itself,
  run: (_input, { bellhop }: RunContext<typeof itself>) => bellhop.status(),
  report: (seen): ReportParts => {
    const problems = problemsOf(seen);
    return {
      title: 'Bellhop',
      tone: problems.length === 0 ? 'good' : 'bad',
      headline: problems.length === 0 ? 'All is well.' : `Not well: ${problems.join('; ')}.`,
      facts: [
        ...waiting(seen.tally),
        ...serviceFacts(seen.service),
        { label: 'Version', value: seen.version },
        { label: 'Rules', value: seen.policyHash.slice(0, 12) },
        { label: 'Replica', value: seen.replica },
        { label: 'Up since', value: utc(seen.startedAt) },
      ],
      tables: [parts(seen)],
      notes: ['As this replica sees it; what waits is counted for all of them.'],
    };
  },
});

function problemsOf({ parts: all, service, tally }: Status): readonly string[] {
  return [
    ...Object.entries(all).flatMap(([name, { ok, lastError }]) =>
      ok ? [] : [lastError === undefined ? name : `${name} (${lastError.replace(/\.$/u, '')})`],
    ),
    ...serviceProblem(service),
    ...(tally === undefined ? ['what waits cannot be counted'] : []),
  ];
}

/** One failure is enough to say so: whoever looks here asks why something does not work. */
function serviceProblem({ leftAlone, lastFailure, lastSuccessAt }: ServiceStatus): readonly string[] {
  if (leftAlone.length > 0) {
    return leftAlone.map(
      (area) => `the service fails again and again for ${area} and is left alone there for a few seconds`,
    );
  }
  if (!lastFailure || (lastSuccessAt !== undefined && lastSuccessAt >= lastFailure.at)) return [];
  return [`the service failed when it was last asked (${lastFailure.outcome})`];
}

function waiting(tally: Tally | undefined): readonly Fact[] {
  if (!tally) return [];
  const { requests, cardsWaiting, oldestCardAt } = tally;
  const states = Object.entries(requests).flatMap(([state, count]) =>
    count === 0 ? [] : [`${count} ${state}`],
  );
  const since = oldestCardAt === undefined ? '' : `, the oldest of ${utc(oldestCardAt)}`;
  return [
    { label: 'Requests', value: states.length === 0 ? 'none waiting' : states.join(', ') },
    { label: 'Cards behind', value: cardsWaiting === 0 ? 'none' : `${cardsWaiting}${since}` },
  ];
}

function serviceFacts({ lastSuccessAt, lastFailure }: ServiceStatus): readonly Fact[] {
  const failed = lastFailure && `${utc(lastFailure.at)}: ${lastFailure.call}, ${lastFailure.outcome}`;
  return [
    {
      label: 'Service last answered',
      value: lastSuccessAt === undefined ? 'not asked yet' : utc(lastSuccessAt),
    },
    { label: 'Service last failed', value: failed ?? 'never' },
  ];
}

const parts = ({ parts: all }: Status): Table => ({
  caption: 'What Bellhop needs',
  columns: ['Part', 'State', 'Since', 'Last error'].map((label) => ({ label })),
  rows: Object.entries(all).map(([name, { ok, since, lastError }]) => [
    name,
    ok ? 'well' : 'away',
    utc(since),
    lastError ?? '',
  ]),
});

const utc = (time: number): string => `${new Date(time).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

import { faultsIn } from '../harness/verdict.ts';
import type { Judgement } from './judge.ts';
import type { Played } from './play-scenario.ts';
import { slackMs } from './scenario.ts';

const heads = [
  'scenario',
  'commands',
  'clicks',
  'changes sent',
  'lost',
  'twice',
  'never finished',
  'wrong status',
  'unknown',
  'interrupted',
  'rejected',
  'worst ack, ms',
] as const;

const cells = (played: Played): readonly (string | number)[] => {
  const { name } = played.scenario;
  if ('notPlayed' in played) return [name, ...heads.slice(1).map(() => 'NOT RUN')];
  const { commands, clicks, changes, turnedAway, worstAckMs } = played;
  const { lost, twice, withoutEnd, toldWrongly, staleCards, chain, unknown, interrupted } = played;
  const wrong = [...toldWrongly, ...staleCards, ...(chain === '' ? [] : [chain])];
  const counts = [lost, twice, withoutEnd, wrong, unknown, interrupted].map(({ length }) => length);
  return [name, commands, clicks, changes, ...counts, turnedAway, worstAckMs];
};

/** A row for each scenario, below the heads. */
export const rowsOf = (all: readonly Played[]): readonly (readonly (string | number)[])[] => [
  heads,
  ...all.map(cells),
];

/** The same, and what guards each row. */
export const guardedRowsOf = (all: readonly Played[]): readonly (readonly (string | number)[])[] => [
  [...heads, 'guarded by'],
  ...all.map((played) => [...cells(played), played.scenario.guard]),
];

/** Each thing that is not as it must be, in words. */
export const faultsOf = (all: readonly Played[]): readonly string[] =>
  all.flatMap((played) => {
    if ('notPlayed' in played) return [];
    const { lost, trouble, worstAckMs } = played;
    const { patience = 1 } = played.scenario;
    return [
      ...lost.map((what) => `lost: ${what}`),
      ...faultsIn(played),
      ...trouble,
      ...(played.scenario.unnoticed === true ? noticed(played) : []),
      ...(worstAckMs > slackMs * patience ? [`an acknowledgement took ${worstAckMs} ms`] : []),
      ...(played.changes === 0 ? ['no change was sent: nothing was tried'] : []),
    ].map((fault) => `${played.scenario.name}: ${fault}`);
  });

/** What someone noticed of an orderly stop. */
const noticed = ({ unknown, interrupted, turnedAway }: Judgement): readonly string[] => [
  ...unknown.map((what) => `unknown: ${what}`),
  ...interrupted.map((what) => `interrupted: ${what}`),
  ...(turnedAway > 0 ? [`${turnedAway} payloads were rejected`] : []),
];

/** Loudly: what was not played proves nothing. */
export const notPlayedIn = (all: readonly Played[]): readonly string[] =>
  all.flatMap((played) =>
    'notPlayed' in played ? [`NOT RUN HERE: ${played.scenario.name}: ${played.notPlayed}`] : [],
  );

import { faultsIn } from '../harness/verdict.ts';
import type { Judgement } from './judge.ts';
import type { Played } from './play-scenario.ts';
import { slackMs } from './scenario.ts';

const work = ['commands', 'clicks', 'changes sent'];
const faults = ['lost', 'twice', 'never finished', 'wrong status'];
const effects = ['unknown', 'interrupted', 'rejected', 'worst ack, ms'];
const heads = [...work, ...faults, ...effects];

const workIn = ({ commands, clicks, changes }: Judgement): readonly number[] => [commands, clicks, changes];

function faultCounts(judgement: Judgement): readonly number[] {
  const { lost, twice, withoutEnd, toldWrongly, staleCards, chain } = judgement;
  const wrong = [...toldWrongly, ...staleCards, ...(chain === '' ? [] : [chain])];
  return [lost, twice, withoutEnd, wrong].map(({ length }) => length);
}

const effectsOn = ({ unknown, interrupted, turnedAway, worstAckMs }: Judgement): readonly number[] => [
  unknown.length,
  interrupted.length,
  turnedAway,
  worstAckMs,
];

/** A row for each scenario, below the heads. */
export const rowsOf = (all: readonly Played[]): readonly (readonly (string | number)[])[] => [
  ['scenario', ...heads],
  ...all.map((played) => [
    played.scenario.name,
    ...('notPlayed' in played
      ? heads.map(() => 'NOT RUN')
      : [...workIn(played), ...faultCounts(played), ...effectsOn(played)]),
  ]),
];

/** Each violation in words. */
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

/** The effects of an orderly stop that someone noticed. */
const noticed = ({ unknown, interrupted, turnedAway }: Judgement): readonly string[] => [
  ...unknown.map((what) => `unknown: ${what}`),
  ...interrupted.map((what) => `interrupted: ${what}`),
  ...(turnedAway > 0 ? [`${turnedAway} payloads were rejected`] : []),
];

/** A scenario that was not played proves nothing, so it is reported loudly. */
export const notPlayedIn = (all: readonly Played[]): readonly string[] =>
  all.flatMap((played) =>
    'notPlayed' in played ? [`NOT RUN HERE: ${played.scenario.name}: ${played.notPlayed}`] : [],
  );

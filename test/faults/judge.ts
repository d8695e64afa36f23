import type { Store } from '../../src/store/store.ts';
import type { Request } from '../../src/model/records/request.ts';
import type { StoreLocation } from '../../src/store/open-store.ts';
import { openPostgres } from '../../src/store/postgres/open-postgres.ts';
import { openSqliteToRead } from '../../src/store/sqlite/open-sqlite.ts';
import { judgeWorld, type Verdict } from '../harness/verdict.ts';
import type { SetGround } from './environment.ts';
import type { Sent } from './slack-side.ts';
import { createStore } from '../store/open-store.ts';

/** The result of a scenario: the result of a trial, and how people fared. */
export interface Judgement extends Verdict {
  readonly commands: number;
  readonly clicks: number;
  /** Payloads for which Slack would have shown an error. */
  readonly turnedAway: number;
  /** Acknowledged payloads without any effect: no request, no step, no answer. */
  readonly lost: readonly string[];
  /** Acknowledged payloads whose only effect is the note that they were interrupted. */
  readonly interrupted: readonly string[];
  /** Requests whose outcome is unknown. */
  readonly unknown: readonly string[];
  /** The slowest acknowledgement, in milliseconds. */
  readonly worstAckMs: number;
}

/** Opens the bots' store to read, whether the bots run or not. Changes nothing. */
export const openToRead = (location: StoreLocation): Store =>
  createStore(
    'databaseUrl' in location ? openPostgres(location.databaseUrl) : openSqliteToRead(location.dataDir),
  );

export async function judge({ scene, world, answered }: SetGround, store: Store): Promise<Judgement> {
  const { sent } = scene.slack;
  const verdict = await judgeWorld(store, world);
  const rows = await store.list({ limit: 100_000 });
  const acked = sent.filter((one) => one.acked);
  const untraced = untracedOf(acked, rows);
  const kind = (of: Sent['kind']): number => acked.filter((one) => one.kind === of).length;
  return {
    ...verdict,
    twice: [...verdict.twice, ...askedTwice(rows)],
    commands: kind('command'),
    clicks: kind('click'),
    turnedAway: sent.length - acked.length,
    lost: untraced.filter(({ id }) => !answered.has(id)).map(named),
    interrupted: untraced.filter(({ id }) => answered.get(id) === 'interruption').map(named),
    unknown: rows.flatMap(({ id, state }) => (state === 'unknown' ? [id] : [])),
    worstAckMs: Math.round(Math.max(0, ...acked.map(({ ms }) => ms))),
  };
}

const named = ({ id, request }: Sent): string => (request === undefined ? id : `${id} on ${request}`);

/** The payloads that neither made nor changed a request. Each command has its id as its reason. */
function untracedOf(acked: readonly Sent[], rows: readonly Request[]): readonly Sent[] {
  const asked = new Set(rows.map(({ reason }) => reason));
  const moved = new Set(rows.flatMap(({ id, decidedBy }) => (decidedBy ? [id] : [])));
  return acked.filter(({ id, request }) => (request === undefined ? !asked.has(id) : !moved.has(request)));
}

function askedTwice(rows: readonly Request[]): readonly string[] {
  const requests = new Map<string, readonly string[]>();
  for (const { id, reason = '', partOf } of rows)
    if (partOf === undefined) requests.set(reason, [...(requests.get(reason) ?? []), id]);
  return [...requests].flatMap(([reason, ids]) =>
    ids.length > 1 ? [`${reason} became ${ids.join(' and ')}`] : [],
  );
}

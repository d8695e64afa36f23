import type { RawBuilder } from 'kysely';

import {
  type EndedBySetBack,
  type Requests,
  type SetBack,
  type SetBackSign,
  type Step,
} from '../../../model/records/requests.ts';
import { type Request, openStates } from '../../../model/records/request.ts';
import { heldWhole, hasParts } from '../../../model/records/whole.ts';
import { BellhopError } from '../../../model/values/errors.ts';
import type { Database, Queries } from '../../database/database.ts';
import { setBackKind } from '../../../model/records/due.ts';
import { stepEntry } from '../../../audit/entries.ts';
import type { AuditDraft } from '../../../model/records/audit.ts';
import { plainPart } from '../../../text/parts.ts';
import { lockHead, stageEntries } from '../audit.ts';
import { disown, setDue } from '../due.ts';
import { requestFromRow } from './request-row.ts';
import { advanceRequest, type StepPorts } from './steps.ts';
import { newestCheckpoint } from '../sealed-log.ts';
import {
  findHeld,
  type Glance,
  type Held,
  homeRow,
  isIntact,
  latest,
  type Look,
  readGlance,
} from '../glance.ts';
import { shareInTurn } from '../../database/share-in-turn.ts';
import { requestPages } from './reconsider.ts';

export interface History extends Pick<Requests, 'endIfSetBack'> {
  /** For the jobs that run every second. Calls in the same turn of the event loop share a statement. */
  readonly glance: (look: Look) => Promise<Glance & { readonly sign?: SetBackSign }>;
  stepped(after: Pick<Request, 'id' | 'version'>, at: number): void;
  sealed(size: number): void;
  /** A condition for a start: the store was not rolled back. */
  ifIntact(before: Pick<Request, 'id' | 'version'>, at: number): Promise<RawBuilder<boolean>>;
  /** Called if a start was not possible. @throws SetBackError if the store was rolled back, so the change may have run */
  refuseSetBack(at: number): Promise<void>;
}

/** In milliseconds. An ended row is kept for at least a day, so a missing row that is older than this proves nothing. */
const stepKeptMs = 60 * 60_000;

/** Far more requests than a process runs at once. */
const maxVersions = 10_000;

export function createHistory(database: Database, ports: StepPorts, sealedBefore: number): History {
  let size = sealedBefore;
  let step: { readonly id: string; readonly version: number; readonly at: number } | undefined;
  /** By request: the newest version that this process wrote. The latest step is the last. */
  const versions = new Map<string, number>();

  /** Adds the sign that the store was rolled back: it lacks something that this process wrote. */
  async function compared<T extends Held>(
    now: number,
    read: (requestId?: string) => Promise<T>,
  ): Promise<T & { readonly sign?: SetBackSign }> {
    const [last, leaves] = [step, size];
    const held = await read(last?.id);
    if (hasMoved(held)) return { ...held, sign: 'moved' };
    if ((held.size ?? 0) < leaves) return { ...held, sign: 'entries missing' };
    const isGone = last && now - last.at < stepKeptMs && (held.version ?? 0) < last.version;
    return isGone ? { ...held, sign: 'step missing' } : held;
  }
  const look = (queries: Queries, now: number) =>
    compared(now, (requestId) => findHeld(database, queries, requestId));
  const glance = shareInTurn((looks: readonly Look[]) =>
    compared(latest(looks), (requestId) =>
      database.read((queries) => readGlance(database, queries, looks, requestId)),
    ),
  );

  return {
    glance,
    stepped({ id, version }, at) {
      step = { id, version, at };
      versions.delete(id);
      versions.set(id, version);
      const [oldest = id] = versions.keys();
      if (versions.size > maxVersions) versions.delete(oldest);
    },
    sealed: (leaves) => void (size = Math.max(size, leaves)),
    async ifIntact({ id, version }, at) {
      const known = versions.get(id) ?? version;
      // The row is older than what this process wrote, so this check and the next report that step as missing.
      if (known > version) step = { id, version: known, at };
      return isIntact(await database.home(), size, step && at - step.at < stepKeptMs ? step : undefined);
    },
    async refuseSetBack(at) {
      if ((await glance({ now: at })).sign) throw new SetBackError();
    },
    async endIfSetBack(at, known) {
      const found = known ?? (await glance({ now: at }));
      const { sign } = found;
      if (sign === undefined) {
        // The store has no recorded home yet, so it has not moved.
        if ('home' in found && found.home === null)
          await database.write((queries) => keepActualHome(database, queries));
        return undefined;
      }
      const ended = await database.writeAlone(async (queries) => {
        await lockHead(queries);
        // Another replica may have ended the requests in the meantime.
        if (!known && (await look(queries, at)).sign === undefined) return undefined;
        return endSetBack(database, queries, ports, { ...known, sign, at });
      });
      step = undefined;
      versions.clear();
      size = ended?.setBack.checkpoint?.size ?? 0;
      return ended;
    },
  };
}

/** Also records the store's current home as complete. */
export async function endSetBack(
  database: Pick<Database, 'home'>,
  queries: Queries,
  ports: StepPorts,
  about: Omit<SetBack, 'checkpoint'>,
): Promise<EndedBySetBack> {
  await keepActualHome(database, queries);
  return endOpenRequests(queries, ports, about);
}

export const isCopy = (database: Database): Promise<boolean> =>
  database.read(async (queries) => hasMoved(await findHeld(database, queries)));

const hasMoved = ({ home, actual }: Held): boolean => home !== null && actual !== null && home !== actual;

async function keepActualHome(database: Pick<Database, 'home'>, queries: Queries): Promise<void> {
  const { actual } = await findHeld(database, queries);
  if (actual !== null) await keepHome(queries, actual);
}

class SetBackError extends BellhopError {
  constructor() {
    super(
      'store-unavailable',
      'A restore or failover rolled the store back, so this may have run already. ' +
        'Nothing was run now. Check the target. Open requests become unknown.',
    );
  }
}

export async function keepHome(queries: Queries, home: string): Promise<void> {
  await queries
    .insertInto('store_home')
    .values({ id: homeRow, home })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ home }))
    .execute();
}

const signs: Readonly<Record<SetBackSign, string>> = {
  restored: 'It was restored.',
  moved: 'It is a copy, or its server failed over.',
  'entries missing': 'Sealed entries of the audit log are gone.',
  'step missing': 'A recorded step is gone.',
  'start missing': 'The recorded start of a change is gone.',
};

const sourceOf = ({ source, checkpoint }: SetBack): string =>
  source ?? (checkpoint ? `the backup of ${plainPart({ at: checkpoint.at })}` : 'a backup');

/**
 * An open request in the restored store may have run after the backup, so it ends as unknown. A whole that was started waits for a person.
 */
function unknownSince(setBack: SetBack, request: Request): Step {
  const { at } = setBack;
  const note = `restored from ${sourceOf(setBack)}; the request may have run since`;
  if (hasParts(request)) return heldSince(setBack, request);
  const error = { code: 'unknown-outcome', message: `The store was ${note}.` };
  const changes = { endedAt: at, outcome: { ...request.outcome, error } };
  const then = { clock: { now: () => at }, rulebook: () => ({ policy: { hash: request.policyHash } }) };
  const audit = [stepEntry(then, 'ended', request, 'unknown', { note })];
  return { before: request, to: 'unknown', at, changes, audit };
}

function heldSince(setBack: SetBack, request: Request): Step {
  const { at } = setBack;
  const why = `The store was restored from ${sourceOf(setBack)}, so changes may have run since.`;
  const runs = request.state === 'running';
  const changes = runs ? heldWhole(request, at, why) : { endedAt: at, note: `Not run. ${why}` };
  const to = runs ? 'running' : 'cancelled';
  const then = { clock: { now: () => at }, rulebook: () => ({ policy: { hash: request.policyHash } }) };
  const audit = [stepEntry(then, runs ? 'paused' : 'cancelled', request, to, { note: why })];
  const kind = runs ? 'paused' : 'refused';
  const notices = [{ requestId: request.id, kind, at, why } as const];
  return { before: request, to, at, changes, audit, notices };
}

function setBackEntry(setBack: SetBack, ended: number): AuditDraft {
  const { at, sign, checkpoint } = setBack;
  const upTo = checkpoint
    ? `It ends with checkpoint ${checkpoint.number} of ${plainPart({ at: checkpoint.at })}, ${checkpoint.size} entries.`
    : 'It has no checkpoint.';
  const note = `The store was restored from ${sourceOf(setBack)}. ${signs[sign]} ${upTo} Open requests that became unknown: ${ended}.`;
  return { at, event: 'store set back', note, policyHash: '' };
}

async function endOpenRequests(
  queries: Queries,
  ports: StepPorts,
  about: Omit<SetBack, 'checkpoint'>,
): Promise<EndedBySetBack> {
  const setBack = { ...about, checkpoint: await newestCheckpoint(queries) };
  const ended: EndedBySetBack['ended'][number][] = [];
  const audit: AuditDraft[] = [];
  for await (const page of requestPages(queries, openStates)) {
    for (const request of ports.rows(page, requestFromRow)) {
      const step = unknownSince(setBack, request);
      const { id, words } = request;
      if (await advanceRequest(queries, ports, step)) ended.push({ id, words });
      audit.push(...step.audit);
    }
    await disown(
      queries,
      page.map(({ id }) => id),
    );
  }
  const row = { kind: setBackKind, key: setBackKind, at: undefined, about: { at: setBack.at } };
  await setDue(queries, ports.clock, setBack.at, [row]);
  const entry = setBackEntry(setBack, ended.length);
  await stageEntries(queries, ports.clock, [entry]);
  return { setBack, ended, audit: [...audit, entry] };
}

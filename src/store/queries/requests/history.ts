import type { EndedBySetBack, Requests, SetBack, SetBackSign } from '../../../model/requests.ts';
import type { Request } from '../../../model/request.ts';
import { BellhopError } from '../../../model/errors.ts';
import type { Database, Queries } from '../../database/database.ts';
import type { RowReader } from '../parse-row.ts';
import { lockHead } from '../seal.ts';
import { endOpenRequests, findHeld, keepHome } from './set-back.ts';

/** What this process knows the store has to hold. */
export interface History extends Pick<Requests, 'endIfSetBack'> {
  /** A step of a request was committed. */
  stepped(after: Pick<Request, 'id' | 'version'>, at: number): void;
  /** A tree of so many leaves was signed. */
  sealed(size: number): void;
  /** In the transaction of a start. @throws SetBackError where the change may have run already */
  refuseSetBack(queries: Queries, now: number): Promise<void>;
}

/** A row that has ended is kept for a day at least: that an older one is gone shows nothing. In milliseconds. */
const stepKeptMs = 60 * 60_000;

export function createHistory(database: Database, rows: RowReader, sealedBefore: number): History {
  let size = sealedBefore;
  let step: { readonly id: string; readonly version: number; readonly at: number } | undefined;

  /** A store that lost its end lacks what this process wrote last. */
  async function signOf(queries: Queries, now: number): Promise<SetBackSign | undefined> {
    const actual = await database.home(queries);
    const held = await findHeld(queries, step?.id ?? '');
    if (held.home !== null && actual !== undefined && held.home !== actual) return 'moved';
    if ((held.size ?? 0) < size) return 'entries missing';
    return step && now - step.at < stepKeptMs && (held.version ?? 0) < step.version
      ? 'step missing'
      : undefined;
  }

  return {
    stepped({ id, version }, at) {
      step = { id, version, at };
    },
    sealed(leaves) {
      size = Math.max(size, leaves);
    },
    async refuseSetBack(queries, now) {
      if (await signOf(queries, now)) throw new SetBackError();
    },
    async endIfSetBack(at, known) {
      const sign = known?.sign ?? (await database.read((queries) => signOf(queries, at)));
      if (sign === undefined) {
        await adoptHome(database);
        return undefined;
      }
      const ended = await database.writeAlone(async (queries) => {
        await lockHead(queries);
        // Another replica may have done it meanwhile.
        if (!known && (await signOf(queries, at)) === undefined) return undefined;
        return endSetBack(database, queries, rows, { ...known, sign, at });
      });
      step = undefined;
      size = ended?.setBack.checkpoint?.size ?? 0;
      return ended;
    },
  };
}

/** Ends what is open, and takes the store for whole where it is from now on. */
export async function endSetBack(
  database: Pick<Database, 'home' | 'sharedNow'>,
  queries: Queries,
  rows: RowReader,
  about: Omit<SetBack, 'checkpoint'>,
): Promise<EndedBySetBack> {
  const home = await database.home(queries);
  if (home !== undefined) await keepHome(queries, home);
  return endOpenRequests(database, queries, rows, about);
}

/** Whether the store was somewhere else when a Bellhop last took it for whole. */
export const isCopy = (database: Database): Promise<boolean> =>
  database.read(async (queries) => {
    const [{ home }, actual] = [await findHeld(queries, ''), await database.home(queries)];
    return home !== null && actual !== undefined && home !== actual;
  });

/** A store that never had one has not been anywhere else. */
async function adoptHome(database: Database): Promise<void> {
  if ((await database.read((queries) => findHeld(queries, ''))).home !== null) return;
  await database.write(async (queries) => {
    const home = await database.home(queries);
    if (home !== undefined) await keepHome(queries, home);
  });
}

/** The start of a change that may have run already. */
class SetBackError extends BellhopError {
  constructor() {
    super(
      'store-unavailable',
      'The store is as it was at an earlier time, after a restore or a failover, so this may have run already. ' +
        'Nothing was run now. Check the target; open requests become unknown.',
    );
  }
}

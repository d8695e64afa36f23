import type { Log } from '../../model/ports.ts';
import { isWaiting, type Request, type RequestOutcome, startOf } from '../../model/records/request.ts';
import type { Requests } from '../../model/records/requests.ts';
import { targetKey } from '../../model/rulebook/target.ts';
import type { TextPart } from '../../text/parts.ts';

/** Resolves to lines of a feature on the card of a request that waits for people. */
export type CardLines = (request: Request) => Promise<readonly (readonly TextPart[])[]>;

/** A button of a feature on the card of a request that awaits approval, and a small line about it, as mrkdwn. */
export type CardExtra = (
  request: Request,
) => { readonly text: string; readonly action: string; readonly line: string } | undefined;

/** Shown on the card of a waiting request in addition to the request. */
export interface Beside {
  /** Lines of features above the text. */
  readonly above?: readonly (readonly TextPart[])[];
  /** The search for the task of the earlier attempt, whose outcome is unknown. */
  readonly earlier?: RequestOutcome['search'];
}

type Store = Pick<Requests, 'list'>;

/** The lines of all features on the card of a waiting request, and the earlier search. Never rejects, because the card matters more. */
export const linesOn =
  (all: readonly CardLines[], store: Store, log: Log) =>
  async (request: Request): Promise<Beside> => {
    if (!isWaiting(request)) return {};
    try {
      const [earlier, ...lines] = await Promise.all([
        earlierSearch(store, request),
        ...all.map((linesOf) => linesOf(request)),
      ]);
      return { above: lines.flat(), earlier };
    } catch (error) {
      log.warn({ err: error, requestId: request.id }, 'a card lacks the lines of a feature');
      return {};
    }
  };

/** At most this many unknown outcomes of a target are searched. */
const maxEarlier = 5;

/** Resolves to what was found of the earlier attempt that the card warns about. */
export async function earlierSearch(
  store: Store,
  { lastUnknownAt, target }: Request,
): Promise<Beside['earlier']> {
  if (lastUnknownAt === undefined) return undefined;
  const unknown = await store.list({ states: ['unknown'], targetKey: targetKey(target), limit: maxEarlier });
  return unknown.find((one) => startOf(one) === lastUnknownAt)?.outcome?.search;
}

import type { Log } from '../../model/ports.ts';
import type { Request } from '../../model/records/request.ts';
import type { TextPart } from '../../text/parts.ts';

/** Resolves to lines of a feature on the card of a request that waits for people. */
export type CardLines = (request: Request) => Promise<readonly (readonly TextPart[])[]>;

/** A button of a feature on the card of a request that awaits approval, and a small line about it, as mrkdwn. */
export type CardExtra = (
  request: Request,
) => { readonly text: string; readonly action: string; readonly line: string } | undefined;

/** The lines of all features. Never rejects, because the card matters more. */
export const linesOn =
  (all: readonly CardLines[], log: Log) =>
  async (request: Request): Promise<readonly (readonly TextPart[])[]> => {
    if (request.state !== 'proposed' && request.state !== 'awaiting approval') return [];
    try {
      return (await Promise.all(all.map((lines) => lines(request)))).flat();
    } catch (error) {
      log.warn({ err: error, requestId: request.id }, 'a card lacks the lines of a feature');
      return [];
    }
  };

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

import type { z } from 'zod';

import { ocsfEvent } from './ocsf-event.ts';

/** A batch as it arrived. */
export interface Arrival {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly contentType: string | undefined;
  /** The sequence numbers in its headers. */
  readonly range: string;
  readonly bytes: number;
  readonly events: readonly z.output<typeof ocsfEvent>[];
  /** The sequence numbers of the events. */
  readonly numbers: readonly number[];
}

/** A status, or a function that answers by itself, now or later. */
type Reaction = number | ((response: ServerResponse) => void);

/** The collector of a SIEM, over HTTP on this machine. It accepts only events that follow the schema. */
export async function startCollector(react: (arrival: Arrival) => Reaction = () => 200) {
  let reaction = react;
  const arrivals: Arrival[] = [];
  const taken: number[] = [];

  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const arrival = arrivalOf(request, await text(request));
    arrivals.push(arrival);
    const reacted = reaction(arrival);
    if (typeof reacted === 'function') return reacted(response);
    if (reacted < 300) taken.push(...arrival.numbers);
    response.writeHead(reacted).end();
  };
  const server = createServer((request, response) => {
    receive(request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
  });
  const listen = (port: number): Promise<void> =>
    new Promise((resolve) => {
      server.listen(port, '127.0.0.1', resolve);
    });
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/in?source=bellhop`,
    arrivals,
    /** The numbers of the entries that the collector accepted. */
    taken,
    /** From now on. */
    answer(how: typeof react): void {
      reaction = how;
    },
    open: () => listen(port),
    close: (): Promise<void> =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function arrivalOf({ headers, url = '' }: IncomingMessage, body: string): Arrival {
  const lines = body.split('\n');
  if (lines.pop() !== '') throw new Error('the last line does not end');
  const events = lines.map((line) => ocsfEvent.parse(JSON.parse(line)));
  return {
    path: url,
    authorization: headers.authorization,
    contentType: headers['content-type'],
    range: `${String(headers['bellhop-first'])}-${String(headers['bellhop-last'])}`,
    bytes: Buffer.byteLength(body),
    events,
    numbers: events.map(({ metadata }) => metadata.sequence),
  };
}

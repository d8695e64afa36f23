import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';

import { z } from 'zod';

export interface Served {
  readonly url: string;
  readonly port: number;
  readonly server: Server;
  /** Closes the server, and cuts requests in progress. */
  readonly close: () => Promise<void>;
}

const listening = z.object({ port: z.number() });

/** An HTTP server of a test, on this machine and a free port. */
export async function serve(listener: RequestListener): Promise<Served> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = listening.parse(server.address());
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    server,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

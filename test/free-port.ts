import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below the ports that systems assign by themselves, so that no other connection takes a port in between. */
const [lowestPort, highestPort] = [20_000, 32_000];

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(lowestPort, highestPort);
    const server = createServer();
    const listening = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!listening) continue;
    await new Promise((resolve) => {
      server.close(resolve);
    });
    return port;
  }
}

import type { Host } from '../../host/feature.ts';
import { within } from '../../model/ports.ts';
import type { AgentsRouteOptions, OnAgentCall } from './route.ts';

/** In milliseconds. After this time, agents get their answer even if their suggestion is not posted yet. */
const postedWithinMs = 2_000;

/** Starts the server with the first call. Its library takes memory and time to load, and only agents need that library. */
export function startServer(host: Host, afterCall: OnAgentCall): AgentsRouteOptions['serve'] {
  let loaded: Promise<AgentsRouteOptions['serve']> | undefined;
  const server = () =>
    (loaded ??= import('./server.ts').then(({ createAgentServer }) =>
      createAgentServer({
        context: {
          ...host,
          posted: (messageId) => within(host.clock, postedWithinMs, () => host.show(messageId)),
          linkTo: (channel, ts) => host.background.permalink({ channel, ts }).catch(() => undefined),
        },
        version: host.version,
        afterCall,
      }),
    ));
  return async (...call) => (await server())(...call);
}

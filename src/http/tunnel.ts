import type { Duplex } from 'node:stream';

import { type Dispatcher, Pool } from 'undici';

import { errorCode } from '../model/values/errors.ts';
import { atProxy, passageFailed, passages } from './obstacle.ts';

/** Asks a proxy for tunnels. Its failures are marked as the proxy's, because no byte of the request was sent. */
export const clientOfProxy = (proxy: URL, timeout: number): Dispatcher =>
  new Pool(proxy, { connect: { timeout }, headersTimeout: timeout }).compose(
    (dispatch) => (request, handler) => dispatch(request, tunnelHandler(handler)),
  );

/** undici reports other statuses than 200 only as sentences. A proxy that is down looks like a host that is down. */
const tunnelHandler = (handler: Dispatcher.DispatchHandler): Dispatcher.DispatchHandler => ({
  onRequestStart: (controller, context) => handler.onRequestStart?.(controller, context),
  onRequestUpgrade(controller, status, headers, socket) {
    if (status === 200) return handler.onRequestUpgrade?.(controller, status, headers, socket);
    socket.destroy();
    handler.onResponseError?.(controller, new ProxyError(String(status)));
  },
  onResponseError: (controller, error) =>
    handler.onResponseError?.(controller, new ProxyError(errorCode(error) ?? 'no answer', error)),
});

/** For a library that opens WebSockets by itself. Reports, like `exchange`, whether an obstacle blocks the connections. */
export const tellingPassages =
  (onSocket: (socket: Duplex) => void): Dispatcher.DispatcherComposeInterceptor =>
  (dispatch) =>
  (request, handler) => {
    const origin = String(request.origin);
    return dispatch(request, {
      onRequestStart: (controller, context) => handler.onRequestStart?.(controller, context),
      onRequestUpgrade(...given) {
        passages.emit('passage', { origin, obstacle: undefined });
        onSocket(given[3]);
        return handler.onRequestUpgrade?.(...given);
      },
      onResponseStart: (...given) => handler.onResponseStart?.(...given),
      onResponseData: (controller, chunk) => handler.onResponseData?.(controller, chunk),
      onResponseEnd: (controller, trailers) => handler.onResponseEnd?.(controller, trailers),
      onResponseError(controller, error) {
        passageFailed(origin, errorCode(error));
        handler.onResponseError?.(controller, error);
      },
    });
  };

class ProxyError extends Error {
  readonly code: string;

  constructor(code: string, cause?: unknown) {
    super('The proxy opened no tunnel', { cause });
    this.code = atProxy + code;
  }
}

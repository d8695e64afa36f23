import type { IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { Failure } from '../http/failure.ts';
import type { Fault } from './faults.ts';
import type { LoggedRequest } from '../http/request-log.ts';

/** A call that has a fault. */
export interface FaultyCall {
  readonly incoming: IncomingMessage;
  readonly logged: LoggedRequest;
  /** Fires when the service closes. Calls that hang or wait end then. */
  readonly closing: AbortSignal;
  /** Fires when the fault is replaced or switched off. A delayed call then continues. */
  readonly over: AbortSignal;
  /** Makes an error in the area's shape. */
  readonly fail: (failure: Failure) => Response;
}

const hang = async ({ incoming, closing }: FaultyCall): Promise<void> => {
  const { socket } = incoming;
  if (closing.aborted) socket.destroy();
  const destroy = () => socket.destroy();
  closing.addEventListener('abort', destroy, { once: true });
  if (!socket.destroyed) await new Promise((resolve) => socket.once('close', resolve));
  closing.removeEventListener('abort', destroy);
};

const instead = (fault: Fault, fail: FaultyCall['fail']): Response | undefined => {
  const { status, html, headers = {}, body } = fault;
  if (html !== undefined && html !== false) {
    const page = html === true ? '<!doctype html><title>Bad Gateway</title><h1>502 Bad Gateway</h1>' : html;
    return new Response(page, {
      status: status ?? 502,
      headers: { 'content-type': 'text/html', ...headers },
    });
  }
  if (body !== undefined) return Response.json(body, { status: status ?? 200, headers });
  if (status === undefined) return undefined;
  return fail(new Failure(status, 'A fault is switched on for this endpoint', { headers }));
};

/** Plays a fault: waits, then gives the configured answer, none, or undefined for the real one. */
export const playFault = async (fault: Fault, call: FaultyCall): Promise<Response | undefined> => {
  if (fault.delay_ms !== undefined) {
    const signal = AbortSignal.any([call.closing, call.over]);
    await pause(fault.delay_ms, undefined, { signal }).catch(() => undefined);
  }
  if (fault.reset === true) {
    call.logged.status = 'reset';
    call.incoming.socket.resetAndDestroy();
    return RESPONSE_ALREADY_SENT;
  }
  if (fault.hang === true) {
    call.logged.status = 'hang';
    await hang(call);
    return RESPONSE_ALREADY_SENT;
  }
  return instead(fault, call.fail);
};

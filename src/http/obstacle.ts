import { EventEmitter } from 'node:events';

import { certificateProblem } from '../model/values/errors.ts';

export interface Obstacle {
  /** The beginning of a sentence, such as `the TLS certificate of api.example.com has expired (CERT_HAS_EXPIRED)`. */
  readonly what: string;
  /** A sentence, without its full stop. */
  readonly todo: string;
  /** The obstacle may end without a change of the settings, such as a proxy that is down or answers with a 5xx. */
  readonly passes?: boolean;
}

/** The prefix of codes of a failure on the way to a proxy, and of a proxy's own status, such as `PROXY_407`. */
export const atProxy = 'PROXY_';

/**
 * A proxy answered 407 to a plain `http:` request, which is forwarded without a tunnel. The 407 may come from a second
 * proxy behind the first, so bytes may have passed.
 */
export const forwardedTo407 = 'FORWARDED_407';

const proxy = 'the proxy in HTTPS_PROXY';

/** Undefined if the host may simply be down. */
export function obstacleOf(host: string, code: string): Obstacle | undefined {
  const isAtProxy = code.startsWith(atProxy);
  const bare = isAtProxy ? code.slice(atProxy.length) : code;
  const certificate = certificateProblem(bare);
  if (certificate) {
    const { wrong, todo = 'Set NODE_EXTRA_CA_CERTS to the file of its certificate authority' } = certificate;
    return { what: `the TLS certificate of ${isAtProxy ? proxy : host} ${wrong} (${bare})`, todo };
  }
  if (isAtProxy) {
    const todo = `Check HTTPS_PROXY and the rules of the proxy, or add ${host} to NO_PROXY`;
    const passes = !/^4\d\d$/u.test(bare);
    return {
      what: `${proxy} did not open a connection to ${host} (${bare})`,
      todo,
      ...(passes && { passes }),
    };
  }
  if (code === forwardedTo407)
    return {
      what: 'the proxy in HTTP_PROXY requires a login (407)',
      todo: 'Set user and password in its address',
    };
  if (!/^ERR_SSL|^EPROTO$/u.test(code)) return undefined;
  return { what: `${host} does not speak valid TLS (${code})`, todo: 'Check its address and port' };
}

export interface Passage {
  readonly origin: string;
  readonly obstacle: Obstacle | undefined;
}

/** Of every exchange of this process, for example with the service, Slack, a login or a schedule. */
export const passages = new EventEmitter<{ passage: [Passage] }>();

export function passageFailed(origin: string, code: string | undefined): Obstacle | undefined {
  const obstacle = code === undefined ? undefined : obstacleOf(new URL(origin).host, code);
  if (obstacle) passages.emit('passage', { origin, obstacle });
  return obstacle;
}

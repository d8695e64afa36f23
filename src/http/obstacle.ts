import { EventEmitter } from 'node:events';

import { certificateProblem } from '../model/values/errors.ts';

/** An obstacle between this machine and a host, which only the operator can remove. */
export interface Obstacle {
  /** `the TLS certificate of api.example.com has expired (CERT_HAS_EXPIRED)`. */
  readonly what: string;
  /** A sentence, without its full stop. */
  readonly todo: string;
}

/** Prefix of the code of a failure on the way to a proxy, or of the proxy's status: `PROXY_407`. */
export const atProxy = 'PROXY_';

/**
 * A proxy answered 407 to a plain `http:` request, which goes without a tunnel. It may be a second proxy behind the
 * first, so bytes may have passed.
 */
export const forwardedTo407 = 'FORWARDED_407';

const proxy = 'the proxy in HTTPS_PROXY';

/** What a failed connection's code says about an obstacle; undefined if the host may simply be down. */
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
    return { what: `${proxy} did not open a connection to ${host} (${bare})`, todo };
  }
  if (code === forwardedTo407)
    return {
      what: 'the proxy in HTTP_PROXY requires a login (407)',
      todo: 'Set user and password in its address',
    };
  if (!/^ERR_SSL|^EPROTO$/u.test(code)) return undefined;
  return { what: `${host} does not speak valid TLS (${code})`, todo: 'Check its address and port' };
}

/** One exchange with a host: its obstacle, or undefined after an answer. */
export interface Passage {
  readonly origin: string;
  readonly obstacle: Obstacle | undefined;
}

/** All exchanges of this process: the service, Slack, a login, a schedule. */
export const passages = new EventEmitter<{ passage: [Passage] }>();

/** Reports a failed connection, if its code names an obstacle. */
export function passageFailed(origin: string, code: string | undefined): Obstacle | undefined {
  const obstacle = code === undefined ? undefined : obstacleOf(new URL(origin).host, code);
  if (obstacle) passages.emit('passage', { origin, obstacle });
  return obstacle;
}

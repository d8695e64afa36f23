import { type HookFault, hookFaults } from '../../bellhop/own-hook.ts';
import type { CheckedSignature } from '../../slack/receive/events-route.ts';
import { traceSlackCall } from '../process/tracing.ts';
import { seconds } from '../../host/metrics.ts';
import type { Readiness } from '../../host/readiness.ts';
import { type answerResults } from './metrics.ts';
import type { Reports } from './health-routes.ts';
import { limited, messagesPart, type ServiceStatus } from '../../model/introspection.ts';
import { type Clock, type DetailedLog, onceAMinute } from '../../model/ports.ts';
import { type Passage, passages } from '../../http/obstacle.ts';
import { sendOnce } from '../../http/send.ts';
import type { HttpRecord } from '../../service/http/any-http.ts';
import type { CallRecord } from '../../service/http/transport.ts';
import { isOutage } from '../../slack/web-api/slack-error.ts';
import { withoutQuery } from '../../text/words.ts';

// All replicas share the app, and anyone can send a wrong signature, so signatures and scopes do not affect readiness.

export const tokenPart = 'slack token';
export const signaturesPart = 'signatures';
export const scopesPart = 'slack scopes';

/** In milliseconds. A burst in one channel reaches its rate limit while others still take messages. */
const burstMs = 30_000;

/**
 * In milliseconds. A message is tried again sooner than this, so an older failure says nothing about waiting messages.
 */
const outageMs = 10 * 60_000;

function observeMessages(clock: Clock, readiness: Readiness) {
  let [takenAt, failedAt, limitedAt] = [0, 0, 0];
  const isDown = (): boolean => readiness.parts()[messagesPart]?.ok === false;
  return {
    afterCall: (outcome: string): void => {
      const now = clock.now();
      if (!isOutage(outcome)) {
        takenAt = now;
        const isOver = limitedAt > 0 && Math.abs(now - limitedAt) > burstMs;
        if (isOver) limitedAt = 0;
        if (isOver || isDown()) readiness.set(messagesPart, true);
      } else if (outcome !== 'ratelimited' || Math.abs(now - takenAt) > burstMs) {
        failedAt = now;
        readiness.set(messagesPart, false, outcome);
      } else if (!isDown()) {
        limitedAt = now;
        readiness.set(messagesPart, true, undefined, limited);
      }
    },
    /** Ends an outage whose last failed message is older than `outageMs`, because Slack may work again. */
    endOldOutage: (): void => {
      if (isDown() && Math.abs(clock.now() - failedAt) > outageMs) readiness.set(messagesPart, true);
    },
  };
}

export function observeSlack({ clock, log, readiness, metrics }: Reports) {
  const isDue = onceAMinute(clock);
  let [tokenRefused, reached] = [false, false];
  const messages = observeMessages(clock, readiness);
  return {
    onConnected: (connected: boolean, problem?: string): void => readiness.set('slack', connected, problem),
    /** @param by `bellhop` if this replica counted its own connections, `slack` if Slack counted those of all replicas */
    onConnections: (by: 'bellhop' | 'slack', connections: number): void =>
      metrics.slackConnections.set({ by }, connections),
    onAnswer: (kind: string, status: number, ms: number): void =>
      metrics.acks.observe({ kind, status }, seconds(ms)),
    afterCall: (method: string, outcome: string, ms: number): void => {
      metrics.slackCalls.observe({ method, outcome: slackOutcome(outcome) }, seconds(ms));
      traceSlackCall(method, outcome, ms);
      if (method.startsWith('chat.')) messages.afterCall(outcome);
      if (tokenRefusals.includes(outcome)) {
        tokenRefused = true;
        readiness.set(tokenPart, false, outcome);
        log.error(
          { method, problem: outcome },
          'Slack rejects SLACK_BOT_TOKEN; no one gets an answer until it is accepted again or replaced',
        );
      } else if (tokenRefused && outcome === 'ok' && method !== 'response_url') {
        tokenRefused = false;
        readiness.set(tokenPart, true);
        log.info({ method }, 'Slack accepts SLACK_BOT_TOKEN again');
      }
    },
    endOldOutage: messages.endOldOutage,
    /** @param missed the features that lack a scope */
    onScopes: (missed: readonly string[]): void => {
      const problem = `${missed.join('; ')}; reinstall the app with all scopes of its manifest`;
      readiness.set(scopesPart, missed.length === 0, missed.length === 0 ? undefined : problem);
    },
    onSignature: ({ verdict, ageMs }: CheckedSignature): void => {
      if (verdict === 'right') {
        if (!reached) log.info({}, 'the first signed request from Slack has arrived');
        reached = true;
        return readiness.set(signaturesPart, true);
      }
      const timestampAgeSeconds = Math.round(ageMs / 1000);
      const problem =
        verdict === 'wrong time'
          ? `a timestamp is ${timestampAgeSeconds} s old; check this machine's clock`
          : 'a signature is wrong but its timestamp is right; check SLACK_SIGNING_SECRET';
      readiness.set(signaturesPart, false, problem);
      if (isDue(verdict))
        log.warn({ verdict, timestampAgeSeconds, problem }, 'payload rejected: invalid signature');
    },
  };
}

export const tokenRefusals = [
  'invalid_auth',
  'not_authed',
  'account_inactive',
  'token_revoked',
  'token_expired',
];

/** Slack has hundreds of codes, so only these get a label of their own. The rest are `other`. */
const shown = new Set([
  'ok',
  'ratelimited',
  'timeout',
  'unreachable',
  'connection_lost',
  'unreadable_reply',
  ...tokenRefusals,
  'missing_scope',
  'invalid_blocks',
  'channel_not_found',
  'not_in_channel',
  'message_not_found',
  'expired_trigger_id',
  'expired_url',
  'used_url',
  'internal_error',
]);

export function slackOutcome(code: string): string {
  if (shown.has(code)) return code;
  return /^http_[45]/u.test(code) ? `${code.slice(0, 'http_4'.length)}xx` : 'other';
}

export const outgoingPart = 'outgoing connections';

const maxHosts = 20;

/** In milliseconds, for each host. */
const lookMs = 5000;

/** Reports certificates and proxies that block connections. Never fails readiness. */
export function observePassages({ clock, log, readiness }: Reports) {
  const isDue = onceAMinute(clock);
  const obstacles = new Map<string, string>();
  const onPassage = ({ origin, obstacle }: Passage): void => {
    if (obstacle ? obstacles.size >= maxHosts && !obstacles.has(origin) : !obstacles.delete(origin)) return;
    if (obstacle) obstacles.set(origin, `${obstacle.what}. ${obstacle.todo}`);
    const [problem] = obstacles.values();
    readiness.set(outgoingPart, problem === undefined, problem);
    const { host } = new URL(origin);
    if (!obstacle) log.info({ host }, 'outgoing connection works again');
    else if (isDue(`${host} ${obstacle.what}`))
      log.warn({ host, problem: obstacles.get(origin) }, 'outgoing connection blocked');
  };
  return {
    follow(): () => void {
      passages.on('passage', onPassage);
      return () => void passages.off('passage', onPassage);
    },
    /** Without credentials. Bellhop thus notices the end of a block before the next call. Never rejects. */
    async lookAgain(): Promise<void> {
      const asked = [...obstacles.keys()].map((origin) =>
        sendOnce(origin, { method: 'HEAD', timeoutMs: lookMs }),
      );
      await Promise.all(asked);
    },
  };
}

/** These errors do not stop Bellhop. */
export function observeOwnOperations({ clock, log, metrics }: Reports) {
  const isDue = onceAMinute(clock);
  const onFault = ({ kind, error, ...about }: HookFault): void => {
    metrics.ownOperationErrors.inc({ kind });
    if (kind === 'escaped') log.error({ ...about, err: error }, 'an operation left an error unhandled');
    else if (isDue(`${about.operation} ${about.hook}`))
      log.warn({ ...about, err: error }, 'a callback of an operation failed; its default is used');
  };
  return {
    follow(): () => void {
      hookFaults.on('fault', onFault);
      return () => void hookFaults.off('fault', onFault);
    },
  };
}

/** These parts of `/readyz` never fail readiness, because all replicas have the same key. A key may reach only some areas. */
export const keyPart = (area: string, account?: string): string =>
  `service key ${account === undefined ? '' : `${account} `}(${area})`;

interface ServiceReports extends Reports {
  readonly log: DetailedLog;
}

export function observeService({ clock, log, readiness, metrics }: ServiceReports) {
  const isDue = onceAMinute(clock);
  const statuses = new Map<string | undefined, ServiceStatus>();
  const statusOf = (account: string | undefined): ServiceStatus => statuses.get(account) ?? { leftAlone: [] };
  const checkKey = ({ endpoint, area, status, keyAccepted }: CallRecord, account?: string): void => {
    const part = keyPart(area, account);
    const setting = account === undefined ? 'API_KEY' : `accounts.${account}.key`;
    if (keyAccepted === false) {
      readiness.set(
        part,
        false,
        `the service answered ${status} to the last call, ${endpoint}; check ${setting}`,
      );
      if (isDue(`${part} ${status} ${endpoint}`))
        log.warn({ endpoint, status, account }, `the service rejects ${setting}`);
    } else if (keyAccepted) readiness.set(part, true);
  };
  return {
    /** @param account undefined for the account of the environment */
    afterCall: (record: CallRecord, account?: string): void => {
      const { area, ...call } = record;
      const { endpoint, method, path, status, outcome, milliseconds } = call;
      const labels = account === undefined ? {} : { account };
      metrics.serviceCalls.observe(
        { ...labels, endpoint, status: status ?? 'none', outcome },
        seconds(milliseconds),
      );
      metrics.serviceAnswers.inc({ ...labels, area, result: answerResult(record) });
      // A 4xx is an answer: the service works, and the request was wrong.
      const answered = outcome === 'succeeded' || (status !== undefined && status < 500);
      const at = clock.now();
      const said = status === undefined ? outcome : `${outcome}, ${status}`;
      const before = statusOf(account);
      const lastFailure = { at, call: `${method} ${path}`, outcome: said };
      statuses.set(account, answered ? { ...before, lastSuccessAt: at } : { ...before, lastFailure });
      checkKey(record, account);
      // Most calls are successful reads. People on call need to see all others.
      const level = outcome === 'succeeded' && method === 'GET' ? 'debug' : 'info';
      log[level](
        { account, call: { ...call, path: withoutQuery(path), milliseconds: Math.round(milliseconds) } },
        'service call finished',
      );
    },
    /** Called for a call by one of your own operations, which says nothing about the service. */
    onHttp: ({ operation, status, outcome, milliseconds, ...call }: HttpRecord): void => {
      metrics.serviceCalls.observe(
        { endpoint: operation, status: status ?? 'none', outcome },
        seconds(milliseconds),
      );
      const details = { ...call, operation, status, outcome, milliseconds: Math.round(milliseconds) };
      log[outcome === 'succeeded' ? 'debug' : 'info']({ call: details }, 'operation call finished');
    },
    onBreaker: (open: boolean, area: string, account?: string): void => {
      metrics.breaker.set(account === undefined ? { area } : { account, area }, open ? 1 : 0);
      const before = statusOf(account);
      const others = before.leftAlone.filter((other) => other !== area);
      statuses.set(account, { ...before, leftAlone: open ? [...others, area] : others });
    },
    now: () => statusOf(undefined),
    accounts: () =>
      [...statuses].flatMap(([name, status]) => (name === undefined ? [] : [{ name, ...status }])),
  };
}

/** A refused key or a failing service is not the requester's mistake. */
function answerResult({ status, outcome, keyAccepted }: CallRecord): (typeof answerResults)[number] {
  if (keyAccepted === false) return 'refused';
  if (status === undefined || status >= 500) return 'failed';
  return outcome === 'succeeded' ? 'ok' : 'rejected';
}

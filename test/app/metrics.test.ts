import { describe, expect, it } from 'vitest';

import { createObserver, type Observer } from '../../src/app/health/observer.ts';
import { readVersion } from '../../src/app/process/this-process.ts';
import { createDrivenClock } from '../driven-clock.ts';
import { dueKind } from '../../src/model/records/due.ts';

const log = { debug() {}, info() {}, warn() {}, error() {} };
const textOf = async (observer: Pick<Observer, 'routes'>) => (await observer.routes['/metrics']()).body;

/** The metrics lines with this prefix that are not 0. */
const lines = async (observer: Pick<Observer, 'routes'>, name: string): Promise<readonly string[]> =>
  (await textOf(observer)).split('\n').filter((line) => line.startsWith(name) && !line.endsWith(' 0'));

const metrics = (): Observer => createObserver([{ name: 'cloud.reboot' }], log, createDrivenClock(90_000));

describe('what is counted', () => {
  it.each([
    [{ event: 'ended', operation: 'cloud.reboot', outcome: 'succeeded' }, 'cloud.reboot', 'succeeded'],
    [{ event: 'settled', operation: 'cloud.reboot', outcome: 'failed' }, 'cloud.reboot', 'failed'],
    [{ event: 'read', operation: 'cloud.reboot', outcome: 'answered' }, 'cloud.reboot', 'answered'],
    [{ event: 'denied', operation: 'cloud.reboot' }, 'cloud.reboot', 'denied'],
    [{ event: 'superseded', operation: 'cloud.reboot', outcome: 'cancelled' }, 'cloud.reboot', 'cancelled'],
    [{ event: 'invalid', operation: '/whatever was typed' }, 'other', 'invalid'],
    [{ event: 'ignored click' }, 'other', 'ignored click'],
  ] as const)('counts the outcome of a command: %o', async (draft, operation, outcome) => {
    const counting = metrics();
    counting.store.happened({ at: 1, policyHash: 'p', ...draft });
    expect(await lines(counting, 'bellhop_operations_total{')).toEqual([
      `bellhop_operations_total{operation="${operation}",outcome="${outcome}"} 1`,
    ]);
  });

  it.each(['proposed', 'confirmed', 'started', 'policy loaded'] as const)(
    'are ends, not steps on the way: %s',
    async (event) => {
      const counting = metrics();
      counting.store.happened({
        at: 1,
        policyHash: 'p',
        event,
        operation: 'cloud.reboot',
        outcome: 'running',
      });
      expect(await lines(counting, 'bellhop_operations_total{')).toEqual([]);
    },
  );

  it('has few labels, whatever Slack answers', async () => {
    const counting = metrics();
    for (let code = 0; code < 300; code += 1)
      counting.slack.afterCall('chat.postMessage', `new_code_${code}`, 5);
    for (const code of ['ok', 'ratelimited', 'http_502', 'http_503']) {
      counting.slack.afterCall('chat.postMessage', code, 5);
    }
    const method = 'method="chat.postMessage"';
    expect(await lines(counting, 'bellhop_slack_calls_seconds_count')).toEqual([
      `bellhop_slack_calls_seconds_count{${method},outcome="other"} 300`,
      `bellhop_slack_calls_seconds_count{${method},outcome="ok"} 1`,
      `bellhop_slack_calls_seconds_count{${method},outcome="ratelimited"} 1`,
      `bellhop_slack_calls_seconds_count{${method},outcome="http_5xx"} 2`,
    ]);
  });

  it('begins the errors of the store at 0, so that the first one is an increase', async () => {
    const counting = metrics();
    counting.store.afterCall('record', true, 1);
    expect(await textOf(counting)).toContain('bellhop_store_errors_total{method="record"} 0');
    counting.store.afterCall('record', false, 1);
    expect(await textOf(counting)).toContain('bellhop_store_errors_total{method="record"} 1');
  });

  it('tells the areas of the service that are left alone from the others', async () => {
    const counting = metrics();
    counting.service.onBreaker(true, 'cdn');
    counting.service.onBreaker(true, 'storage');
    counting.service.onBreaker(false, 'storage');
    expect(await lines(counting, 'bellhop_service_breaker_open')).toEqual([
      'bellhop_service_breaker_open{area="cdn"} 1',
    ]);
    expect(await textOf(counting)).toContain('bellhop_service_breaker_open{area="cloud"} 0');
  });

  it('never takes from a sum if the clock was set back', async () => {
    const counting = metrics();
    counting.slack.onAnswer('command', 200, 250);
    counting.slack.onAnswer('command', 200, -86_400_000);
    expect(await lines(counting, 'bellhop_acks_seconds_sum')).toEqual([
      'bellhop_acks_seconds_sum{kind="command",status="200"} 0.25',
    ]);
  });

  it("is omitted while the store can't be polled", async () => {
    const counting = metrics();
    const kinds = [dueKind('card'), dueKind('notice')];
    const requests = { proposed: 2, 'awaiting approval': 0, running: 1, rolling: 0, paused: 0, unknown: 0 };
    const tally = () =>
      Promise.resolve({
        requests,
        oldest: new Map([['running', 30_000]]),
        due: [{ kind: 'card', count: 3, oldestMs: 60_000 }],
        audit: { entries: 9, unsealed: 2, oldestUnsealedAt: 89_500 },
      });
    await counting.store.count({ tally }, kinds);
    expect(await lines(counting, 'bellhop_requests{')).toContain('bellhop_requests{state="proposed"} 2');
    expect(await lines(counting, 'bellhop_requests_oldest')).toEqual([
      'bellhop_requests_oldest_seconds{state="running"} 60',
    ]);
    expect(await lines(counting, 'bellhop_due{')).toContain('bellhop_due{kind="card"} 3');
    expect(await textOf(counting)).toContain('bellhop_due{kind="notice"} 0');
    expect(await lines(counting, 'bellhop_due_oldest')).toContain(
      'bellhop_due_oldest_seconds{kind="card"} 60',
    );
    expect(await lines(counting, 'bellhop_audit_')).toEqual([
      'bellhop_audit_entries 9',
      'bellhop_audit_unsealed_entries 2',
    ]);
    expect(await lines(counting, 'bellhop_oldest_unsealed')).toEqual([
      'bellhop_oldest_unsealed_audit_entry_seconds 0.5',
    ]);
    await counting.store.count({ tally: () => Promise.reject(new Error('away')) }, kinds);
    for (const name of [
      'bellhop_requests',
      'bellhop_due{',
      'bellhop_due_oldest',
      'bellhop_audit_',
      'bellhop_oldest_unsealed',
    ]) {
      expect(await lines(counting, name)).toEqual([]);
    }
  });

  it('begins at 0 for the outcomes that page someone', async () => {
    const text = await textOf(metrics());
    expect(text).toContain('bellhop_operations_total{operation="cloud.reboot",outcome="unknown"} 0');
  });

  it('says which part is not ready, and which version runs', async () => {
    const counting = metrics();
    counting.readiness.set('slack', true);
    const text = await textOf(counting);
    expect(text).toContain('bellhop_ready{part="store"} 0');
    expect(text).toContain('bellhop_ready{part="slack"} 1');
    expect(text).toContain(`bellhop_info{version="${readVersion()}",node="${process.version}"} 1`);
    expect(text).toContain('nodejs_eventloop_lag_p99_seconds');
  });
});

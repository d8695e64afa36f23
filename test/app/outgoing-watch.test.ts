import { getCACertificates, setDefaultCACertificates } from 'node:tls';

import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';

import { createMetrics } from '../../src/app/health/metrics.ts';
import { observePassages, outgoingPart } from '../../src/app/health/observe-calls.ts';
import { createReadiness } from '../../src/host/readiness.ts';
import { systemClock } from '../../src/app/process/this-process.ts';
import { sendOnce } from '../../src/http/send.ts';
import { createSocketMode } from '../../src/slack/receive/socket-mode.ts';
import { makeAuthority } from '../certificates.ts';
import { startTlsBefore } from '../connect-proxy.ts';
import { createDrivenClock } from '../driven-clock.ts';
import { recordingLog, silentLog } from '../log.ts';
import { serve } from '../serve.ts';
import { answer, startFaultyServer } from '../service/faulty-server.ts';
import { until } from '../until.ts';

const authority = makeAuthority();
const right = authority.issue(['localhost']);
const expired = authority.issue(['localhost'], [-30, -1]);
const other = authority.issue(['other.example.com']);
const defaults = getCACertificates('default');
beforeAll(() => setDefaultCACertificates([...defaults, authority.cert]));
afterAll(() => setDefaultCACertificates(defaults));

let service: Awaited<ReturnType<typeof startFaultyServer>>;
let tls: Awaited<ReturnType<typeof startTlsBefore>>;
beforeEach(async () => {
  service = await startFaultyServer(answer(404, '{}'));
  tls = await startTlsBefore(() => service.port, right);
  return async () => {
    await tls.close();
    await service.close();
  };
});

function watching() {
  const [clock, log] = [createDrivenClock(), recordingLog()];
  const readiness = createReadiness(clock, []);
  const watch = observePassages({ clock, log, readiness, metrics: createMetrics() });
  onTestFinished(watch.follow());
  return { ...watch, log, part: () => readiness.parts()[outgoingPart] };
}

it('a blocked host is checked again without a call, and without sending any of its data', async () => {
  const { part, log, ...watch } = watching();
  const url = `https://localhost:${tls.port}`;
  tls.show(expired);
  await sendOnce(`${url}/v1/instances`, { headers: { authorization: 'apikey of-the-service' } });
  expect(part()).toMatchObject({ ok: false, required: false });
  expect(part()?.lastError).toContain('has expired');
  await watch.lookAgain();
  expect(part()?.ok).toBe(false);
  expect(service.seen).toEqual([]);

  tls.show(other);
  await watch.lookAgain();
  expect(part()?.lastError).toContain('is for another host');
  // A new cause within the minute is reported.
  expect(log.troubles).toEqual(['outgoing connection blocked', 'outgoing connection blocked']);

  tls.show(right);
  await watch.lookAgain();
  expect(part()?.ok).toBe(true);
  expect(service.seen).toMatchObject([{ method: 'HEAD', url: '/' }]);
  expect(service.seen[0]?.headers).not.toHaveProperty('authorization');
  await watch.lookAgain();
  expect(service.seen).toHaveLength(1);
});

it('the certificate of a Socket Mode connection is a part, too, and its host is named', async () => {
  const { part } = watching();
  tls.show(expired);
  const slack = await serve((_, response) =>
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ ok: true, url: `wss://localhost:${tls.port}/link` })),
  );
  onTestFinished(slack.close);
  const told: string[] = [];
  const socket = createSocketMode({
    appToken: () => 'xapp-test',
    slackApiUrl: `${slack.url}/api/`,
    dispatch: () => Promise.resolve({ kind: 'event_callback', status: 200 }),
    ownTeam: 'T0LOCAL',
    clock: systemClock,
    log: silentLog,
    onConnections: (_, problem) => told.push(problem ?? ''),
    onCounted: () => undefined,
    onRefused: () => undefined,
  });
  await expect(socket.start()).rejects.toMatchObject({ slackCode: 'connection_lost' });
  await until(() => part()?.ok === false);
  expect(part()?.lastError).toBe(
    `the TLS certificate of localhost:${tls.port} has expired (CERT_HAS_EXPIRED). Renew it, or set the clock of this machine`,
  );
  await socket.stop();
});

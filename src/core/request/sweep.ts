import { stepEntry } from '../audit/entries.ts';
import type { Environment } from '../context.ts';
import type { Request } from './request.ts';
import { contextOf } from './run-request.ts';
import { stepFrom } from './step.ts';
import { keepSighting } from './sighting.ts';

/** Rows in one go; the next sweep takes the next ones. */
const atMost = 100;

/** Rows of a process that is gone; what is more waits for its lease. */
const atMostAtStart = 1000;

/**
 * Once, before anything is run: where no other process can be on the store, whoever ran the rows that run is gone. Without
 * that they wait for their leases. Never rejects.
 */
export async function recoverAtStart(environment: Environment): Promise<void> {
  const { store, clock, log } = environment;
  if (!store.soleProcess) return;
  try {
    const left = await store.list({ states: ['running'], limit: atMostAtStart });
    for (const request of left) {
      await ending(environment, request, recover(environment, request, clock.now(), 'its process is gone'));
    }
  } catch (error) {
    log.error({ err: error }, 'what a process that is gone ran could not be looked up');
  }
}

/** One request that cannot be ended must not keep those behind it open. */
async function ending(environment: Environment, request: Request, end: Promise<void>): Promise<void> {
  try {
    await end;
  } catch (error) {
    environment.log.error({ err: error, requestId: request.id }, 'a request could not be ended');
  }
}

/**
 * Ends what time has ended: proposals that expired, and running requests whose lease ran out because the process
 * that ran them is gone. Those become `unknown` and are never run again. Safe on any number of replicas at once.
 */
export async function sweep(environment: Environment): Promise<void> {
  const now = environment.clock.now();
  for (const request of await environment.store.due(now, atMost)) {
    const end =
      request.state === 'running'
        ? recover(environment, request, now, 'its lease ran out')
        : expire(environment, request, now);
    await ending(environment, request, end);
  }
}

async function expire(environment: Environment, request: Request, now: number): Promise<void> {
  const audit = [stepEntry(environment, 'expired', request, 'expired')];
  const expired = await environment.store.advance(
    stepFrom(environment, request, 'expired', { endedAt: now }, audit),
  );
  if (expired) environment.messages.changed(expired);
}

async function recover(environment: Environment, request: Request, now: number, note: string): Promise<void> {
  const message =
    'The bot stopped while this was running, so it cannot tell whether the service received it.';
  const changes = { endedAt: now, outcome: { error: { code: 'unknown-outcome', message } } };
  const audit = [stepEntry(environment, 'ended', request, 'unknown', { note })];
  const unknown = await environment.store.advance(stepFrom(environment, request, 'unknown', changes, audit));
  if (!unknown) return;
  environment.messages.changed(unknown);
  const entry = environment.catalogue.find(unknown.operation);
  if (entry) {
    const looking = environment.correlated(unknown.correlationId, () =>
      keepSighting(environment, entry, unknown, contextOf(environment, unknown)),
    );
    environment.inFlight.add(looking, unknown.id);
  }
}

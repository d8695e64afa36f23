import { describe, expect, it } from 'vitest';

import { createBackgroundTasks } from '../../../src/app/process/this-process.ts';
import { type ReceiverOptions, receiverLimits } from '../../../src/slack/receive/server.ts';
import { warmUp } from '../../../src/slack/receive/warm-up.ts';
import { createDrivenClock } from '../../driven-clock.ts';
import { recordingLog } from '../../log.ts';

function watched(correlate: (kind: string) => void) {
  const [clock, log, seen] = [createDrivenClock(), recordingLog(), new Array<string>()];
  const see = (what: string) => () => void seen.push(what);
  const options: ReceiverOptions = {
    signingSecrets: () => ['the secret of Slack'],
    ownTeam: 'T0LOCAL',
    clock,
    log,
    backgroundTasks: createBackgroundTasks(clock, log),
    limits: receiverLimits,
    routes: {},
    inbox: { accept: () => Promise.reject(new Error('the store was touched')) },
    identify: (actor) => Promise.resolve(actor).finally(see('Slack was asked')),
    correlate(kind, work) {
      correlate(kind);
      return work('c-1');
    },
    onAnswer: see('an answer was counted'),
    onSignature: see('a signature was counted'),
  };
  return { options, log, seen };
}

describe('the warm-up before Bellhop listens', () => {
  it('takes a signed command up to its acknowledgement, without the store, the metrics, the log and Slack', async () => {
    const kinds: string[] = [];
    const { options, log, seen } = watched((kind) => kinds.push(kind));
    await warmUp(options);
    await options.backgroundTasks.drained(0);
    expect(kinds).toEqual(['command']);
    expect(seen).toEqual([]);
    expect(log.lines).toEqual([]);
  });

  it('does not keep Bellhop from listening if it fails', async () => {
    const { options } = watched(() => {
      throw new Error('broken');
    });
    await expect(warmUp(options)).resolves.toBeUndefined();
  });
});

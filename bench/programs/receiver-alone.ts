/**
 * A contender: Bellhop's work up to the ack, and nothing after it. It uses the bot's own parts, with metrics and correlation ids,
 * but has no app behind the receiver and logs nothing. With `DATA_DIR` it records commands before it acknowledges them, like the
 * bot.
 */
import { createBackgroundTasks, createCorrelation, systemClock } from '../../src/app/process/this-process.ts';
import { createInbox, type Inbox } from '../../src/slack/receive/inbox.ts';
import { createReceiver, receiverLimits } from '../../src/slack/receive/server.ts';
import { createObserver, type Observer } from '../../src/app/health/observer.ts';
import { watchStore } from '../../src/app/health/watched-store.ts';
import { dueAfter } from '../../src/features/index.ts';
import { operations } from '../../src/operations/index.ts';
import { openStore } from '../../test/store/open-store.ts';

const { PORT, DATA_DIR, SLACK_SIGNING_SECRET: signingSecret = '' } = process.env;
const signingSecrets = [signingSecret];
const silent = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/** Omitted, because a delivery is closed after the ack. */
async function inboxIn(dataDir: string | undefined, observer: Observer): Promise<Pick<Inbox, 'accept'>> {
  if (dataDir === undefined) return { accept: () => Promise.resolve({ first: true, done: () => undefined }) };
  const store = watchStore(await openStore({ dataDir }), {
    ...observer.store,
    staged: () => undefined,
    due: () => undefined,
    dueAfter,
  });
  const inbox = createInbox({ store, clock: systemClock, clockIsRight: () => true, log: silent });
  return { accept: async (delivered) => ({ ...(await inbox.accept(delivered)), done: () => undefined }) };
}

const observer = createObserver(operations, silent, systemClock);
const correlation = createCorrelation();
const receiver = createReceiver({
  signingSecrets: () => signingSecrets,
  clock: systemClock,
  log: silent,
  backgroundTasks: createBackgroundTasks(systemClock, silent),
  ownTeam: 'T0LOCAL',
  identify: (actor) => Promise.resolve(actor),
  correlate: (_, work) => correlation.start(work),
  limits: receiverLimits,
  inbox: await inboxIn(DATA_DIR, observer),
  routes: {},
  onAnswer: observer.slack.onAnswer,
});
await receiver.start({ host: '127.0.0.1', port: Number(PORT) });

import { features } from '../features/index.ts';
import type { Config } from '../config/environment/environment.ts';
import { dueAfter } from '../features/index.ts';
import type { AuditDraft } from '../model/records/audit.ts';
import type { DueDraft } from '../model/records/due.ts';
import { httpOrigin, isUnverifiedDatabase } from '../text/host.ts';
import type { Log } from '../model/ports.ts';
import type { Store, StoreOptions } from '../store/store.ts';
import { createInbox } from '../slack/receive/inbox.ts';
import { openStore } from '../store/open-store.ts';
import { createCheckpointLog } from '../audit/checkpoint-log.ts';
import { type LastSealedFile, lastSealedFile, sealedCheckpoint } from '../audit/own-files.ts';
import { configuredSigning, openSigning, reportSigning } from './signing.ts';
import { connectSlack } from './connect-slack.ts';
import { createRotation, databaseSecrets, type Rotate } from '../config/environment/secrets.ts';
import { storageVariables } from '../config/environment/variables.ts';
import { resolveEndpoints } from './endpoints.ts';
import { createObserver, type Observer } from './health/observer.ts';
import { tokenPart } from './health/observe-calls.ts';
import { watchStore } from './health/watched-store.ts';
import { startJobs, startSoon } from './jobs.ts';
import { recoverAtStart } from '../request/deadline.ts';
import { createSealer } from '../audit/seal.ts';
import { systemClock } from './process/this-process.ts';
import { type BotOptions, createCore } from './create-core.ts';

export interface Bot {
  readonly url: string;
  readonly page: string | undefined;
  /** Resolves to the reason when Slack rejects the bot permanently. */
  readonly refused: Promise<string>;
  /** In milliseconds. By the current rules, a stop waits this long for running work. */
  drainMs(): number;
  /** Accepts no new work, drains running work, and closes everything. */
  stop(): Promise<void>;
}

/**
 * Opens the store, local parts, the connection to Slack, and the core with its jobs, in this order, and closes them in
 * reverse. Bellhop accepts payloads once all are open.
 * @throws BellhopError that names what is missing or can't be reached, after closing everything
 */
export async function startBot(options: BotOptions): Promise<Bot> {
  const opened = new AsyncDisposableStack();
  const close = (): Promise<void> =>
    opened.disposeAsync().catch((error: unknown) => options.log.warn({ err: error }, 'error while closing'));
  try {
    return await startInOrder(options, opened, close);
  } catch (error) {
    await close();
    throw error;
  }
}

async function startInOrder(
  options: BotOptions,
  opened: AsyncDisposableStack,
  close: () => Promise<void>,
): Promise<Bot> {
  const { config, operations, mask, log } = options;
  const observer = createObserver(operations, log, systemClock);
  const { readiness, clockWatch } = observer;
  const refused = Promise.withResolvers<string>();

  for (const one of [observer.passages, observer.ownOperations]) opened.defer(one.follow());
  const rotate = followSecretFiles(options, opened);
  const due: DueOfStore = { wake: () => undefined, whenSealed: () => [], recorded: () => undefined };
  const { store, sealer, signing, toLog } = await openSealedStore(options, observer, due, rotate);
  opened.defer(() => store.close());
  opened.defer(toLog);
  opened.defer(() => sealer.close());
  readiness.set('store', true);
  const inbox = createInbox({ store, clock: systemClock, clockIsRight: clockWatch.isRight, log });
  opened.defer(() => inbox.close());

  const endpoints = await resolveEndpoints(config, operations, rotate, mask);
  opened.defer(() => endpoints.close());

  const slack = await connectSlack({
    ...options,
    slack: endpoints.slack,
    inbox,
    routes: observer.routes,
    watch: { ...observer.slack, onRefused: (problem) => refused.resolve(problem) },
  });
  opened.defer(() => slack.close());
  readiness.set(tokenPart, true);

  const core = createCore({ ...options, endpoints, slack, store, inbox, observer, signing });
  opened.defer(() => core.close());
  due.wake = () => core.queue.wake();
  due.recorded = (entry) => core.features.forEach((one) => one.recorded?.(entry));
  due.whenSealed = () => core.features.flatMap(({ dueWhenSealed }) => dueWhenSealed?.() ?? []);
  await Promise.all(core.features.flatMap(({ beforeReady }) => beforeReady?.() ?? []));
  // Connecting to Slack has already read Slack's clock.
  await clockWatch.round({ database: () => store.serverTime() });
  await recoverAtStart(core.context);
  const jobs = { core, store, inbox, sealer, slack, observer, clock: systemClock, log, toLog };
  opened.defer(startSoon(systemClock, () => startJobs(jobs).close));

  const port = await slack.listen(core.context, core.routes);
  for (const { checkAtStart } of core.features)
    if (checkAtStart) slack.backgroundTasks.add(checkAtStart(), 'check at start');
  readiness.set('running', true);
  const drainMs = (): number => core.context.rulebook().drainMs;
  return {
    url: httpOrigin(config.host, port),
    page: endpoints.slack.page,
    refused: refused.promise,
    drainMs,
    async stop() {
      readiness.set('running', false, 'stopping');
      await slack.stopReceiving();
      await Promise.all(core.features.flatMap(({ close: end }) => end?.() ?? []));
      const drained = await slack.backgroundTasks.drained(drainMs());
      if (!drained) log.warn({}, 'unfinished requests become unknown after their lease');
      await close();
    },
  };
}

/** In milliseconds. Files with secrets are checked this often. */
const secretFilesMs = 500;

function followSecretFiles({ config, mask, log }: BotOptions, opened: AsyncDisposableStack): Rotate {
  const { rotate, look } = createRotation({ files: config.secretFiles, mask, log });
  opened.defer(systemClock.every(secretFilesMs, look));
  return rotate;
}

/** Only the login may change while Bellhop runs, because another database would be another store. */
function rotatedDatabase(first: string, { production }: Config, rotate: Rotate): () => string {
  const address = storageVariables(production).shape.DATABASE_URL.unwrap();
  const sameDatabase = address.refine((url) => withoutLogin(url) === withoutLogin(first), {
    error: 'points to another database: restart Bellhop to use it.',
  });
  return rotate('DATABASE_URL', first, sameDatabase, databaseSecrets);
}

function withoutLogin(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  [url.username, url.password] = ['', ''];
  url.searchParams.delete('password');
  return url.href;
}

/** Set once the queue of due work and the features exist. */
interface DueOfStore {
  wake(): void;
  whenSealed(): readonly DueDraft[];
  recorded(entry: AuditDraft): void;
}

async function openSealedStore(
  { config, mask, log, untilItPasses }: BotOptions,
  { unreadable, store: watcher }: Observer,
  due: DueOfStore,
  rotate: Rotate,
) {
  const keys = configuredSigning(config, mask);
  const own = lastSealedFile(config.dataDir);
  let file = own;
  if (keys)
    for (const { recall } of features)
      file = (await recall?.({ file, keys, rulebook: config.rulebook, log })) ?? file;
  const storeOptions: StoreOptions = {
    currentUrl:
      'databaseUrl' in config.store ? rotatedDatabase(config.store.databaseUrl, config, rotate) : undefined,
    onProblem: (problem) => log.warn({ err: problem }, 'store problem'),
    onUnreadable: (row) => unreadable.leftOut(row),
    sealed: sealedCheckpoint(file)?.size,
    dueAfter,
  };
  const open = (): Promise<Store> => openStore(config.store, storeOptions);
  // A problem with a folder of this machine needs a person, so there is nothing to wait for.
  const opened = await ('databaseUrl' in config.store ? untilItPasses(open) : open());
  try {
    const signing = openSigning(config, mask);
    reportSigning(signing, config, log);
    await warnOfNoMemory(opened, file, log);
    if ('databaseUrl' in config.store) await warnOfDatabase(opened, config.store.databaseUrl, config, log);
    const sealer = createSealer({
      store: opened,
      keys: signing.keys,
      file,
      clock: systemClock,
      log,
      due: () => due.whenSealed(),
      onSealed: watcher.onSealed,
    });
    const store = watchStore(opened, {
      ...watcher,
      happened(entry) {
        watcher.happened(entry);
        due.recorded(entry);
      },
      staged: () => sealer.wake(),
      due: () => due.wake(),
      dueAfter,
    });
    const toLog = createCheckpointLog(store, log);
    return { store, sealer, signing, toLog };
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/** Without a checkpoint of its own, a replica can't detect that an older copy replaced the log. */
async function warnOfNoMemory(store: Store, file: LastSealedFile, log: Log): Promise<void> {
  if (file.read() !== undefined || !(await store.newestCheckpoint())) return;
  log.warn(
    { file: file.path },
    'this replica remembers no sealed checkpoint, so it continues the log that the database has; keep DATA_DIR, or set audit.publish to a folder or URL that survives the replica',
  );
}

async function warnOfDatabase(
  store: Store,
  databaseUrl: string,
  { production }: Pick<Config, 'production'>,
  log: Log,
): Promise<void> {
  if (isUnverifiedDatabase(databaseUrl)) {
    log.warn(
      {},
      `DATABASE_URL has no sslmode=verify-full${production ? ' and DATABASE_TLS is off' : ''}, so traffic to PostgreSQL can be read and changed; docs/operations.md explains how to verify the server`,
    );
  }
  if (production && (await store.mayRewrite())) {
    log.warn(
      {},
      'the login of DATABASE_URL can change and remove audit entries; docs/operations.md explains how to use one that cannot',
    );
  }
}

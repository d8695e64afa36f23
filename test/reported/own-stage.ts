import { setTimeout as delay } from 'node:timers/promises';

import { onTestFinished } from 'vitest';

import { createSecrets } from '../../src/config/environment/secrets.ts';
import { loadRulebook } from '../../src/config/rulebook/read-rulebook.ts';
import { findingLines } from '../../src/config/yaml/findings.ts';
import { createRedactor } from '../../src/command/redactor.ts';
import type { Store } from '../../src/store/store.ts';
import { followExtensions } from '../../src/command/grammar/registry.ts';
import { createHttp } from '../../src/service/http/any-http.ts';
import { createBackgroundTasks } from '../../src/app/process/this-process.ts';
import { coreFor } from '../core.ts';
import { createDrivenClock } from '../driven-clock.ts';
import { freePort } from '../free-port.ts';
import { type RecordingLog, recordingLog } from '../log.ts';
import { serve } from '../serve.ts';
import { type HookFault, hookFaults } from '../../src/bellhop/own-hook.ts';
import { type Stage, stageOn } from '../stage.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { openStore } from '../store/open-store.ts';
import { assumedMembers } from '../../src/features/index.ts';

export interface OwnStage extends Stage {
  readonly log: RecordingLog;
  /** The requests that the service got, such as `POST /200`, with content type and body if there are any. */
  readonly got: readonly string[];
  /** The callbacks that failed, such as `caught watch.words`. */
  readonly faults: ReadonlySet<string>;
}

interface OwnStageOptions {
  /** A file in the folder `own-operations`. */
  readonly file: string;
  readonly secrets?: Readonly<Record<string, string>>;
  /**
   * Further lines of bellhop.yaml. `URL` stands for the service's address, and `CLOSED` for an address where nothing
   * listens.
   */
  readonly yaml: string;
}

/** Bellhop in this process with a team's file of operations, and a service whose path determines its answer. */
export async function openOwnStage({ file, yaml, secrets = {} }: OwnStageOptions): Promise<OwnStage> {
  const got: string[] = [];
  const service = await serve((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const type = request.headers['content-type'];
      got.push(
        [request.method, request.url, type, Buffer.concat(chunks).toString()].filter(Boolean).join(' '),
      );
      void answer(request.url ?? '');
    });
    const answer = async (path: string): Promise<void> => {
      if (path === '/hangs') return;
      if (path === '/reset') return void request.socket.destroy();
      if (path.startsWith('/slow')) await delay(50);
      const status = Number(/\d+$/u.exec(path)?.[0] ?? 200);
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(status < 300 ? { ok: true } : { message: `It says ${status}.` }));
    };
  });
  onTestFinished(() => service.close());
  const closed = `http://127.0.0.1:${await freePort()}`;
  const text = `operations: [./${file}]\n${yaml.replaceAll('URL', service.url).replaceAll('CLOSED', closed)}
roles: { responders: { users: [U0ALICE] } }
rules:
  - { risk: read, roles: [anyone], then: allow }
  - { operations: ['*'], roles: [responders], then: confirm }
`;
  return Object.assign(
    await openFileStage({ text, folder: `${import.meta.dirname}/own-operations`, secrets }),
    {
      got,
    },
  );
}

interface FileStageOptions {
  /** The text of bellhop.yaml. */
  readonly text: string;
  /** The folder of its files. */
  readonly folder: string;
  readonly secrets?: Readonly<Record<string, string>>;
  /** Default: a store of its own. */
  readonly store?: Store;
  /** The client of the service. */
  readonly service?: unknown;
  /** Epoch milliseconds. Default: the usual time of tests. */
  readonly now?: number;
}

/** Bellhop in this process with the operations that a bellhop.yaml names. */
export async function openFileStage({ text, folder, secrets = {}, ...options }: FileStageOptions) {
  const mask = createRedactor();
  const redact = (shownText: string): string => mask.redact(shownText);
  const place = { label: 'bellhop.yaml', folder };
  const read = await loadRulebook(Buffer.from(text), place, [], {}, redact);
  if (!read.ok) throw new Error(findingLines(read.findings).join('\n'));
  const { rulebook, operations } = read;
  const store = options.store ?? (await openStore({ dataDir: temporaryFolder() }));
  if (!options.store) onTestFinished(() => store.close());
  const log = recordingLog();
  const clock = createDrivenClock(options.now);
  const http = createHttp({ production: false, mask: redact, logger: log, afterCall: () => undefined });
  const core = coreFor({
    registry: followExtensions(operations, () => rulebook),
    rulebook,
    clock,
    store,
    service: options.service,
    directory: {
      person: (actor) =>
        Promise.resolve({ ...actor, fullMember: true, guest: false, active: true, timeZone: 'UTC' }),
      inUsergroup: () => Promise.resolve('not held'),
      membersOf: (source) => assumedMembers(source, []),
    },
    world: {
      log,
      http: http.httpFor,
      backgroundTasks: createBackgroundTasks(clock, log),
      resolveSecret: (reference) => createSecrets(secrets, undefined, mask).resolve(reference),
      redact,
      holdsSecret: (one) => mask.holds(one),
    },
  });
  const faults = new Set<string>();
  const onFault = ({ kind, hook }: HookFault): void => void faults.add(`${kind} ${hook}`);
  hookFaults.on('fault', onFault);
  onTestFinished(() => void hookFaults.off('fault', onFault));
  return Object.assign(stageOn(core, store), { log, faults });
}

/** Everything that Slack could show of an answer or an error. */
export const shown = async (answer: Promise<unknown>): Promise<string> =>
  answer.then(
    (value) => JSON.stringify(value),
    (error: unknown) => String(error),
  );

import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';

import { z } from 'zod';

import { originOf } from '../../audit/tree/checkpoint.ts';
import { parseVerifierKey, type VerifierKey } from '../../audit/tree/signed-note.ts';
import type { AuditCommand, CommandPorts } from '../../host/feature.ts';
import type { Rulebook } from '../../model/rulebook/rulebook.ts';
import { badConfiguration } from '../../model/values/errors.ts';
import { guardTitle } from '../../policy/guards.ts';
import { ruleTitle } from '../../policy/policy.ts';
import { checkOptions, command, UsageError } from '../../program/run-program.ts';
import type { AuditRecord } from '../../store/open-store.ts';
import { mapValues, orUndefined } from '../../text/words.ts';
import { summaryOf } from './account.ts';
import { nameInRow } from './pack/csv.ts';
import type { Manifest } from './pack/manifest.ts';
import { verifyPack } from './pack/verify-pack.ts';
import { packFolder } from './pack-folder.ts';
import { pageText } from './page-text.ts';
import { planPack } from './plan.ts';
import { during, type ShowProgress } from './progress.ts';
import { readme, sealText } from './readme.ts';
import { writePack } from './write-pack.ts';

const wanted = z.object({
  from: z.iso.date('takes a day, such as 2026-10-01'),
  to: z.iso.date('takes a day, such as 2026-10-31'),
  out: z.string('takes a folder that is empty, or does not exist'),
  labels: z.array(z.string().regex(/^[^=]+=./u, 'takes a label, such as env=production')),
  operation: z
    .string()
    .regex(/^(?:\*|[a-z][\w-]*\.(?:\*|[\w-]+))$/u, 'takes an operation, such as cloud.reboot or cloud.*'),
  people: z.enum(['ids', 'names'], 'takes ids or names'),
  key: z.array(z.string()),
});
type Wanted = z.output<typeof wanted>;

export const makePack = (outside: CommandPorts): AuditCommand =>
  command({
    summary: 'write the changes of a period with their proofs, and a page that verifies them, for an auditor',
    help: `Usage: npm run audit -- evidence --from <day> --to <day> --out <folder> [--labels <label>=<value>] [--operation <name>]
                                [--people ids|names] [--key <key>]
Verifies the log, and writes all changes that were proposed from the first to the last day (UTC, both included) into a new folder:
a table, the entries with their proofs, the checkpoints, and index.html, which verifies the folder in any browser, offline.
  --labels <label>=<value>   only changes of targets with this label; repeatable
  --operation <name>         only changes by this operation, such as cloud.reboot or cloud.*
  --people names             with the names of people in Slack today, which needs SLACK_BOT_TOKEN; default: ids
  --key <key>                the verifier key, as "key" prints it; repeatable. Default: the keys that sign here
Reads the store of DATABASE_URL, or of DATA_DIR (.data), and prints its location to stderr. Works while Bellhop is running, and on a restored backup.
Exit code: 0, 1 if the log is broken, the period has no changes, or the folder is not empty, or 2 if the log could not be read.`,
    options: {
      from: { type: 'string' },
      to: { type: 'string' },
      out: { type: 'string' },
      labels: { type: 'string', multiple: true, default: [] },
      operation: { type: 'string', default: '*' },
      people: { type: 'string', default: 'ids' },
      key: { type: 'string', multiple: true, default: [] },
    },
    async run(values) {
      const asked = checkOptions(wanted, values);
      if (asked.from > asked.to) throw new UsageError('--to must not be before --from.');
      const out = resolve(asked.out);
      if (!isFree(out)) return refuse(`${asked.out} is not an empty folder. Choose another one with --out.`);
      return outside.withLog((log) => make(log, asked, out, outside));
    },
  });

const isFree = (folder: string): boolean =>
  orUndefined(() => readdirSync(folder).length === 0) ?? !existsSync(folder);

function refuse(text: string): number {
  process.stdout.write(`${text}\n`);
  return 1;
}

async function make(log: AuditRecord, asked: Wanted, out: string, outside: CommandPorts): Promise<number> {
  // Bounds the memory. By default, the heap grows to four times what is in use, and new objects take 64 MB.
  setFlagsFromString('--heap-growing-percent=20');
  setFlagsFromString('--semi-space-growth-factor=1');
  mkdirSync(dirname(out), { recursive: true });
  const draft = mkdtempSync(join(dirname(out), `.${basename(out)}-`));
  const remove = (): void => rmSync(draft, { recursive: true, force: true });
  const interrupted = (signal: NodeJS.Signals): void => {
    remove();
    // The handler ran once and is removed, so the signal now ends this process.
    process.kill(process.pid, signal);
  };
  for (const signal of signals) process.once(signal, interrupted);
  try {
    const keys = await write(log, draft, asked, outside);
    if (typeof keys === 'string') return refuse(keys);
    const said = await during('Verifying the pack', (show) => finish(draft, keys, show));
    renameSync(draft, out);
    process.stdout.write(`${asked.out}: ${said}
Open ${join(asked.out, 'index.html')} in a browser. Give the auditor the verifier key separately: npm run audit -- key\n`);
    return 0;
  } finally {
    for (const signal of signals) process.off(signal, interrupted);
    remove();
  }
}

const signals = ['SIGINT', 'SIGTERM'] as const;

/** Resolves to a sentence if there is nothing to prove. */
async function write(
  log: AuditRecord,
  folder: string,
  { from, to, people, key, ...asked }: Wanted,
  outside: CommandPorts,
): Promise<readonly VerifierKey[] | string> {
  const newest = await log.newestCheckpoint();
  const [oldest] = await log.checkpointsFrom(undefined, 1);
  if (!newest || !oldest)
    throw badConfiguration('The audit log is not sealed yet, so there is nothing to prove.');
  const now = outside.clock.now();
  const keys = await outside.verifiersFor(originOf(newest.note), key, [oldest, newest]);
  const period = { from, to, zone: 'UTC' as const };
  const filter = { labels: labelsOf(asked.labels), operation: asked.operation };
  const plan = await during('Verifying the log', (onProgress) =>
    planPack(log, { period, filter, keys, newest, now, onProgress }),
  );
  if (typeof plan === 'string') return plan;
  const rulebook = await outside.usualRulebook();
  const witnesses = rulebook ? outside.witnessKeys(rulebook).map(parseVerifierKey) : [];
  const found = people === 'names' ? await outside.namesOf('--people names', plan.users) : {};
  const parts = {
    plan,
    keys: [...keys, ...witnesses],
    page: await pageText(),
    made: new Date(now).toISOString(),
    people,
    names: mapValues(found, nameInRow),
    rules: rulebook && rulesOf(rulebook),
  };
  await during('Writing', (onProgress) => writePack(log, folder, parts, onProgress));
  return keys;
}

/** The titles of the rules and guards that may decide about a change, as the entries name them. */
const rulesOf = ({ policy: { hash, rules }, guards }: Rulebook): Manifest['rules'] => ({
  hash,
  names: [
    ...rules.map((_, index) => ruleTitle(rules, index)),
    ...guards.map((_, index) => guardTitle(index)),
  ],
});

const labelsOf = (labels: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    labels.map((label) => [label.slice(0, label.indexOf('=')), label.slice(label.indexOf('=') + 1)]),
  );

/**
 * Verifies the pack, too. Resolves to a summary.
 * @throws Error if the pack is not sound, for example because the log was changed meanwhile
 */
async function finish(
  folder: string,
  keys: readonly VerifierKey[],
  onProgress: ShowProgress,
): Promise<string> {
  const pack = await verifyPack(packFolder(folder), { keys }, { onProgress });
  const [fault] = pack.faults;
  if (fault || !pack.seals)
    throw new Error(`The new pack failed its verification: ${fault?.file}: ${fault?.text} No pack was made.`);
  writeFileSync(join(folder, 'README.txt'), readme(pack.seals, pack.shown));
  return summaryOf(pack.seals, pack) + sealText(pack.seals.manifest);
}

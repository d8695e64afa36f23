import { existsSync } from 'node:fs';

import { parseCheckpoint } from '../../audit/tree/checkpoint.ts';
import { noteText } from '../../audit/tree/signed-note.ts';
import { badInput, BellhopError } from '../../model/values/errors.ts';
import { command, envFileHelp, type Program, runCommands, UsageError } from '../../program/run-program.ts';
import { backUp, restore } from '../../store/cli/backup.ts';
import { findPerson, forgetPerson } from '../../store/cli/forget.ts';
import { print, usualRulebook } from './command.ts';
import { closing, counted } from '../../text/words.ts';
import { dueAfter, restrictions } from '../../features/index.ts';
import { type Copied, copyStore } from '../../store/cli/copy-store.ts';
import { StoreUnavailableError } from '../../store/database/database.ts';
import { isCopy } from '../../store/queries/requests/history.ts';
import {
  type StoreLocation,
  openDatabase,
  openDatabaseBeside,
  openStore,
  serverAt,
  storeOfEnvironment,
} from '../../store/open-store.ts';
import { grantRunning } from '../../store/postgres/privileges.ts';
import { sqliteFile } from '../../store/sqlite/open-sqlite.ts';

const program: Program = {
  command: 'npm run store --',
  failureCode: 2,
  takesEnvFile: true,
  help: `Usage: npm run store -- backup <file>
       npm run store -- restore <file>
       npm run store -- restored [--from <what>]
       npm run store -- copy --from <data directory> [--to <PostgreSQL URL>]
       npm run store -- migrate [--role <role>]
       npm run store -- forget <user id> [--dry-run]
backup: writes the store of DATABASE_URL, or of DATA_DIR (.data), to a new file. Works while Bellhop is running.
restore: restores a backup into that store, which must be empty, while Bellhop is stopped. On PostgreSQL as the owner.
restored: run it after any other restore, and after a failover to a standby that may lag. Every open request becomes
unknown, because it may have run since. On PostgreSQL, it works while Bellhop is running.
  --from "the standby pg-2"   what it was restored from, shown on cards and in the audit log
copy: copies the embedded store of a stopped Bellhop into an empty PostgreSQL database, as the owner. Default for --to: DATABASE_URL.
migrate: creates or changes the tables of DATABASE_URL for this version, as their owner.
  --role bellhop_app   the login that Bellhop runs as: it can add audit entries, but not change or remove them
forget: replaces a person, such as U0ALICE, with a pseudonym, and removes the reasons they typed that are older than
requests.keep in bellhop.yaml. The audit log stays provable. Works while Bellhop is running; on PostgreSQL, as the owner.
  --dry-run   says what would change, and changes nothing
backup, restore and copy verify the written audit log before they report success.
${envFileHelp}`,
};

const one = (otherwise: string) => ({ least: 1, most: 1, otherwise });

const commands = {
  backup: command({
    options: {},
    words: one('Give one file, such as: backup bellhop.backup.'),
    run: (_, [file = '']) => backUpTo(file),
  }),
  restore: command({
    options: {},
    words: one('Give one file, such as: restore bellhop.backup.'),
    run: (_, [file = '']) => restoreFrom(file),
  }),
  restored: command({ options: { from: { type: 'string' } }, run: ({ from }) => endOpen(from) }),
  copy: command({
    options: { from: { type: 'string' }, to: { type: 'string' } },
    run: ({ from, to }) => copy(from, to === undefined ? storeOfEnvironment() : serverAt(to, '--to')),
  }),
  migrate: command({ options: { role: { type: 'string' } }, run: ({ role }) => migrateAs(role) }),
  forget: command({
    options: { 'dry-run': { type: 'boolean', default: false } },
    words: one('Give one Slack user id, such as: forget U0ALICE.'),
    run: ({ 'dry-run': dryRun }, [user = '']) => forget(user, dryRun),
  }),
};

async function backUpTo(file: string): Promise<number> {
  const copied = await tellingWhy(() => backUp(storeOfEnvironment(), file));
  process.stdout.write(`Backed up to ${file} and verified: ${summary(copied)}`);
  return 0;
}

async function restoreFrom(file: string): Promise<number> {
  const copied = await tellingWhy(() => restore(file, storeOfEnvironment(), dueAfter));
  process.stdout.write(
    `Restored from ${file} and verified: ${summary(copied)}` +
      endedText(copied.ended) +
      'Start Bellhop with its previous keys, which are not in the backup. Before you start a replica that kept its DATA_DIR, run there: npm run audit -- adopt-log\n',
  );
  return 0;
}

async function endOpen(source: string | undefined): Promise<number> {
  await using store = closing(await openStore(storeOfEnvironment(), { dueAfter }));
  const found = await store.endIfSetBack(Date.now(), { sign: 'restored', source });
  const ended = found?.ended ?? [];
  process.stdout.write(endedText(ended.length));
  for (const { id, words } of ended) process.stdout.write(`${id} ${words}\n`);
  return 0;
}

const endedText = (ended: number): string =>
  ended === 0
    ? 'No requests were open.\n'
    : `Open requests that became unknown: ${ended}. Check their targets, then settle them on their cards.\n`;

/** The usual message of a database error is about commands and retries, and does not fit a copy. */
async function tellingWhy<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof StoreUnavailableError)) throw error;
    throw new BellhopError(error.code, `Nothing was copied: ${error.reason}.`, { cause: error });
  }
}

function summary({ rows, checkpoint }: Copied): string {
  const count = (table: Parameters<typeof rows.get>[0]): number => rows.get(table) ?? 0;
  const staged = count('audit_staged');
  const unsealed = staged > 0 ? ` (${staged} not sealed yet)` : '';
  const counts =
    `${count('requests')} requests, ${count('audit') + staged} audit entries${unsealed}, ` +
    `${count('deliveries')} deliveries.\n`;
  if (!checkpoint) return counts;
  const { size, root } = parseCheckpoint(noteText(checkpoint.note));
  return `${counts}Checkpoint ${checkpoint.number}: ${size} entries, root ${root.toString('base64')}.\n`;
}

async function migrateAs(role: string | undefined): Promise<number> {
  const location = storeOfEnvironment();
  if (!('databaseUrl' in location))
    throw new UsageError("Set DATABASE_URL, with the login of the database's owner.");
  await using database = closing(await openDatabase(location));
  if (role !== undefined) await database.writeAlone((queries) => grantRunning(queries, role));
  process.stdout.write(
    role === undefined
      ? 'The tables are up to date for this version.\n'
      : `The tables are up to date for this version. ${role} can add audit entries, but not change or remove them.\n`,
  );
  return 0;
}

async function copy(dataDir: string | undefined, to: StoreLocation): Promise<number> {
  if (!dataDir) throw new UsageError('Name the data directory to copy: --from .data.');
  if (!('databaseUrl' in to)) throw new UsageError('Set the database to copy to, with DATABASE_URL or --to.');
  if (!existsSync(sqliteFile(dataDir))) {
    throw badInput(`There is no ${sqliteFile(dataDir)}: --from names Bellhop's data directory.`);
  }
  await using source = closing(await openDatabase({ dataDir }));
  await using destination = closing(await openDatabase(to));
  const restored = (await isCopy(source)) ? { at: Date.now(), dueAfter } : undefined;
  const copied = await tellingWhy(() => copyStore(source, destination, restored));
  process.stdout.write(
    `Copied and verified: ${summary(copied)}` +
      (restored ? endedText(copied.ended) : '') +
      'Set DATABASE_URL and start Bellhop. Keep the data directory until Bellhop works.\n',
  );
  return 0;
}

const defaultKeepMs = 90 * 24 * 60 * 60_000;
const slackId = /^[UW][A-Z0-9]{2,30}$/u;

async function forget(user: string, dryRun: boolean): Promise<number> {
  if (!slackId.test(user)) throw new UsageError(`${user} is not a Slack user id. Give one such as U0ALICE.`);
  const [now, keepMs] = [Date.now(), (await usualRulebook())?.keepMs ?? defaultKeepMs];
  const asked = { user, lasting: restrictions.map(({ kind }) => kind), before: now - keepMs };
  await using database = closing(await openDatabaseBeside(storeOfEnvironment()));
  const found = await findPerson(database, asked);
  const { requests, sign_ins: signIns, reasons } = found;
  const alerts = [...found.alert_groups, ...found.alert_messages];
  const work = [...found.due, ...found.deliveries];
  const rows = [
    counted(requests.length, 'request'),
    counted(alerts.length, 'alert record'),
    counted(work.length, 'piece of pending work', 'pieces of pending work'),
    counted(signIns.length, 'sign-in'),
  ].join(', ');
  const typed = counted(reasons.old, 'typed reason');
  if (requests.length + alerts.length + work.length + signIns.length + reasons.old === 0)
    print([`Nothing to change: no request, alert, pending work or sign-in names ${user}.`]);
  else if (dryRun)
    print([`${user} would be replaced in ${rows}. ${typed} would be removed. Nothing was changed.`]);
  else
    print([
      `${user} is now ${await forgetPerson(database, asked, found, now)} in ${rows}. Removed: ${typed}.`,
    ]);
  if (reasons.young > 0) {
    const again = new Date(reasons.lastAt + keepMs).toISOString().slice(0, 10);
    print([
      `Kept, because requests.keep has not passed: ${counted(reasons.young, 'typed reason')}. Run this again after ${again}.`,
    ]);
  }
  print([
    'Slack ids stay in the audit log, because its proofs cover them. Earlier backups still contain everything.',
  ]);
  return 0;
}

await runCommands(program, commands);

import { existsSync } from 'node:fs';

import { BellhopError } from '../../core/model/errors.ts';
import { type Program, readOptions, runProgram, UsageError } from '../../program/run-program.ts';
import { copyStore } from './copy-store.ts';
import { openDatabase } from '../open-store.ts';
import { grantRunning } from '../postgres/privileges.ts';
import { sqliteFile } from '../sqlite/open-sqlite.ts';

const program: Program = {
  command: 'npm run store --',
  failureCode: 2,
  help: `Usage: npm run store -- copy --from <data directory> [--to <PostgreSQL URL>]
       npm run store -- migrate [--role <role>]
copy: the embedded store of a stopped Bellhop into an empty PostgreSQL database. Without --to: DATABASE_URL. Run it as the owner.
migrate: makes or changes the tables of DATABASE_URL for this version, as their owner.
  --role bellhop_app   the login that Bellhop runs as: it may add to the audit log, and not change or remove what is in it`,
};

async function storeProgram(args: readonly string[]): Promise<number> {
  const { values, positionals } = readOptions(
    args,
    { from: { type: 'string' }, to: { type: 'string' }, role: { type: 'string' } },
    true,
  );
  const { from, to = process.env.DATABASE_URL, role } = values;
  const command = positionals.join(' ');
  if (command === 'migrate') return migrateAs(role);
  if (command !== 'copy') throw new UsageError('Say what to do: copy or migrate.');
  if (!from) throw new UsageError('Name the data directory to copy: --from .data.');
  if (!to) throw new UsageError('Name the database to copy to: set DATABASE_URL, or --to.');
  await copy(from, to);
  return 0;
}

async function migrateAs(role: string | undefined): Promise<number> {
  const { DATABASE_URL: databaseUrl } = process.env;
  if (!databaseUrl) throw new UsageError('Name the database: set DATABASE_URL, with the login of its owner.');
  const database = await openDatabase({ databaseUrl });
  try {
    if (role !== undefined) await database.writeAlone((queries) => grantRunning(queries, role));
  } finally {
    await database.close();
  }
  process.stdout.write(
    role === undefined
      ? 'The tables are those of this version.\n'
      : `The tables are those of this version. ${role} may add to the audit log, and not change or remove what is in it.\n`,
  );
  return 0;
}

async function copy(dataDir: string, databaseUrl: string): Promise<void> {
  if (!existsSync(sqliteFile(dataDir))) {
    throw new BellhopError(
      'bad-input',
      `There is no ${sqliteFile(dataDir)}: --from names Bellhop's data directory.`,
    );
  }
  const source = await openDatabase({ dataDir });
  try {
    const destination = await openDatabase({ databaseUrl });
    try {
      const {
        requests,
        audit,
        audit_staged: staged,
        reviews,
        deliveries,
      } = await copyStore(source, destination);
      process.stdout.write(
        `Copied and verified: ${requests} requests, ${audit + staged} audit entries, ${reviews} reviews, ${deliveries} deliveries.\n` +
          'Set DATABASE_URL and start Bellhop; keep the data directory until you have seen it work.\n',
      );
    } finally {
      await destination.close();
    }
  } finally {
    await source.close();
  }
}

await runProgram(program, storeProgram);

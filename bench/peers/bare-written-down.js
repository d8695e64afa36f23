/** The bare handler, which stores each command in SQLite before its ack: one insert, one sync. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { serveCommands } from './slack-form.js';

const database = new DatabaseSync(join(process.env.DATA_DIR, 'bare.db'));
database.exec(
  'pragma journal_mode = wal; pragma synchronous = full; create table commands (id text primary key, form text)',
);
const insert = database.prepare('insert into commands values (?, ?) on conflict do nothing');

serveCommands((form, ack) => {
  const id = form.get('trigger_id');
  if (
    insert.run(id, `${form.get('command')} ${form.get('user_id')} ${form.get('response_url')}`).changes === 1
  )
    ack();
});

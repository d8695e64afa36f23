/** A webhook without a bot: stores each group of alerts in SQLite before it answers, one insert and one sync, and posts nothing. */
import { createServer } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const database = new DatabaseSync(join(process.env.DATA_DIR, 'alerts.db'));
database.exec(
  'pragma journal_mode = wal; pragma synchronous = full; create table alerts (id text primary key, content text)',
);
const insert = database.prepare(
  'insert into alerts values (?, ?) on conflict do update set content = excluded.content',
);

const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const { groupKey, alerts } = JSON.parse(Buffer.concat(chunks).toString());
    insert.run(`${request.url} ${groupKey}`, JSON.stringify(alerts));
    response.writeHead(200, { 'Content-Length': 0 }).end();
  });
});
server.listen(Number(process.env.PORT), '127.0.0.1');

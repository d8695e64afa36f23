import { startPostgres } from './postgres.ts';

// A server for as long as someone holds this program's input open: node test/postgres-process.ts. Says where it is.

const server = await startPostgres(['fsync=off', 'max_connections=300']);
process.stdout.write(`${server.url}\n`);
process.stdin.on('end', () => void server.remove()).resume();

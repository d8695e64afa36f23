import { startPostgres } from './postgres.ts';

// Runs a server until this program's input is closed: node test/postgres-process.ts. Prints the server's URL.

const server = await startPostgres(['fsync=off', 'max_connections=300']);
process.stdout.write(`${server.url}\n`);
process.stdin.on('end', () => void server.remove()).resume();

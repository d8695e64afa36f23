import { randomBytes } from 'node:crypto';

import { Client } from 'pg';

/** @param url of a server */
export async function createDatabase(url: string, template?: string): Promise<string> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const client = new Client({ connectionString: url });
  await client.connect();
  const copied = template === undefined ? 'template1' : new URL(template).pathname.slice(1);
  await client.query(`create database ${name} template ${copied}`);
  await client.end();
  return new URL(name, url).href;
}

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { freePort } from '../../free-port.ts';
import { shown } from '../../reported/own-stage.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { until } from '../../until.ts';
import { haproxyCases } from '../endings.ts';
import { change, openExample } from '../example-stage.ts';
import { type Runtime, runtimeAt, serveRuntime } from '../haproxy-stand-in.ts';
import { testEndings } from '../test-endings.ts';
import { isReal, start } from './start.ts';

/** HAProxy as the example has it, with the ports and the socket of the test. */
async function startHaproxy(level = 'admin'): Promise<Runtime> {
  const folder = temporaryFolder();
  const socket = join(folder, 'runtime.sock');
  const shipped = readFileSync(join(import.meta.dirname, '../../../examples/haproxy/haproxy.cfg'), 'utf8');
  let text = shipped.replace('/tmp/bellhop-haproxy.sock', socket).replace('level admin', `level ${level}`);
  for (const port of [8080, 8081, 8082]) text = text.replaceAll(`:${port}`, `:${await freePort()}`);
  writeFileSync(join(folder, 'haproxy.cfg'), text);
  const { failed, said } = start('haproxy', ['-db', '-f', join(folder, 'haproxy.cfg')]);
  const runtime = runtimeAt(socket);
  const isUp = async () => {
    const stat = await Promise.resolve(runtime('show stat web 4 -1')).catch(() => '');
    return stat.split(',UP,').length === 3;
  };
  await Promise.race([until(isUp, said), failed]);
  return runtime;
}

describe.runIf(isReal)('a real HAProxy', () => {
  testEndings(haproxyCases(startHaproxy));

  it('says Permission denied with a socket that may only look', async () => {
    const service = await serveRuntime(await startHaproxy('user'));
    const stage = await openExample({
      folder: 'haproxy',
      addressed: (yaml) => yaml.replaceAll('/tmp/bellhop-haproxy.sock', service.address),
    });
    expect(await shown(stage.ask('/lb servers web'))).toContain('2 of 2 up');
    const { state, outcome } = await change(stage, '/lb drain web-1', service);
    expect([state, outcome?.error?.message]).toEqual(['failed', 'HAProxy says: Permission denied']);
  });

  it('shows what HAProxy knows of a backend and a server that it lacks', async () => {
    const service = await serveRuntime(await startHaproxy());
    const addressed = (yaml: string): string => yaml.replaceAll('/tmp/bellhop-haproxy.sock', service.address);
    const other = (from: string, to: string) =>
      openExample({ folder: 'haproxy', addressed: (yaml) => addressed(yaml).replaceAll(from, to) });
    const backend = await other('backend: web', 'backend: nope');
    expect(await shown(backend.ask('/lb servers nope'))).toContain('HAProxy says: No such proxy.');
    const server = await other('web-2:', 'web-9:');
    expect(await shown(server.ask('/lb drain web-9'))).toContain(
      "HAProxy's backend web has no server web-9.",
    );
  });
});

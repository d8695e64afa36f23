import { describe, expect, it } from 'vitest';

import { shown } from '../reported/own-stage.ts';
import { containersStandIn } from './containers-stand-in.ts';
import { openExample } from './example-stage.ts';
import { serveStandIn } from './stand-in.ts';

async function open() {
  const docker = containersStandIn();
  const service = await serveStandIn(docker.answer, { socket: true });
  const stage = await openExample({
    folder: 'containers',
    addressed: (yaml) => yaml.replace('/run/docker.sock', service.address.slice('unix:'.length)),
  });
  return { docker, stage };
}

const logsOf = async (line: string): Promise<string> => {
  const { docker, stage } = await open();
  docker.write(1, `${line}\n`);
  return shown(stage.ask('/containers logs local web'));
};

describe('examples/containers', () => {
  it('shows the containers, and the lines of output and errors in order', async () => {
    const { docker, stage } = await open();
    expect(await shown(stage.ask('/containers list local'))).toContain(
      '["web","shop/web:1.4","running","Up 2 hours"]',
    );
    docker.write(1, 'listening on port 80\n');
    docker.write(2, 'grün'.repeat(40));
    docker.write(1, ' und weiter\n');
    const said = await shown(stage.ask('/containers logs local web --lines 2'));
    expect(said).toContain(`"rows":[["listening on port 80"],["${'grün'.repeat(40)} und weiter"]]`);
  });

  it('shows the lines of a container with a terminal', async () => {
    const { docker, stage } = await open();
    docker.terminal('one\r\ntwo\r\n');
    expect(await shown(stage.ask('/containers logs local web'))).toContain('"rows":[["one"],["two"]]');
  });

  it.each([
    'password=hunter-4711',
    'PGPASSWORD: hunter-4711',
    'the password hunter-4711 is wrong',
    '{"user":"a","password":"hunter-4711","b":1}',
    '{"api_key": "hunter-4711"}',
    String.raw`secret='hunter-4711 and hunter-4711'`,
    'GET /?access_token=hunter-4711&x=1',
    'X-Auth-Token: hunter-4711',
    'Authorization: Bearer hunter-4711.abc_d',
    'authorization: basic hunter-4711==',
    'connecting to postgres://orders:hunter-4711@db/orders',
    'redis://:hunter-4711@cache:6379/0',
    'amqp://bot:hunter-4711@x@mq/',
    String.raw`{"password":"say \"hunter-4711\" twice: hunter-4711"}`,
  ])('hides the secret in %s', async (line) => {
    const said = await logsOf(line);
    expect(said).toContain('••••');
    expect(said).not.toContain('4711');
  });

  it('keeps everything else', async () => {
    expect(await logsOf('GET https://shop.example.com/basket 200 in 12 ms')).toContain(
      'GET https://shop.example.com/basket 200 in 12 ms',
    );
  });

  it('sees that a container without a health check runs again', async () => {
    const { stage } = await open();
    const { operation } = stage.context.registry.find('containers.restart') ?? {};
    const proposed = await shown(stage.ask('/containers restart local web'));
    expect(proposed).toContain('"value":"shop/web:1.4, running"');
    expect(operation?.watch?.progress({ state: 'running', started: 'now' })).toBe('there');
  });

  it('says that there is no such container', async () => {
    const { stage } = await open();
    expect(await shown(stage.ask('/containers restart local nope'))).toContain('No such container: nope');
    expect(await shown(stage.ask('/containers restart local ../images'))).toContain(
      'must be the name of a container',
    );
  });
});

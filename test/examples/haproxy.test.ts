import { describe, expect, it } from 'vitest';

import { shown } from '../reported/own-stage.ts';
import { follow } from '../rollouts/rolling.ts';
import { change, decide, ended, openExample } from './example-stage.ts';
import { haproxyStandIn, serveRuntime } from './haproxy-stand-in.ts';

async function open() {
  const answer = haproxyStandIn();
  const service = await serveRuntime(answer);
  const stage = await openExample({
    folder: 'haproxy',
    addressed: (yaml) => yaml.replaceAll('/tmp/bellhop-haproxy.sock', service.address),
  });
  return { answer, service, stage };
}

describe('examples/haproxy', () => {
  it('asks for an approval before the last server that is up is drained', async () => {
    const { service, stage } = await open();
    expect((await change(stage, '/lb drain web-1', service)).state).toBe('succeeded');
    const last = await stage.propose('alice', '/lb drain web-2');
    expect([last.state, last.decision.approvers]).toEqual(['awaiting approval', ['leads']]);
    await decide(stage, last);
    await ended(stage, last, service);
    const back = await stage.propose('alice', '/lb ready web-1');
    expect(back.state).toBe('proposed');
  });

  it('shows a backend, and names the backends that bellhop.yaml lists', async () => {
    const { stage } = await open();
    expect(await shown(stage.ask('/lb servers web'))).toContain('2 of 2 up');
    expect(await shown(stage.ask('/lb servers wep'))).toContain('Backends: web.');
  });

  it('refuses to drain a drained server', async () => {
    const { answer, stage } = await open();
    await answer('set server web/web-1 state drain');
    expect(await shown(stage.ask('/lb drain web-1'))).toContain('web-1 is already DRAIN.');
  });

  it('sends no second command with a name', async () => {
    const service = await serveRuntime(haproxyStandIn());
    const stage = await openExample({
      folder: 'haproxy',
      addressed: (yaml) =>
        yaml
          .replaceAll('/tmp/bellhop-haproxy.sock', service.address)
          .replace('backend: web,', "backend: 'web; disable',"),
    });
    expect(await shown(stage.ask('/lb drain web-1'))).toContain('is not a name of HAProxy');
  });

  it('drains one server after another, and stops before the last one that is up', async () => {
    const { service, stage } = await open();
    const request = await stage.propose('alice', '/lb drain --each role=web --pause 10s');
    await decide(stage, request);
    const summary = await follow(stage, request.id).until(/paused/u);
    expect(summary).toContain('web-1 succeeded');
    expect(service.changes).toEqual(['set server web/web-1 state drain']);
  });
});

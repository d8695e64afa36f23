import { describe, expect, it } from 'vitest';

import { sweep } from '../due/sweep.ts';
import { shown } from '../reported/own-stage.ts';
import { argocdStandIn } from './argocd-stand-in.ts';
import { argocdSecrets } from './endings.ts';
import { change, decide, openExample, settled } from './example-stage.ts';
import { type Answer, serveStandIn } from './stand-in.ts';

async function open(through: (argo: ReturnType<typeof argocdStandIn>) => Answer = ({ answer }) => answer) {
  const clocks: (() => number)[] = [];
  const argo = argocdStandIn(() => clocks[0]?.() ?? 0);
  const service = await serveStandIn(through(argo));
  const stage = await openExample({
    folder: 'argocd',
    addressed: (yaml) => yaml.replaceAll('https://argocd.example.com', service.address),
    secrets: argocdSecrets,
    now: Date.UTC(2026, 10, 28),
  });
  clocks.push(() => stage.clock.now());
  return { argo, service, stage };
}

const automatic = (argo: ReturnType<typeof argocdStandIn>, automated: object): void => {
  const now = argo.current();
  argo.set({ ...now, spec: { ...now.spec, syncPolicy: { ...now.spec.syncPolicy, automated } } });
};

describe('examples/argocd', () => {
  it('ends a sync with the operation of Argo CD, at once if that is over at once', async () => {
    const { stage, argo } = await open();
    const request = await stage.propose('alice', '/argo sync search');
    await decide(stage, request);
    expect((await stage.becomes(request, 'succeeded')).outcome?.report?.title).toBe('search is synced');
    expect(argo.current().status.operationState?.operation.info).toEqual([
      { name: 'bellhop/request', value: request.id },
    ]);
  });

  it('fails if the operation fails, with its message', async () => {
    const { stage, argo, service } = await open();
    argo.waits = true;
    const request = await stage.propose('alice', '/argo sync search');
    await decide(stage, request);
    await expect.poll(() => service.changes.length).toBe(1);
    argo.work('Failed', 'one or more objects failed to apply');
    await stage.clock.advance(3000);
    await sweep(stage.context);
    const { outcome } = await stage.becomes(request, 'failed');
    expect(outcome?.error?.message).toContain('one or more objects failed to apply');
  });

  it('rolls back to the deployment before the last, or to the one with this id', async () => {
    const { stage, argo, service } = await open();
    expect(await shown(stage.ask('/argo rollback search'))).toContain('deployment 3, 33333333');
    expect((await change(stage, '/argo rollback search', service)).state).toBe('succeeded');
    expect(argo.current().status.history.at(-1)).toMatchObject({ id: 5, revision: '3'.repeat(40) });
    expect(await shown(stage.ask('/argo rollback search 9'))).toContain('Earlier ids: 3, 4.');
    expect(await shown(stage.ask('/argo rollback search 4'))).toContain('deployment 4');
  });

  it('refuses a rollback while autosync is on', async () => {
    const { stage, argo } = await open();
    automatic(argo, {});
    expect(await shown(stage.ask('/argo rollback search'))).toContain(
      'First type /argo autosync search off.',
    );
  });

  it('settles the second rollback by account and time, and not the first', async () => {
    const { stage, service } = await open();
    await change(stage, '/argo rollback search', service);
    await stage.clock.advance(60_000);
    service.fault = { end: 'resets', effect: true };
    const request = await change(stage, '/argo rollback search', service);
    expect(request.state).toBe('unknown');
    expect((await settled(stage, request, { marked: true })).state).toBe('succeeded');
  });

  it('switches autosync and keeps prune, self-heal and sync options', async () => {
    const { stage, argo, service } = await open();
    automatic(argo, { prune: true, selfHeal: true });
    expect((await change(stage, '/argo autosync search off', service)).state).toBe('succeeded');
    const syncOptions = ['CreateNamespace=true'];
    const automated = { prune: true, selfHeal: true };
    expect(argo.current().spec.syncPolicy).toEqual({
      automated: { ...automated, enabled: false },
      syncOptions,
    });
    expect((await change(stage, '/argo autosync search on', service)).state).toBe('succeeded');
    expect(argo.current().spec.syncPolicy).toEqual({
      automated: { ...automated, enabled: true },
      syncOptions,
    });
    expect(await shown(stage.ask('/argo autosync search on'))).toContain('is on already');
  });

  it('fails if an older Argo CD drops the switch, and says so', async () => {
    const { stage, argo, service } = await open(({ answer, current, set }) => (call) => {
      const reply = answer(call);
      if (call.method !== 'PATCH') return reply;
      const { spec, ...rest } = current();
      const { enabled: _dropped, ...automated } = spec.syncPolicy.automated ?? {};
      return {
        status: 200,
        body: set({ ...rest, spec: { ...spec, syncPolicy: { ...spec.syncPolicy, automated } } }),
      };
    });
    automatic(argo, { prune: true });
    const { state, outcome } = await change(stage, '/argo autosync search off', service);
    expect([state, outcome?.error?.message]).toEqual([
      'failed',
      expect.stringContaining('has no switch for autosync, which is unchanged'),
    ]);
  });

  it('shows the applications of bellhop.yaml, and which of them cannot be read', async () => {
    const { stage } = await open();
    const said = await shown(stage.ask('/argo apps'));
    expect(said).toContain('0 of 2 synced and healthy');
    expect(said).toContain('["orders","cannot be read"');
    expect(said).toContain('["search","OutOfSync","55555555","Healthy","off","Succeeded","4"]');
  });
});

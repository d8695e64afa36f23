import { describe, expect, it } from 'vitest';

import { shown } from '../reported/own-stage.ts';
import { change, decide, ended, openExample, settled } from './example-stage.ts';
import { kubernetesSecrets } from './endings.ts';
import { kubernetesStandIn } from './kubernetes-stand-in.ts';
import { serveStandIn } from './stand-in.ts';

async function open() {
  const cluster = kubernetesStandIn();
  const service = await serveStandIn(cluster.answer);
  const stage = await openExample({
    folder: 'kubernetes',
    addressed: (yaml) => yaml.replaceAll('https://127.0.0.1:6443', service.address),
    secrets: kubernetesSecrets,
  });
  return { cluster, service, stage };
}

describe('examples/kubernetes', () => {
  it('returns exactly to the template of the revision before, without pod-template-hash', async () => {
    const { cluster, service, stage } = await open();
    cluster.patch([{ op: 'add', path: '/spec/template/metadata/annotations', value: { merged: 'no' } }]);
    cluster.reconcile();
    expect(await shown(stage.ask('/k8s undo search'))).toContain('revision 3, shop/orders:1.3');
    expect((await change(stage, '/k8s undo search', service)).state).toBe('succeeded');
    expect(cluster.current().spec.template).toEqual({
      metadata: { creationTimestamp: null, labels: { app: 'orders' } },
      spec: {
        containers: [{ name: 'orders', image: 'shop/orders:1.3', args: ['--port=80'] }],
        terminationGracePeriodSeconds: 30,
      },
    });
  });

  it('restarts and scales, and changes nothing else', async () => {
    const { cluster, service, stage } = await open();
    const before = cluster.current();
    await change(stage, '/k8s restart search', service);
    await change(stage, '/k8s scale search 5', service);
    const { spec, metadata } = cluster.current();
    const { annotations, ...rest } = spec.template.metadata ?? {};
    expect({ ...spec, template: { ...spec.template, metadata: rest } }).toEqual({
      ...before.spec,
      replicas: 5,
    });
    expect(Object.keys(annotations ?? {})).toEqual(['kubectl.kubernetes.io/restartedAt']);
    expect(metadata.annotations).toMatchObject({ 'deployment.kubernetes.io/revision': '4' });
  });

  it('is not refused for a write of the status, but for one of the spec between the last look and the patch', async () => {
    const { cluster, service, stage } = await open();
    const request = await stage.propose('alice', '/k8s scale search 5');
    cluster.reconcile({ availableReplicas: 2 });
    service.before = () => void cluster.patch([{ op: 'replace', path: '/spec/replicas', value: 9 }]);
    await decide(stage, request);
    const { state, outcome } = await ended(stage, request, service);
    expect([state, outcome?.error?.message]).toEqual([
      'failed',
      expect.stringContaining('search has changed since this was proposed'),
    ]);
    expect(cluster.current().spec.replicas).toBe(9);
  });

  it('succeeds if a proxy repeats the patch, so that the second one is refused', async () => {
    const { cluster, service, stage } = await open();
    service.fault = { end: 422, effect: true };
    expect((await change(stage, '/k8s scale search 5', service)).state).toBe('succeeded');
    expect(cluster.current().spec.replicas).toBe(5);
  });

  it('stays unknown if a later change has replaced the mark', async () => {
    const { cluster, service, stage } = await open();
    service.fault = { end: 500, effect: true };
    const request = await change(stage, '/k8s scale search 5', service);
    cluster.patch([{ op: 'add', path: '/metadata/annotations/bellhop~1request', value: 'r-other' }]);
    const after = await settled(stage, request, { marked: true });
    expect([after.state, after.outcome?.search?.suggests]).toEqual(['unknown', undefined]);
    expect(after.outcome?.search?.seen).toContain('Not all tasks could be read');
  });

  it.each([
    ['/k8s restart search', { paused: true }, 'is paused'],
    ['/k8s scale search 3', {}, 'has 3 replicas already'],
  ])('%s is not proposed if nothing would come of it', async (line, spec, said) => {
    const { cluster, stage } = await open();
    cluster.change(spec);
    expect(await shown(stage.ask(line))).toContain(said);
  });

  it('judges a rollout as kubectl does', async () => {
    const { service, stage } = await open();
    const { before } = await change(stage, '/k8s restart search', service);
    const watch = stage.context.registry.find('k8s.restart')?.operation.watch;
    const judged = (more: Readonly<Record<string, string>>) => watch?.progress({ ...before, ...more });
    expect(judged({})).toBe('there');
    expect(judged({ generation: '8' })).toBe('on its way');
    expect(judged({ updated: '1' })).toBe('on its way');
    expect(judged({ running: '4' })).toBe('on its way');
    expect(judged({ updated: '1', failed: 'yes' })).toBe('broken');
  });

  it('shows revisions and pods', async () => {
    const { stage } = await open();
    const revisions = await shown(stage.ask('/k8s rollouts search'));
    expect(revisions).toContain('3 of 3 available, revision 4, shop/orders:1.4');
    expect(revisions).not.toContain('other');
    expect(await shown(stage.ask('/k8s pods search'))).toMatch(/0 of 1 ready.*CrashLoopBackOff/u);
  });
});

import { operation, refused, z } from 'bellhop';

import { before, connect, type Deployment, imagesOf, revisionOf, templateOf } from './api.ts';
import { checked, factOf, pointer, progressOf, seenIn, send, type Step, tasksIn, wordsOf } from './patch.ts';

const deployment = z
  .string()
  .max(63)
  .describe('The Deployment, from bellhop.yaml.')
  .meta({ positional: true, target: 'deployment', placeholder: 'orders' });

const input = z.strictObject({ deployment });

type Context = Parameters<typeof connect>[0];

const call = (path: string) => ({ label: 'Sends', value: `PATCH ${path}`, isCall: true as const });

function refusePaused({ spec, metadata }: Deployment): void {
  if (spec.paused) throw refused(`${metadata.name} is paused. Resume it first: kubectl rollout resume.`);
}

const observe = async (context: Context) => seenIn(await connect(context).read());

const watch = (returns: boolean) => ({
  returns,
  progress: progressOf,
  answered: (output: Deployment) => seenIn(output),
  there: ({ name }: { readonly name: string }) => `${name} is rolled out`,
  words: wordsOf,
});

const isRunning = async (target: Context['target'], context: Omit<Context, 'target'>) => {
  const { status } = await connect({ ...context, target }).read();
  return status.availableReplicas > 0;
};

export const restart = operation({
  name: 'k8s.restart',
  summary: 'Restart the pods of a Deployment, one after another.',
  risk: 'destructive',
  input,
  examples: ['/k8s restart orders', '/k8s restart --each tier=web --pause 1m'],
  effect: (_input, { name }) => `Replaces every pod of ${name}, as its update strategy says.`,
  preview: async (_input, target, context) => {
    const { path, read } = connect({ ...context, target });
    const now = await read();
    refusePaused(now);
    return [factOf(now), call(path)];
  },
  run: async (_input, context) => {
    const cluster = connect(context);
    const now = checked(await cluster.read(), context);
    const at = ['spec', 'template', 'metadata', 'annotations'];
    const hasAnnotations = now.spec.template.metadata?.annotations !== undefined;
    const steps: readonly Step[] = [
      ...(hasAnnotations ? [] : [{ op: 'add' as const, path: pointer(...at), value: {} }]),
      {
        op: 'add',
        path: pointer(...at, 'kubectl.kubernetes.io/restartedAt'),
        value: new Date(context.now).toISOString(),
      },
    ];
    return send(cluster, now, context, steps);
  },
  report: (_output, { target }) => ({ title: `${target.name} is restarting`, tone: 'good' }),
  observe,
  watch: watch(true),
  tasks: {
    search: async (_input, _period, context) => tasksIn(await connect(context).read(), context),
    finished: ({ name }) => `${name} was restarted`,
  },
  isRunning,
});

export const undo = operation({
  name: 'k8s.undo',
  summary: 'Return a Deployment to the revision before.',
  synonyms: ['rollback'],
  risk: 'destructive',
  input,
  examples: ['/k8s undo orders'],
  effect: (_input, { name }) => `Replaces every pod of ${name} with one of the revision before.`,
  preview: async (_input, target, context) => {
    const { path, read, replicaSets } = connect({ ...context, target });
    const now = await read();
    refusePaused(now);
    if (now.status.observedGeneration < now.metadata.generation)
      throw refused(`Kubernetes has not yet looked at the last change of ${target.name}. Try again.`);
    const earlier = before(now, await replicaSets(now));
    const images = imagesOf(earlier.spec.template);
    return [
      factOf(now),
      { label: 'Back to', value: `revision ${revisionOf(earlier)}, ${images}`, data: earlier.metadata.uid },
      call(path),
    ];
  },
  run: async (_input, context) => {
    const cluster = connect(context);
    const now = checked(await cluster.read(), context);
    const earlier = before(now, await cluster.replicaSets(now));
    if (earlier.metadata.uid !== context.confirmed[1]?.data)
      throw refused(`The revision before is another one since this was proposed: ${revisionOf(earlier)}.`);
    const steps: readonly Step[] = [{ op: 'replace', path: '/spec/template', value: templateOf(earlier) }];
    return send(cluster, now, context, steps);
  },
  report: (output, { target }) => ({
    title: `${target.name} returns to ${imagesOf(output.spec.template)}`,
    tone: 'good',
  }),
  observe,
  watch: watch(true),
  tasks: {
    search: async (_input, _period, context) => tasksIn(await connect(context).read(), context),
    finished: ({ name }) => `${name} was returned to the revision before`,
  },
  isRunning,
});

export const scale = operation({
  name: 'k8s.scale',
  summary: 'Set how many pods a Deployment has.',
  risk: 'change',
  input: z.strictObject({
    deployment,
    replicas: z
      .int()
      .min(0)
      .max(1000)
      .describe('How many pods.')
      .meta({ positional: true, placeholder: '4' }),
  }),
  examples: ['/k8s scale orders 4'],
  effect: ({ replicas }, { name }) =>
    replicas === 0
      ? `Stops every pod of ${name}.`
      : `Starts or stops pods of ${name} until there are ${replicas}.`,
  preview: async ({ replicas }, target, context) => {
    const { path, read } = connect({ ...context, target });
    const now = await read();
    if (now.spec.replicas === replicas) throw refused(`${target.name} has ${replicas} replicas already.`);
    return [factOf(now), { label: 'Replicas', value: `${now.spec.replicas} → ${replicas}` }, call(path)];
  },
  run: async ({ replicas }, context) => {
    const cluster = connect(context);
    const now = checked(await cluster.read(), context);
    const steps: readonly Step[] = [{ op: 'add', path: '/spec/replicas', value: replicas }];
    return send(cluster, now, context, steps);
  },
  report: (output, { target }) => ({
    title: `${target.name} is scaled to ${output.spec.replicas}`,
    tone: 'good',
    notes: ['An autoscaler may scale it again.'],
  }),
  observe,
  watch: watch(false),
  tasks: {
    search: async (_input, _period, context) => tasksIn(await connect(context).read(), context),
    finished: ({ name }, { replicas }) => `${name} was scaled to ${replicas}`,
  },
  isRunning,
});

export { pods, rollouts } from './reads.ts';

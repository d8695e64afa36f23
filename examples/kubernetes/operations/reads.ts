import { operation, texts, z } from 'bellhop';

import { connect, imagesOf, revisionOf } from './api.ts';
import { factOf } from './patch.ts';

const input = z.strictObject({
  deployment: z
    .string()
    .max(63)
    .describe('The Deployment, from bellhop.yaml.')
    .meta({ positional: true, target: 'deployment', placeholder: 'orders' }),
});

export const rollouts = operation({
  name: 'k8s.rollouts',
  summary: 'Show the revisions of a Deployment.',
  risk: 'read',
  synonyms: ['history', 'status'],
  input,
  examples: ['/k8s rollouts orders'],
  run: async (_input, context) => {
    const { read, replicaSets } = connect(context);
    const now = await read();
    return { now, sets: await replicaSets(now) };
  },
  report: ({ now, sets }, { target }) => ({
    title: `Revisions of ${target.name}`,
    tone: now.status.availableReplicas < now.spec.replicas ? 'bad' : 'good',
    headline: factOf(now).value,
    tables: [
      {
        caption: 'Revisions, the newest first',
        columns: texts('Revision', 'Since', 'Images', 'Replicas', 'Cause'),
        rows: sets.map(({ metadata, spec }) => [
          revisionOf({ metadata }),
          { at: Date.parse(metadata.creationTimestamp) },
          imagesOf(spec.template),
          spec.replicas,
          metadata.annotations['kubernetes.io/change-cause'] ?? '',
        ]),
      },
    ],
    next:
      sets.length < 2
        ? []
        : [{ text: `Undo ${target.name}…`, words: `/k8s undo ${target.name}`, severity: 'destructive' }],
  }),
});

export const pods = operation({
  name: 'k8s.pods',
  summary: 'Show the pods of a Deployment.',
  risk: 'read',
  input,
  examples: ['/k8s pods orders'],
  run: async (_input, context) => {
    const { read, pods: list } = connect(context);
    return list(await read());
  },
  report: (found, { target }) => {
    const rows = found.map(({ metadata, spec, status }) => {
      const [waiting] = status.containerStatuses.flatMap(({ state }) =>
        Object.values(state).flatMap(({ reason }) => (reason === '' ? [] : [reason])),
      );
      const isReady =
        status.containerStatuses.length > 0 && status.containerStatuses.every(({ ready }) => ready);
      return {
        isReady,
        cells: [
          metadata.name,
          waiting ?? (status.reason || status.phase),
          isReady ? 'yes' : 'no',
          status.containerStatuses.reduce((sum, { restartCount }) => sum + restartCount, 0),
          { at: Date.parse(metadata.creationTimestamp) },
          spec.nodeName,
        ],
      };
    });
    const ready = rows.filter(({ isReady }) => isReady).length;
    return {
      title: `Pods of ${target.name}`,
      tone: ready < rows.length ? 'bad' : 'good',
      headline: `${ready} of ${rows.length} ready`,
      tables: [
        {
          caption: 'Pods',
          columns: texts('Pod', 'Status', 'Ready', 'Restarts', 'Since', 'Node'),
          rows: rows.map(({ cells }) => cells),
        },
      ],
    };
  },
});

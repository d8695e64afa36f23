import { isDeepStrictEqual } from 'node:util';

import type { z } from 'zod';

import { deployment, jsonPatch, pod, replicaSet } from './kubernetes-excerpt.ts';
import type { Call, Reply } from './stand-in.ts';

type Patch = z.infer<typeof jsonPatch>;

const failure = (code: number, reason: string, message: string): Reply => ({
  status: code,
  body: { kind: 'Status', apiVersion: 'v1', status: 'Failure', message, reason, code },
});

const templateOf = (image: string, hash?: string) => ({
  metadata: {
    creationTimestamp: null,
    labels: { app: 'orders', ...(hash !== undefined && { 'pod-template-hash': hash }) },
  },
  spec: { containers: [{ name: 'orders', image, args: ['--port=80'] }], terminationGracePeriodSeconds: 30 },
});

const owner = (kind: string, name: string, uid: string) => [
  { apiVersion: 'apps/v1', kind, name, uid, controller: true },
];

const revision = 'deployment.kubernetes.io/revision';

/** Answers as Kubernetes' OpenAPI document says, with its checks of a patch, and the words of Kubernetes 1.20. */
export function kubernetesStandIn() {
  let current = deployment.parse({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {
      name: 'search',
      namespace: 'shop',
      uid: 'd-1',
      generation: 7,
      resourceVersion: '100',
      annotations: { [revision]: '4' },
    },
    spec: {
      replicas: 3,
      progressDeadlineSeconds: 600,
      selector: { matchLabels: { app: 'orders' } },
      template: { ...templateOf('shop/orders:1.4'), metadata: { labels: { app: 'orders' } } },
    },
    status: {
      observedGeneration: 7,
      replicas: 3,
      updatedReplicas: 3,
      readyReplicas: 3,
      availableReplicas: 3,
    },
  });
  const sets = [
    ['rs-2', 2, 'shop/orders:1.2', 0],
    ['rs-4', 4, 'shop/orders:1.4', 3],
    ['rs-3', 3, 'shop/orders:1.3', 0],
  ] as const;
  const replicaSets = sets.map(([uid, number, image, replicas]) =>
    replicaSet.parse({
      metadata: {
        name: `search-${uid}`,
        uid,
        creationTimestamp: `2026-11-2${number}T10:00:00Z`,
        annotations: { [revision]: String(number) },
        ownerReferences: owner('Deployment', 'search', 'd-1'),
      },
      spec: { replicas, selector: {}, template: templateOf(image, uid) },
    }),
  );
  const foreign = {
    ...replicaSets[0],
    metadata: { name: 'other', ownerReferences: owner('Deployment', 'other', 'd-9') },
  };
  const running = pod.parse({
    metadata: {
      name: 'search-rs-4-abc',
      creationTimestamp: '2026-11-24T10:00:00Z',
      ownerReferences: owner('ReplicaSet', 'search-rs-4', 'rs-4'),
    },
    spec: { containers: [{ name: 'orders' }], nodeName: 'node-1' },
    status: {
      phase: 'Running',
      containerStatuses: [
        {
          name: 'orders',
          image: 'shop/orders:1.4',
          imageID: '',
          ready: false,
          restartCount: 12,
          state: { waiting: { reason: 'CrashLoopBackOff' } },
        },
      ],
    },
  });
  const patched = (patch: Patch): Reply => {
    const next: unknown = structuredClone(current);
    for (const { op, path, value } of patch) {
      const keys = path
        .slice(1)
        .split('/')
        .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
      const last = keys.pop() ?? '';
      const at = keys.reduce<unknown>((of, key) => (isRecord(of) ? of[key] : undefined), next);
      const fails =
        !isRecord(at) ||
        (op !== 'add' && !(last in at)) ||
        (op === 'test' && !isDeepStrictEqual(at[last], value));
      if (fails)
        return failure(422, 'Invalid', 'the server rejected our request due to an error in our request');
      if (op !== 'test') at[last] = value;
    }
    const { data, error } = deployment.safeParse(next);
    if (!data) return failure(400, 'BadRequest', `strict decoding error: ${error.message}`);
    const generation =
      (current.metadata.generation ?? 0) + Number(!isDeepStrictEqual(data.spec, current.spec));
    current = { ...data, metadata: { ...data.metadata, generation } };
    return { status: 200, body: current };
  };
  const answer = ({ method, path, type, body, authorization }: Call): Reply => {
    if (authorization !== 'Bearer token-of-the-cluster') return failure(401, 'Unauthorized', 'Unauthorized');
    const [route = '', query = ''] = path.split('?');
    const search = new URLSearchParams(query);
    const list = (items: readonly unknown[]): Reply =>
      search.get('labelSelector') === 'app=orders'
        ? { status: 200, body: { items } }
        : failure(400, 'BadRequest', 'unable to parse requirement');
    switch (`${method} ${route}`) {
      case 'GET /apis/apps/v1/namespaces/shop/deployments/search':
        return { status: 200, body: deployment.parse(current) };
      case 'GET /apis/apps/v1/namespaces/shop/replicasets':
        return list([...replicaSets, foreign]);
      case 'GET /api/v1/namespaces/shop/pods':
        return list([running]);
      case 'PATCH /apis/apps/v1/namespaces/shop/deployments/search': {
        const { data } = jsonPatch.safeParse(body);
        if (type !== 'application/json-patch+json') return failure(415, 'UnsupportedMediaType', `no ${type}`);
        return data ? patched(data) : failure(400, 'BadRequest', 'not a JSON Patch');
      }
      default:
        return failure(404, 'NotFound', `deployments.apps "${path}" not found`);
    }
  };
  return {
    answer,
    current: () => current,
    /** Acts as the controller does when it has seen a change. */
    reconcile(status: Partial<(typeof current)['status']> = {}): void {
      const { replicas } = current.spec;
      const counts = { replicas, updatedReplicas: replicas, availableReplicas: replicas };
      const observedGeneration = current.metadata.generation;
      current = { ...current, status: { ...counts, observedGeneration, ...status } };
    },
    /** Someone else patches the Deployment. */
    patch: (patch: Patch) => patched(patch),
    change(spec: Partial<(typeof current)['spec']>): void {
      current = { ...current, spec: { ...current.spec, ...spec } };
    },
  };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

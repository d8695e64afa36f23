import { refused, z } from 'bellhop';

const strings = z.record(z.string(), z.string()).default({});

const metadata = z.object({
  name: z.string(),
  uid: z.string().default(''),
  generation: z.number().default(0),
  creationTimestamp: z.string().default(''),
  labels: strings,
  annotations: strings,
  ownerReferences: z.array(z.object({ uid: z.string() })).default([]),
});

const perhaps = z.record(z.string(), z.string()).optional();

/** Kept as it is, because an undo sends it back. */
const template = z.looseObject({
  metadata: z.looseObject({ labels: perhaps, annotations: perhaps }).optional(),
  spec: z.looseObject({ containers: z.array(z.looseObject({ image: z.string().optional() })) }),
});
export type Template = z.infer<typeof template>;

export const deployment = z.object({
  metadata,
  spec: z.object({
    replicas: z.number().default(1),
    paused: z.boolean().default(false),
    selector: z.object({ matchLabels: strings }),
    template,
  }),
  status: z
    .object({
      observedGeneration: z.number().default(0),
      replicas: z.number().default(0),
      updatedReplicas: z.number().default(0),
      availableReplicas: z.number().default(0),
      conditions: z.array(z.object({ type: z.string(), reason: z.string().default('') })).default([]),
    })
    .prefault({}),
});
export type Deployment = z.infer<typeof deployment>;

const replicaSet = z.object({
  metadata,
  spec: z.object({ replicas: z.number().default(1), template }),
});
export type ReplicaSet = z.infer<typeof replicaSet>;

export const pod = z.object({
  metadata,
  spec: z.object({ nodeName: z.string().default('') }),
  status: z.object({
    phase: z.string().default(''),
    reason: z.string().default(''),
    containerStatuses: z
      .array(
        z.object({
          ready: z.boolean(),
          restartCount: z.number(),
          state: z.record(z.string(), z.object({ reason: z.string().default('') })).default({}),
        }),
      )
      .default([]),
  }),
});

const settings = z.object({ url: z.string(), namespace: z.string(), token: z.string() });

interface Context<Http> {
  readonly target: { readonly name: string; readonly settings: unknown };
  readonly http: (base: string, options?: { headers?: Record<string, string> }) => Http;
  readonly secret: (name: string) => string;
}

interface Api {
  get<S extends z.ZodType>(path: string, schema: S): Promise<z.output<S>>;
}

/** Connects to the target's cluster, with the paths of the target. */
export function connect<Http extends Api>({ target, http, secret }: Context<Http>) {
  const { url, namespace, token } = settings.parse(target.settings);
  const api = http(url, { headers: { authorization: `Bearer ${secret(token)}` } });
  const inNamespace = `namespaces/${encodeURIComponent(namespace)}`;
  const path = `/apis/apps/v1/${inNamespace}/deployments/${encodeURIComponent(target.name)}`;
  const read = (): Promise<Deployment> => api.get(path, deployment);
  const owned = async <S extends z.ZodType<{ metadata: z.infer<typeof metadata> }>>(
    kind: string,
    schema: S,
    of: Deployment,
    owners: readonly string[],
  ): Promise<readonly z.output<S>[]> => {
    const selector = Object.entries(of.spec.selector.matchLabels).map(([key, value]) => `${key}=${value}`);
    const query = `?limit=500&labelSelector=${encodeURIComponent(selector.join(','))}`;
    const { items } = await api.get(`${kind}${query}`, z.object({ items: z.array(schema) }));
    return items.filter((one) => one.metadata.ownerReferences.some(({ uid }) => owners.includes(uid)));
  };
  const replicaSets = async (of: Deployment): Promise<readonly ReplicaSet[]> => {
    const found = await owned(`/apis/apps/v1/${inNamespace}/replicasets`, replicaSet, of, [of.metadata.uid]);
    return found.toSorted((one, other) => revisionOf(other) - revisionOf(one));
  };
  const pods = async (of: Deployment) => {
    const sets = await replicaSets(of);
    return owned(
      `/api/v1/${inNamespace}/pods`,
      pod,
      of,
      sets.map((one) => one.metadata.uid),
    );
  };
  return { api, path, read, replicaSets, pods };
}

export const revisionOf = ({
  metadata: { annotations },
}: Pick<Deployment | ReplicaSet, 'metadata'>): number =>
  Number(annotations['deployment.kubernetes.io/revision'] ?? 0);

export const imagesOf = ({ spec }: Template): string =>
  spec.containers.map(({ image = 'no image' }) => image).join(', ');

/** The ReplicaSet of the revision before the current one. */
export function before(current: Deployment, sets: readonly ReplicaSet[]): ReplicaSet {
  const found = sets.find((one) => revisionOf(one) < revisionOf(current));
  if (!found) throw refused(`${current.metadata.name} has no earlier revision.`);
  return found;
}

/** The template of a ReplicaSet as its Deployment had it. Kubernetes adds this label. */
export function templateOf({ spec }: ReplicaSet): Template {
  const { metadata: of = {} } = spec.template;
  const { 'pod-template-hash': _hash, ...labels } = of.labels ?? {};
  return { ...spec.template, metadata: { ...of, labels } };
}

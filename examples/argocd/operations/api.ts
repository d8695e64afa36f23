import { refused, z } from 'bellhop';

/** The annotation, or the info of an operation, that keeps the id of a request. */
export const mark = 'bellhop/request';

const sha = /^[0-9a-f]{40}$/u;

const automated = z.object({
  enabled: z.boolean().optional(),
  prune: z.boolean().optional(),
  selfHeal: z.boolean().optional(),
  allowEmpty: z.boolean().optional(),
});
export type Automated = z.infer<typeof automated>;

const history = z.object({
  id: z.number(),
  revision: z.string().default(''),
  deployedAt: z.string().default(''),
});
export type History = z.infer<typeof history>;

const operation = z.object({
  info: z.array(z.object({ name: z.string(), value: z.string() })).default([]),
  initiatedBy: z.object({ username: z.string().default('') }).default({ username: '' }),
});

export const application = z.object({
  metadata: z.object({
    name: z.string(),
    generation: z.number().default(0),
    annotations: z.record(z.string(), z.string()).default({}),
  }),
  spec: z.object({
    project: z.string().default('default'),
    syncPolicy: z.object({ automated: automated.optional() }).optional(),
  }),
  /** An operation that Argo CD has not begun. */
  operation: operation.optional(),
  status: z
    .object({
      sync: z.object({ status: z.string().default(''), revision: z.string().default('') }).prefault({}),
      health: z.object({ status: z.string().default('') }).prefault({}),
      history: z.array(history).default([]),
      operationState: z
        .object({
          phase: z.string(),
          message: z.string().default(''),
          startedAt: z.string().default(''),
          operation: operation.prefault({}),
        })
        .optional(),
    })
    .prefault({}),
});
export type Application = z.infer<typeof application>;

const settings = z.object({ url: z.string(), token: z.string(), project: z.string().optional() });

interface Context<Http> {
  readonly target: { readonly name: string; readonly settings: unknown };
  readonly http: (base: string, options?: { headers?: Record<string, string> }) => Http;
  readonly secret: (name: string) => string;
}

interface Api {
  get<S extends z.ZodType>(path: string, schema: S): Promise<z.output<S>>;
}

/** Connects to the target's Argo CD, with the path of the application. */
export function connect<Http extends Api>({ target, http, secret }: Context<Http>) {
  const { url, token } = settings.parse(target.settings);
  const api = http(url, { headers: { authorization: `Bearer ${secret(token)}` } });
  const path = `/api/v1/applications/${encodeURIComponent(target.name)}`;
  return { api, path, read: (): Promise<Application> => api.get(path, application) };
}

/** A newer Argo CD has a switch for autosync, which keeps its other options. */
export const isAutomatic = ({ spec: { syncPolicy } }: Application): boolean =>
  syncPolicy?.automated !== undefined && syncPolicy.automated.enabled !== false;

export const shortRevision = (revision: string): string =>
  sha.test(revision) ? revision.slice(0, 8) : revision;

const stateOf = (one: Application): string => {
  const { sync, health, operationState } = one.status;
  const at = shortRevision(sync.revision);
  const running = one.operation
    ? 'an operation waits'
    : operationState?.phase === 'Running'
      ? 'an operation runs'
      : '';
  return [
    `${sync.status} at ${at}`,
    health.status,
    isAutomatic(one) ? 'autosync on' : 'autosync off',
    running,
  ]
    .filter((part) => part !== '')
    .join(', ');
};

/** The last deployment, which has the highest id. */
export const lastOf = ({ status }: Application): History | undefined =>
  status.history.toSorted((one, other) => other.id - one.id)[0];

/**
 * The confirmation is bound to the revision that runs, the last deployment, autosync, and an operation that runs. Writes
 * of the status move none of them.
 */
export const factOf = (one: Application) => ({
  label: 'Now',
  value: stateOf(one),
  data: JSON.stringify([
    one.status.sync.revision,
    lastOf(one)?.id ?? 0,
    one.spec.syncPolicy?.automated ?? null,
    one.status.operationState?.startedAt ?? '',
    one.operation !== undefined,
    one.metadata.annotations[mark] ?? '',
  ]),
});

/** @throws refused if the application has changed since it was shown, or if an operation runs */
export function checked(
  one: Application,
  confirmed: readonly { readonly data?: string | undefined }[],
): Application {
  if (factOf(one).data !== confirmed[0]?.data)
    throw refused(`${one.metadata.name} has changed since this was proposed. Now: ${factOf(one).value}.`);
  return refuseBusy(one);
}

export function refuseBusy(one: Application): Application {
  if (one.operation ?? one.status.operationState?.phase === 'Running')
    throw refused(`${one.metadata.name} is busy: ${factOf(one).value}.`);
  return one;
}

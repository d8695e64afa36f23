import { z } from 'zod';

import type { Call, Reply } from './stand-in.ts';

// The names and types of Argo CD's OpenAPI document (3.6, assets/swagger.json) that the example and this stand-in use.
// They are strict, so that a name which the document does not have fails.

const info = z.strictObject({ name: z.string(), value: z.string() });

const syncRequest = z.strictObject({
  name: z.string(),
  prune: z.boolean().optional(),
  infos: z.array(info).optional(),
});
const rollbackRequest = z.strictObject({ name: z.string(), id: z.int(), prune: z.boolean().optional() });
const patchRequest = z.strictObject({ name: z.string(), patch: z.string(), patchType: z.string() });

const operation = z.strictObject({
  info: z.array(info).optional(),
  initiatedBy: z.strictObject({ username: z.string().optional(), automated: z.boolean().optional() }),
  sync: z.strictObject({ revision: z.string(), prune: z.boolean().optional() }),
});

const application = z.strictObject({
  metadata: z.strictObject({
    name: z.string(),
    generation: z.int(),
    annotations: z.record(z.string(), z.string()).optional(),
  }),
  operation: operation.optional(),
  spec: z.strictObject({
    project: z.string(),
    syncPolicy: z.strictObject({
      automated: z
        .strictObject({
          enabled: z.boolean().optional(),
          prune: z.boolean().optional(),
          selfHeal: z.boolean().optional(),
        })
        .optional(),
      syncOptions: z.array(z.string()).optional(),
    }),
  }),
  status: z.strictObject({
    sync: z.strictObject({ status: z.string(), revision: z.string() }),
    health: z.strictObject({ status: z.string() }),
    history: z.array(z.strictObject({ id: z.int(), revision: z.string(), deployedAt: z.iso.datetime() })),
    operationState: z
      .strictObject({
        phase: z.enum(['Running', 'Terminating', 'Succeeded', 'Failed', 'Error']),
        message: z.string().optional(),
        startedAt: z.iso.datetime(),
        finishedAt: z.iso.datetime().optional(),
        operation,
      })
      .optional(),
  }),
});
type Application = z.infer<typeof application>;

const commit = (digit: number): string => String(digit).repeat(40);
const failure = (status: number, code: number, message: string): Reply => ({
  status,
  body: { error: message, code, message },
});

/** Answers as Argo CD's OpenAPI document and the code of its server say. No Argo CD was called. */
export function argocdStandIn(now: () => number = Date.now) {
  let current = application.parse({
    metadata: { name: 'search', generation: 20 },
    spec: { project: 'shop', syncPolicy: { syncOptions: ['CreateNamespace=true'] } },
    status: {
      sync: { status: 'OutOfSync', revision: commit(5) },
      health: { status: 'Healthy' },
      history: [3, 4].map((id) => ({ id, revision: commit(id), deployedAt: `2026-11-2${id}T10:00:00Z` })),
      operationState: {
        phase: 'Succeeded',
        startedAt: '2026-11-24T10:00:00Z',
        operation: { initiatedBy: { username: 'admin' }, sync: { revision: commit(4) } },
      },
    },
  });
  const set = (next: Application): Application => (current = application.parse(next));
  const begin = (one: z.infer<typeof operation>): Reply => {
    if (current.operation) return failure(400, 9, 'another operation is already in progress');
    const { operationState: _earlier, ...status } = current.status;
    const { operation: _none, ...rest } = current;
    const body = { ...rest, operation: one, status };
    set(body);
    return { status: 200, body };
  };
  const isAutomatic = (): boolean => {
    const { automated } = current.spec.syncPolicy;
    return automated !== undefined && automated.enabled !== false;
  };
  const stand = {
    current: () => current,
    set,
    /** Whether operations wait, as they do while the controller is busy. */
    waits: false,
    /** The account of the token. */
    account: 'bellhop',
    /** Acts as the controller does with an operation. */
    work(phase: 'Running' | 'Succeeded' | 'Failed' = 'Succeeded', message = ''): void {
      const { operation: one, ...rest } = current;
      if (!one) return;
      const startedAt = new Date(Math.floor(now() / 1000) * 1000).toISOString();
      const last = current.status.history.at(-1)?.id ?? 0;
      const deployed = { id: last + 1, revision: one.sync.revision, deployedAt: startedAt };
      set({
        ...rest,
        status: {
          ...current.status,
          history: phase === 'Succeeded' ? [...current.status.history, deployed] : current.status.history,
          operationState: { phase, message, startedAt, operation: one },
        },
      });
    },
    answer: ({ method, path, body, authorization }: Call): Reply => {
      if (authorization !== 'Bearer token-of-argo')
        return failure(401, 16, 'invalid session: token is invalid');
      const initiatedBy = { username: stand.account };
      if (!stand.waits) stand.work();
      switch (`${method} ${path}`) {
        case 'GET /api/v1/applications/search':
          return { status: 200, body: application.parse(current) };
        case 'POST /api/v1/applications/search/sync': {
          const { data } = syncRequest.safeParse(body);
          if (!data) return failure(400, 3, 'unknown field');
          return begin({ info: data.infos ?? [], initiatedBy, sync: { revision: commit(5) } });
        }
        case 'POST /api/v1/applications/search/rollback': {
          const { data } = rollbackRequest.safeParse(body);
          if (!data) return failure(400, 3, 'unknown field');
          const to = current.status.history.find(({ id }) => id === data.id);
          if (isAutomatic()) return failure(400, 9, 'rollback cannot be initiated when auto-sync is enabled');
          if (!to) return failure(400, 3, `application search does not have deployment with id ${data.id}`);
          return begin({ initiatedBy, sync: { revision: to.revision } });
        }
        case 'PATCH /api/v1/applications/search': {
          const { data } = patchRequest.safeParse(body);
          if (!data || data.patchType !== 'merge') return failure(400, 3, 'Patch type is not supported');
          set(application.parse(merged(current, JSON.parse(data.patch))));
          return { status: 200, body: current };
        }
        default:
          return failure(403, 7, 'permission denied');
      }
    },
  };
  return stand;
}

/** JSON Merge Patch (RFC 7396). */
function merged(target: unknown, patch: unknown): unknown {
  if (!isRecord(patch)) return patch;
  const result: Record<string, unknown> = isRecord(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch))
    if (value === null) Reflect.deleteProperty(result, key);
    else result[key] = merged(result[key], value);
  return result;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

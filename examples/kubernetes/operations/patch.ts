import { refused } from 'bellhop';

import { type Deployment, deployment, imagesOf, revisionOf } from './api.ts';

/** The annotation that keeps the id of the last request which changed a Deployment. */
const mark = 'bellhop/request';

const markOf = ({ metadata }: Deployment): string => metadata.annotations[mark] ?? '';

export interface Step {
  readonly op: 'test' | 'add' | 'replace';
  readonly path: string;
  readonly value: unknown;
}

/** As JSON Pointer has it (RFC 6901). */
export const pointer = (...keys: readonly string[]): string =>
  keys.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** The facts that a change is bound to: every change of the spec gives a new generation, and writes of the status do not. */
export const factOf = (one: Deployment) => ({
  label: 'Deployment',
  value: `${stateOf(one)}, revision ${revisionOf(one)}, ${imagesOf(one.spec.template)}`,
  data: JSON.stringify([one.metadata.generation, markOf(one)]),
});

const stateOf = ({ spec, status }: Deployment): string =>
  `${status.availableReplicas} of ${spec.replicas} available`;

interface Changing {
  readonly confirmed: readonly { readonly data?: string | undefined }[];
  readonly request: { readonly id: string };
}

/** @throws refused if the Deployment has changed since it was shown */
export function checked(one: Deployment, { confirmed }: Pick<Changing, 'confirmed'>): Deployment {
  if (factOf(one).data === confirmed[0]?.data) return one;
  throw refused(`${one.metadata.name} has changed since this was proposed. Now: ${factOf(one).value}.`);
}

interface Connected {
  readonly api: {
    send(method: 'PATCH', path: string, body: ReturnType<typeof patchOf>): Promise<Deployment>;
  };
  readonly path: string;
  readonly read: () => Promise<Deployment>;
}

/**
 * Sends a change as one JSON Patch. Kubernetes refuses it as a whole, with 422, if the generation is another one by
 * then, so nothing can come between. If a proxy repeats a patch, the second one is refused, too.
 */
export async function send(
  { api, path, read }: Connected,
  now: Deployment,
  context: Changing,
  steps: readonly Step[],
): Promise<Deployment> {
  try {
    return await api.send('PATCH', path, patchOf(now, context, steps));
  } catch (error) {
    if (!(error instanceof Error && 'status' in error && error.status === 422)) throw error;
    const current = await read();
    if (markOf(current) === context.request.id) return current;
    checked(current, context);
    throw error;
  }
}

function patchOf(one: Deployment, { request }: Pick<Changing, 'request'>, steps: readonly Step[]) {
  const { generation, annotations } = one.metadata;
  const hasAnnotations = Object.keys(annotations).length > 0;
  const all: readonly Step[] = [
    { op: 'test', path: '/metadata/generation', value: generation },
    ...(hasAnnotations ? [] : [{ op: 'add' as const, path: '/metadata/annotations', value: {} }]),
    { op: 'add', path: pointer('metadata', 'annotations', mark), value: request.id },
    ...steps,
  ];
  return { json: all, type: 'application/json-patch+json', schema: deployment };
}

/** Finds the request's mark. Another one, if it is not the earlier one, may have replaced it, and proves nothing. */
export function tasksIn(one: Deployment, { confirmed, request }: Changing) {
  const found = markOf(one);
  const isOurs = found === request.id;
  const task = {
    id: request.id,
    state: 'finished' as const,
    type: 'annotation',
    stateName: 'patched',
    request: request.id,
  };
  const earlier: unknown = JSON.parse(confirmed[0]?.data ?? '[]');
  const isAsBefore = Array.isArray(earlier) && earlier[1] === found;
  return { tasks: isOurs ? [task] : [], complete: isOurs || isAsBefore, named: true };
}

/** The state of a rollout, as `kubectl rollout status` judges it. */
export const seenIn = ({ metadata, spec, status }: Deployment) => ({
  generation: String(metadata.generation),
  observed: String(status.observedGeneration),
  wanted: String(spec.replicas),
  running: String(status.replicas),
  updated: String(status.updatedReplicas),
  available: String(status.availableReplicas),
  failed: status.conditions.some(({ reason }) => reason === 'ProgressDeadlineExceeded') ? 'yes' : 'no',
});

type Seen = Readonly<Record<string, string>>;

export function progressOf({ generation, observed, wanted, running, updated, available, failed }: Seen) {
  if (Number(observed) < Number(generation)) return 'on its way';
  if (failed === 'yes') return 'broken';
  return [running, updated, available].every((count) => count === wanted) ? 'there' : 'on its way';
}

export const wordsOf = ({ wanted, updated, available, failed }: Seen): string =>
  `${updated} of ${wanted} updated, ${available} available${failed === 'yes' ? ', deadline exceeded' : ''}`;

import { z } from 'zod';

// The names and types of Kubernetes' OpenAPI document (apps/v1 and core/v1, api/openapi-spec/v3) that the example and its
// stand-in use. They are strict, so that a name which the document does not have fails.

const strings = z.record(z.string(), z.string());
const count = z.int().nonnegative();

const objectMeta = z.strictObject({
  name: z.string().optional(),
  namespace: z.string().optional(),
  uid: z.string().optional(),
  generation: count.optional(),
  resourceVersion: z.string().optional(),
  creationTimestamp: z.iso.datetime().nullish(),
  labels: strings.optional(),
  annotations: strings.optional(),
  ownerReferences: z
    .array(
      z.strictObject({
        apiVersion: z.string(),
        kind: z.string(),
        name: z.string(),
        uid: z.string(),
        controller: z.boolean().optional(),
      }),
    )
    .optional(),
});

const podTemplateSpec = z.strictObject({
  metadata: objectMeta.optional(),
  spec: z.strictObject({
    containers: z.array(
      z.strictObject({
        name: z.string(),
        image: z.string().optional(),
        args: z.array(z.string()).optional(),
      }),
    ),
    terminationGracePeriodSeconds: z.int().optional(),
  }),
});

const selector = z.strictObject({ matchLabels: strings.optional() });

export const deployment = z.strictObject({
  apiVersion: z.literal('apps/v1'),
  kind: z.literal('Deployment'),
  metadata: objectMeta,
  spec: z.strictObject({
    replicas: count.optional(),
    paused: z.boolean().optional(),
    progressDeadlineSeconds: count.optional(),
    selector,
    template: podTemplateSpec,
  }),
  status: z.strictObject({
    observedGeneration: count.optional(),
    replicas: count.optional(),
    updatedReplicas: count.optional(),
    readyReplicas: count.optional(),
    availableReplicas: count.optional(),
    conditions: z
      .array(
        z.strictObject({
          type: z.string(),
          status: z.enum(['True', 'False', 'Unknown']),
          reason: z.string().optional(),
          message: z.string().optional(),
        }),
      )
      .optional(),
  }),
});

export const replicaSet = z.strictObject({
  metadata: objectMeta,
  spec: z.strictObject({ replicas: count.optional(), selector, template: podTemplateSpec.optional() }),
});

export const pod = z.strictObject({
  metadata: objectMeta,
  spec: z.strictObject({
    containers: podTemplateSpec.shape.spec.shape.containers,
    nodeName: z.string().optional(),
  }),
  status: z.strictObject({
    phase: z.string().optional(),
    reason: z.string().optional(),
    containerStatuses: z
      .array(
        z.strictObject({
          name: z.string(),
          image: z.string(),
          imageID: z.string(),
          ready: z.boolean(),
          restartCount: count,
          state: z
            .strictObject({
              running: z.strictObject({ startedAt: z.iso.datetime().optional() }).optional(),
              waiting: z
                .strictObject({ reason: z.string().optional(), message: z.string().optional() })
                .optional(),
            })
            .optional(),
        }),
      )
      .optional(),
  }),
});

/** RFC 6902, of which the example uses these. */
export const jsonPatch = z.array(
  z.strictObject({ op: z.enum(['test', 'add', 'replace']), path: z.string(), value: z.unknown() }),
);

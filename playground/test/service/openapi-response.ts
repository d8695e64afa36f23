import { z } from 'zod';
import document from '../../service/openapi.json' with { type: 'json' };

const operations = z.record(
  z.string(),
  z.record(
    z.string(),
    z.object({
      'x-extension': z.string().optional(),
      responses: z.record(
        z.string(),
        z.object({ content: z.object({ 'application/json': z.object({ schema: z.unknown() }) }).optional() }),
      ),
    }),
  ),
);

const paths = Object.entries(operations.parse(document.paths)).map(([path, methods]) => ({
  pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  methods,
}));

/** Components are referred to where JSON Schema looks for them. */
const withDefinitions = (schema: unknown): z.core.JSONSchema.JSONSchema => {
  const whole = JSON.stringify({ allOf: [schema], $defs: document.components.schemas });
  return JSON.parse(whole.replaceAll('#/components/schemas/', '#/$defs/')) as z.core.JSONSchema.JSONSchema;
};

const schemas = new Map<unknown, z.ZodType>();

const schemaFor = (schema: unknown): z.ZodType => {
  const known = schemas.get(schema) ?? z.fromJSONSchema(withDefinitions(schema));
  schemas.set(schema, known);
  return known;
};

/** The problems that the OpenAPI description finds in a response; none if it does not describe the operation. */
export const problemsOfResponse = (
  method: string,
  path: string,
  response: { status: number; body: unknown },
): string[] => {
  const [pathname = ''] = path.split('?');
  const operation = paths.find(({ pattern }) => pattern.test(pathname))?.methods[method.toLowerCase()];
  if (!operation) return [];
  const described = operation.responses[String(response.status)];
  const isOff = operation['x-extension'] !== undefined && [404, 405].includes(response.status);
  if (!described && isOff) return [];
  if (!described) return [`${method} ${path} may not answer ${String(response.status)}`];
  if (!described.content) return response.body === '' ? [] : [`${method} ${path} answers a body`];
  const result = schemaFor(described.content['application/json'].schema).safeParse(response.body);
  return result.success
    ? []
    : result.error.issues.map(({ path: at, message }) => `${at.join('.')}: ${message}`);
};

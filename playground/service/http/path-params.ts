import { z } from '@hono/zod-openapi';

/** An integer of a path or a query. */
export const pathInteger = (description: string) =>
  z
    .string()
    .regex(/^\d{1,15}$/, 'expected an integer')
    .transform(Number)
    .openapi({ type: 'integer', description });

const place = {
  project_id: pathInteger('project identifier'),
  region_id: pathInteger('region identifier'),
};

/** A project and a region. */
export const placePath = z.object(place);

/** A project, a region and an instance. */
export const instancePath = z.object({ ...place, instance_id: z.string().describe('instance identifier') });

/** A project, a region and a container. */
export const containerPath = z.object({ ...place, container_name: z.string().describe('container name') });

/** One CDN resource. */
export const resourcePath = z.object({ resource_id: pathInteger('number of the CDN resource') });

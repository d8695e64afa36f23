import { z } from 'zod';
import { flag, integer, text, utcTimestamp } from '../../../service/schemas/fields.ts';
import { type ReadBy, lenient } from '../../../service/schemas/lenient.ts';

export const container = z.strictObject({
  name: text('name of the container'),
  namespace: text('namespace it runs in'),
  description: text('description of the container'),
  address: text('host name of the container'),
  image: text('image reference'),
  commands: text('command line'),
  envs: z.record(z.string(), z.string()).describe('environment variables; they often hold secrets'),
  flavor: text('flavor name'),
  listening_port: integer('port it listens on'),
  timeout: integer('time-out of a request, in seconds'),
  pull_secret: text('name of the pull secret'),
  source: text('source of the image'),
  status: text('for example RUNNING, Deploying, Error'),
  status_message: text('reason for the status'),
  is_api_key_auth: flag('callers need an API key'),
  is_disabled: flag('it is disabled'),
  created_at: utcTimestamp('when it was created, UTC'),
  deploy_status: z
    .strictObject({ ready: integer('instances that are ready'), total: integer('instances wanted') })
    .describe('state of the deployment'),
  scale: z
    .strictObject({ min: integer('fewest instances'), max: integer('most instances') })
    .describe('bounds of scaling'),
  logging: z
    .strictObject({
      enabled: flag('logs are exported'),
      destination_region_id: integer('region that the logs go to'),
      topic_name: text('topic that the logs go to'),
      retention_policy: z
        .strictObject({ period: integer('days that logs are kept') })
        .describe('how long logs are kept'),
    })
    .describe('log export'),
});

export const containerRead = lenient(container);

export type Container = z.output<typeof container>;
export type ContainerRead = ReadBy<typeof containerRead>;

import { z } from 'zod';
import * as known from '../../../src/areas/storage/client/storage-event.ts';

const countRecord = z.strictObject({ ...known.recordShape, count: known.amount().describe('limit') });

const bytesRecord = z.strictObject({
  ...known.recordShape,
  bytes: known.amount().describe('limit in bytes'),
});

export const storageEvents = z.strictObject({
  reaching_files_quantity: z.array(countRecord).describe('limits on the number of files'),
  reaching_used_requests: z.array(countRecord).describe('limits on the number of requests'),
  reaching_used_space: z.array(bytesRecord).describe('limits on the space used'),
  reaching_used_traffic: z.array(bytesRecord).describe('limits on the traffic'),
});

export type StorageEvents = z.output<typeof storageEvents>;

export const storageConfigurator = known.storageConfigurator.extend({
  example: storageEvents.describe('example records by kind'),
});

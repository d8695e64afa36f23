import type { StoredEvent } from '../state/event-store.ts';
import { seededUuid } from './seeded.ts';

const event = (name: StoredEvent['name'], storage: string, bucket: string, amount: number): StoredEvent => ({
  name,
  storage_name: storage,
  bucket_name: bucket,
  uuid: seededUuid(`event ${name} ${storage} ${bucket}`),
  amount,
});

/** The storage events that exist at first: every kind has some. */
export const seedEvents: readonly StoredEvent[] = [
  event('reaching_used_space', 'media', 'product-images', 500_000_000_000),
  event('reaching_used_space', 'media', 'videos', 8_000_000_000_000),
  event('reaching_used_space', 'backup', 'postgres', 2_000_000_000_000),
  event('reaching_used_traffic', 'media', 'videos', 40_000_000_000_000),
  event('reaching_used_traffic', 'media', 'product-images', 6_000_000_000_000),
  event('reaching_files_quantity', 'media', 'product-images', 12_000_000),
  event('reaching_files_quantity', 'logs', 'cdn-raw', 1_500_000),
  event('reaching_used_requests', 'media', 'videos', 250_000_000),
  event('reaching_used_requests', 'logs', 'cdn-raw', 20_000_000),
];

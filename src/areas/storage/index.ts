import type { Area } from '../../host/area.ts';
import { change, deleteEvent } from './change.ts';
import { listEvents, listKinds } from './events.ts';
import { post } from './post.ts';
import { storageCalls } from './client/calls.ts';

export const storage = {
  name: 'storage',
  calls: storageCalls,
  operations: [post, change, deleteEvent, listKinds, listEvents],
} satisfies Area;

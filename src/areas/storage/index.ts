import type { Area } from '../../host/area.ts';
import { change, deleteEvent } from './change.ts';
import { events, kinds } from './events.ts';
import { post } from './post.ts';
import { storageCalls } from './client/calls.ts';

export const storage = {
  name: 'storage',
  calls: storageCalls,
  operations: [post, change, deleteEvent, kinds, events],
} satisfies Area;

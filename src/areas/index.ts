import type { Area } from '../host/area.ts';
import { cdn } from './cdn/index.ts';
import { cloud } from './cloud/index.ts';
import { storage } from './storage/index.ts';

/** The areas of this build. The order is that of help and docs/commands.md. */
export const areas: readonly Area[] = [cloud, cdn, storage];

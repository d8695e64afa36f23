import type { Caller } from '../../core/model/actor.ts';
import type { BlockActions } from '../receive/payloads.ts';
import type { Recipient } from './reply.ts';

/** A click, with who made it and where an answer goes. */
export interface Clicked {
  readonly body: BlockActions;
  readonly action: BlockActions['actions'][number];
  readonly caller: Caller;
  readonly recipient: Recipient;
}

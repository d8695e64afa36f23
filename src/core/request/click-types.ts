import type { Actor, Place } from '../model/actor.ts';
import { BellhopError } from '../model/errors.ts';
import type { Request } from './request.ts';

export const clickActions = ['confirm', 'cancel', 'approve', 'deny'] as const;
export type ClickAction = (typeof clickActions)[number];

/** A press of a button on a request's card. `requestId` is what the button claims; nothing of it is trusted. */
export interface ButtonClick {
  readonly requestId: string;
  readonly action: ClickAction;
  readonly actor: Actor;
  readonly place: Place;
  readonly correlationId: string;
  /** What was typed where the request asks for the target's name. */
  readonly typedName?: string;
}

/** `type-name`: the target's name has to be typed first. */
export type ClickResult =
  | { readonly kind: 'done'; readonly request: Request }
  | { readonly kind: 'type-name'; readonly request: Request };

/** The press did nothing, for this reason. `request` is its state now, where it exists. */
export class IgnoredClickError extends BellhopError {
  override readonly name = 'IgnoredPressError';
  readonly request: Request | undefined;

  constructor(message: string, request: Request | undefined, until?: number) {
    super('denied', message, { until });
    this.request = request;
  }
}

import type { Actor, Place } from '../model/actor.ts';
import type { Entry } from '../registry.ts';
import type { Target } from '../model/target.ts';

/** What is judged: who wants to run what, on what, where. */
export interface AuthorizationRequest {
  readonly entry: Entry;
  readonly input: Readonly<Record<string, unknown>>;
  readonly target: Target;
  readonly actor: Actor;
  readonly place: Place;
  readonly breakGlass: boolean;
}

import type { ClickAction, Request } from './records/request.ts';
import type { Demand } from './rulebook/rulebook.ts';
import type { Decision } from './values/decision.ts';
import type { HeldClick, Passes } from './values/pass.ts';

/** A click that the rules allow. */
export interface GatedClick {
  readonly request: Request;
  readonly action: ClickAction;
  readonly decision: Pick<Decision, 'typeName' | 'demands'>;
  readonly passes: Passes;
}

export type ToDo =
  | { readonly kind: 'form'; readonly gate: 'type-name' | 'denial' }
  | { readonly kind: 'link'; readonly gate: LinkGate };

/** May ask the person for something before a click is done. */
export interface Gate {
  readonly name: string;
  /** Undefined if the click passes. @throws BellhopError if what the person did is wrong */
  readonly ask: (asked: GatedClick) => ToDo | undefined;
}

/** Sends people to a page, which clicks for them once they have done what it asks. */
export interface LinkGate extends Gate {
  readonly demand: Demand;
  /** Shown under the link. */
  readonly notes: readonly string[];
  /** Resolves to the link's address, or to undefined if the gate answers the person itself. @throws BellhopError */
  readonly link: (click: HeldClick) => Promise<string | undefined>;
}

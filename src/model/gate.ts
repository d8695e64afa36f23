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

/** The form to fill in, or the link to follow, before the click is done. */
export type ToDo =
  | { readonly kind: 'form'; readonly gate: 'type-name' | 'denial' }
  | { readonly kind: 'link'; readonly gate: LinkGate };

/** A check before a click is done, which may ask the person for something first. */
export interface Gate {
  readonly name: string;
  /** Returns undefined if the click passes. @throws BellhopError if what the person did is wrong */
  readonly ask: (asked: GatedClick) => ToDo | undefined;
}

/** A gate that sends people to a page. Once they have done what the page asks for, the page clicks for them. */
export interface LinkGate extends Gate {
  readonly demand: Demand;
  /** Sentences under the link. */
  readonly notes: readonly string[];
  /** Records the click. Resolves to its address, or to undefined if the gate answers the person itself. @throws BellhopError */
  readonly link: (click: HeldClick) => Promise<string | undefined>;
}

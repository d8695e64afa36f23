import type { Actor, Asker } from './model/actor.ts';
import { ask, askWords, type Answer } from './command/run-command.ts';
import { askAgain } from './command/run-again.ts';
import { sourceOf } from './form/begin-form.ts';
import { createBounds } from './command/commands-in-progress.ts';
import { closeReview, reviewToClose } from './review/close-review.ts';
import type { Catalogue, Entry } from './registry.ts';
import type { Environment } from './context.ts';
import { BellhopError } from './model/errors.ts';
import { faultsOf, mayOpen, planOf, suggestionsFor, type FieldFault } from './form/forms.ts';
import type { Values } from './grammar/grammar.ts';
import { offered } from './introspection/introspect.ts';
import type { FormPlan } from './model/operation.ts';
import type { AskOptions } from './grammar/option-tokens.ts';
import { press } from './request/click.ts';
import { requestItem } from './introspection/request-item.ts';
import { openItems } from './introspection/open-items.ts';
import type { RequestFilter } from './model/ports.ts';
import type { Press, Pressed } from './request/click-types.ts';
import type { Item } from './model/report.ts';
import type { Request } from './request/request.ts';
import type { Review } from './review/review.ts';
import { recoverAtStart, sweep } from './request/sweep.ts';

/** The one path. Every surface calls these and nothing else; there is no second way to run an operation. */
export interface Executor {
  readonly catalogue: Catalogue;
  /** The text after a slash command. @throws BellhopError for the person who typed it */
  askWords(asker: Asker, area: string, text: string): Promise<Answer>;
  /** A submitted form. @throws BellhopError */
  askValues(asker: Asker, operation: string, values: Values, options: AskOptions): Promise<Answer>;
  /** "Ask again" under a request: what it asked for, judged anew. @throws BellhopError */
  askAgain(asker: Asker, requestId: string): Promise<Answer>;
  /** What is wrong with a form's values, before anything is asked of anybody. */
  faults(entry: Entry, values: Values): readonly FieldFault[];
  /** Which fields a form shows for what was entered so far; undefined: all. */
  plan(asker: Asker, entry: Entry, values: Values): Promise<FormPlan | undefined>;
  /** The request that an open form was filled in from, if it is one. @throws DeniedError */
  formSource(asker: Asker, entry: Entry, requestId: string): Promise<Request | undefined>;
  /** Names for a field, for somebody who may use the operation here. @throws DeniedError */
  suggestions(asker: Asker, entry: Entry, field: string, typed: string): Promise<readonly string[]>;
  /** What the actor may run here, on some target. */
  offered(asker: Asker): Promise<readonly Entry[]>;
  /** What waits for the actor, with the buttons that they may press. */
  openItems(actor: Actor): Promise<readonly Item[]>;
  /** Requests as items without buttons, newest first. */
  requestItems(filter: RequestFilter): Promise<readonly Item[]>;
  /** A pressed button of a card. @throws BellhopError */
  press(pressed: Press): Promise<Pressed>;
  /** The open review of a request, where this person may close it. @throws BellhopError */
  reviewToClose(asker: Asker, requestId: string): Promise<Review>;
  /** Closes a review with a word. @throws BellhopError */
  closeReview(asker: Asker, requestId: string, word: string): Promise<Review>;
  /** Ends what a process that is gone left running, where that is certain. Called once, at the start. Never rejects. */
  recover(): Promise<void>;
  /** Ends what time has ended. Called about once a second. */
  sweep(): Promise<void>;
  /** Waits for running work. True where all of it ended in time. */
  drained(ms: number): Promise<boolean>;
}

export function createExecutor(environment: Environment): Executor {
  const bounds = createBounds();
  return {
    catalogue: environment.catalogue,
    askWords: (asker, area, text) =>
      bounds.within(asker.actor, () => askWords(environment, asker, area, text)),
    askValues: (asker, operation, values, options) =>
      bounds.within(asker.actor, async () => {
        const entry = environment.catalogue.find(operation);
        if (!entry) throw new BellhopError('unknown-command', `There is no operation “${operation}”.`);
        return ask(environment, asker, entry, values, options);
      }),
    askAgain: (asker, requestId) => bounds.within(asker.actor, () => askAgain(environment, asker, requestId)),
    faults: (entry, values) => faultsOf(environment, entry, values),
    plan: (asker, entry, values) => planOf(environment, asker, entry, values),
    formSource: (asker, entry, requestId) => sourceOf(environment, asker, entry, requestId),
    suggestions: async (asker, entry, field, typed) => {
      await mayOpen(environment, asker.actor, asker.place, entry);
      return suggestionsFor(environment, entry, field, typed);
    },
    offered: ({ actor, place }) => offered(environment, actor, place),
    openItems: (actor) => openItems(environment, actor),
    requestItems: async (filter) =>
      (await environment.store.list(filter)).map((one) => requestItem(environment.catalogue, one, [])),
    press: (pressed) => bounds.within(pressed.actor, () => press(environment, pressed)),
    reviewToClose: (asker, requestId) => reviewToClose(environment, asker, requestId),
    closeReview: (asker, requestId, word) =>
      bounds.within(asker.actor, () => closeReview(environment, asker, requestId, word)),
    recover: () => recoverAtStart(environment),
    sweep: () => sweep(environment),
    drained: (ms) => environment.inFlight.drained(ms),
  };
}

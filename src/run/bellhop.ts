import { pressAlertButton, type AlertPress } from './press.ts';
import type { Actor, Caller } from '../model/actor.ts';
import {
  recordFollowEnd,
  refreshReport,
  runAgain,
  runCommandLine,
  runTypedCommand,
  submitForm,
  type CommandResult,
} from './run-command.ts';
import { breakableGlass, breakGlass, type BreakableGlass } from './break-glass.ts';
import { closeReview, reviewToClose } from '../request/close-review.ts';
import type { Registry, Entry } from '../model/registry.ts';
import type { Context } from '../model/context.ts';
import { auditRejected } from './audit-rejected.ts';
import { beginForm, faultsOf, mayOpen, planOf, sourceOf, type BegunForm, type FieldFault } from './forms.ts';
import { runChoices, type RunChoices } from './run-choices.ts';
import { suggestionsFor } from './suggestions.ts';
import type { Values } from '../command/grammar/grammar.ts';
import { offered } from '../policy/authorize.ts';
import type { FormPlan, Suggestion } from '../model/operation.ts';
import type { CommandOptions } from '../command/grammar/option-tokens.ts';
import { handleClick, type ButtonClick, type ClickResult } from '../request/click.ts';
import { requestHere } from '../request/click-permissions.ts';
import { type InspectedRequest, inspectRequest, openItems, requestItem } from './items.ts';
import type { RequestFilter, Review } from '../model/requests.ts';
import type { Item } from '../model/report.ts';
import type { Request } from '../model/request.ts';
import { checkNow, requestToSettle, settleByHand, type Verdict } from '../request/outcome/settle-by-hand.ts';
import { recoverAtStart, sweep } from '../request/sweep.ts';
import { BellhopError } from '../model/errors.ts';

/** The one path. Every surface calls these and nothing else; there is no second way to run an operation. */
export interface Bellhop {
  readonly registry: Registry;
  /** The text after a slash command. @throws BellhopError for the person who typed it */
  runTypedCommand(caller: Caller, area: string, text: string): Promise<CommandResult>;
  /** A command as a message has it, whose area may be left out: `reboot web-1`. @throws BellhopError like `runTypedCommand` */
  runCommandLine(caller: Caller, line: string): Promise<CommandResult>;
  /** A followed report, authorized and run again; recorded only where that ends the following. @throws BellhopError */
  refreshReport(caller: Caller, words: string): Promise<CommandResult>;
  /** Records that a report is no longer followed, and why. Never rejects. */
  recordFollowEnd(caller: Caller, words: string, note: string): Promise<void>;
  /** A submitted form. @throws BellhopError */
  submitForm(
    caller: Caller,
    operation: string,
    values: Values,
    options: CommandOptions,
  ): Promise<CommandResult>;
  /** "Run it again" under a request: the same command, authorized anew. @throws BellhopError */
  runAgain(caller: Caller, requestId: string): Promise<CommandResult>;
  /** What this person may run here, first on what a text names. */
  runChoices(caller: Caller, text: string): Promise<RunChoices>;
  /** The form of an operation, filled in as far as `values` go. @throws DeniedError */
  beginForm(caller: Caller, entry: Entry, values: Values): Promise<BegunForm>;
  /** What is wrong with a form's values, before it is submitted. @throws BellhopError `store-unavailable` */
  faults(entry: Entry, values: Values): Promise<readonly FieldFault[]>;
  /** Which fields a form shows for what was entered so far; undefined: all. */
  plan(caller: Caller, entry: Entry, values: Values): Promise<FormPlan | undefined>;
  /** The request that an open form was filled in from, if it is one. @throws DeniedError */
  formSource(caller: Caller, entry: Entry, requestId: string): Promise<Request | undefined>;
  /** Names for a field, for somebody who may use the operation here. @throws DeniedError */
  suggestions(caller: Caller, entry: Entry, field: string, typed: string): Promise<readonly Suggestion[]>;
  /** What the actor may run here, on some target. */
  offered(caller: Caller): Promise<readonly Entry[]>;
  /** What waits for the actor. */
  openItems(actor: Actor): Promise<readonly Item[]>;
  /** “Review…” in a list: a request, and what the actor may do with it. @throws BellhopError */
  inspect(actor: Actor, requestId: string): Promise<InspectedRequest>;
  /** Requests as items without buttons, newest first. */
  requestItems(filter: RequestFilter): Promise<readonly Item[]>;
  /** A button under an alert: its command, as typed by whoever pressed it in the alert's thread. @throws BellhopError */
  pressAlertButton(caller: Caller, press: AlertPress): Promise<CommandResult>;
  /** A click on a button of a card. @throws BellhopError */
  click(click: ButtonClick): Promise<ClickResult>;
  /** “Check now” under an unknown outcome: the request once it was looked at. @throws BellhopError */
  checkNow(caller: Caller, requestId: string): Promise<Request>;
  /** The request whose outcome this person may settle. @throws BellhopError */
  requestToSettle(caller: Caller, requestId: string): Promise<Request>;
  /** Settles an unknown outcome by the word of this person. @throws BellhopError */
  settle(caller: Caller, requestId: string, verdict: Verdict): Promise<Request>;
  /** A request whose card is where the caller is. @throws BellhopError */
  requestHere(caller: Caller, requestId: string): Promise<Request>;
  /** What “Break glass…” would skip, for a requester who may. @throws BellhopError */
  breakableGlass(caller: Caller, requestId: string): Promise<BreakableGlass>;
  /** The command of a waiting request again, with `--break-glass`. @throws BellhopError */
  breakGlass(caller: Caller, requestId: string, why: string): Promise<CommandResult>;
  /** The open review of a request, where this person may close it. @throws BellhopError */
  reviewToClose(caller: Caller, requestId: string): Promise<Review>;
  /** Closes a review with a word. @throws BellhopError */
  closeReview(caller: Caller, requestId: string, word: string): Promise<Review>;
  /** Ends what a process that is gone left running, where that is certain. Called once, at the start. Never rejects. */
  recover(): Promise<void>;
  /** Ends what time has ended. Called about once a second. */
  sweep(): Promise<void>;
  /** Waits for running work. True where all of it ended in time. */
  drained(ms: number): Promise<boolean>;
}

export function createBellhop(context: Context): Bellhop {
  const inProgress = createCommandsInProgress();
  return {
    registry: context.registry,
    runTypedCommand: (caller, area, text) =>
      inProgress.run(caller.actor, () => runTypedCommand(context, caller, area, text)),
    runCommandLine: (caller, line) =>
      inProgress.run(caller.actor, () => runCommandLine(context, caller, line)),
    refreshReport: (caller, words) => refreshReport(context, caller, words),
    recordFollowEnd: (caller, words, note) => recordFollowEnd(context, caller, words, note),
    submitForm: (caller, operation, values, options) =>
      inProgress.run(caller.actor, () => submitForm(context, caller, operation, values, options)),
    runAgain: (caller, requestId) => inProgress.run(caller.actor, () => runAgain(context, caller, requestId)),
    runChoices: (caller, text) => runChoices(context, caller, text),
    beginForm: (caller, entry, values) =>
      auditRejected(context, caller, entry.operation.name, () =>
        beginForm(context, caller, { entry, values, options: {} }),
      ),
    faults: (entry, values) => faultsOf(context, entry, values),
    plan: (caller, entry, values) => planOf(context, caller, entry, values),
    formSource: (caller, entry, requestId) => sourceOf(context, caller, entry, requestId),
    suggestions: async (caller, entry, field, typed) => {
      await mayOpen(context, caller.actor, caller.place, entry);
      return suggestionsFor(context, caller, entry, field, typed);
    },
    offered: ({ actor, place }) => offered(context, actor, place),
    openItems: (actor) => openItems(context, actor),
    inspect: (actor, requestId) => inspectRequest(context, actor, requestId),
    requestItems: async (filter) =>
      (await context.store.list(filter)).map((one) => requestItem(context.registry, one)),
    pressAlertButton: (caller, press) =>
      inProgress.run(caller.actor, () => pressAlertButton(context, caller, press)),
    click: (click) => inProgress.run(click.actor, () => handleClick(context, click)),
    checkNow: (caller, requestId) => inProgress.run(caller.actor, () => checkNow(context, caller, requestId)),
    requestToSettle: (caller, requestId) => requestToSettle(context, caller, requestId),
    settle: (caller, requestId, verdict) =>
      inProgress.run(caller.actor, () => settleByHand(context, caller, requestId, verdict)),
    requestHere: (caller, requestId) => requestHere(context, caller, requestId),
    breakableGlass: (caller, requestId) => breakableGlass(context, caller, requestId),
    breakGlass: (caller, requestId, why) =>
      inProgress.run(caller.actor, () => breakGlass(context, caller, requestId, why)),
    reviewToClose: (caller, requestId) => reviewToClose(context, caller, requestId),
    closeReview: (caller, requestId, word) =>
      inProgress.run(caller.actor, () => closeReview(context, caller, requestId, word)),
    recover: () => recoverAtStart(context),
    sweep: () => sweep(context),
    drained: (ms) => context.backgroundTasks.drained(ms),
  };
}

/** Commands and clicks in progress at once, on this replica; past that "busy, try again" beats silence. */
const mostAtOnce = 200;
/** Of these by one person: nobody takes the places of all the others. */
const mostOfOne = 20;

/** Lets work in as long as there is room for it. */
export interface CommandsInProgress {
  /** @throws BellhopError `busy`, before anything of the work was begun */
  run<T>(actor: Actor, work: () => Promise<T>): Promise<T>;
}

export function createCommandsInProgress(): CommandsInProgress {
  const ofPerson = new Map<string, number>();
  let all = 0;
  return {
    async run(actor, work) {
      const person = `${actor.team}/${actor.user}`;
      const own = ofPerson.get(person) ?? 0;
      if (all >= mostAtOnce) throw busy('Too much is going on right now.');
      if (own >= mostOfOne) throw busy(`You already have ${own} commands in progress.`);
      all += 1;
      ofPerson.set(person, own + 1);
      try {
        return await work();
      } finally {
        all -= 1;
        const left = (ofPerson.get(person) ?? 1) - 1;
        if (left === 0) ofPerson.delete(person);
        else ofPerson.set(person, left);
      }
    },
  };
}

const busy = (why: string): BellhopError =>
  new BellhopError('busy', `${why} Try again in a moment. Nothing was done.`, { retryable: true });

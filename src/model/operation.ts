import type {
  Body,
  Completion,
  Context,
  EarlierRequest,
  FormPlan,
  Http,
  InputFault,
  Observation,
  Period,
  PreviewContext as OwnPreviewContext,
  RunContext as OwnContext,
  Task,
  TaskList,
  Watch,
} from 'bellhop';
import type { z } from 'zod';

import type { ActCommand } from './act.ts';
import type { Actor, Person, Place } from './values/actor.ts';
import type { Extension, Risk } from './rulebook/rulebook.ts';
import type { Introspection } from './introspection.ts';
import type { Inventory, Target } from './rulebook/target.ts';
import type { Fact, ReportParts } from './values/report.ts';

/** Defined in `src/bellhop/surface.d.ts`, for files of operations and for Bellhop itself. */
export type {
  Body,
  Completion,
  EarlierRequest,
  FormPlan,
  Http,
  InputFault,
  Observation,
  Period,
  Task,
  TaskList,
};

/** Sends the given headers with every call to the address. @throws BellhopError `not-sent` */
export type ConnectHttp = Context['http'];

export interface HttpCaller {
  readonly operation: string;
  readonly correlationId: string;
  readonly signal: AbortSignal;
  /** Called right before the first byte of a change. */
  readonly maySend?: (() => boolean) | undefined;
  /** Set for the reads of agents, which are never repeated. */
  readonly once?: boolean | undefined;
  readonly timeoutMs: number;
}

export type HttpFor = (caller: HttpCaller) => ConnectHttp;

export interface FormContext<Service = unknown> extends Context {
  /** The service's client. The code that runs operations only passes it on. */
  readonly service: Service;
}

export interface RunContext<T extends Target = Target, Service = unknown> extends FormContext<Service> {
  readonly target: T;
  /** When the run started, in epoch milliseconds. */
  readonly now: number;
  /** The facts that were shown and confirmed. Undefined for reads. */
  readonly confirmed: readonly Fact[];
  readonly request: OwnContext['request'];
  /** Checked right before the first byte of each attempt: may this process still send the request? */
  readonly maySend: () => boolean;
}

/** Changes get no actor, because several people may have approved them. */
export interface ReadContext<T extends Target = Target, Service = unknown> extends RunContext<T, Service> {
  readonly actor: Actor;
  readonly person: Person;
  readonly place: Place;
  readonly inventory: Inventory;
  readonly extensions: readonly Extension[];
  readonly bellhop: Introspection;
}

export interface PreviewContext extends Pick<OwnPreviewContext, 'earlier'> {
  readonly extensions: readonly Extension[];
}

export interface LookUp<Service = unknown> {
  readonly field: string;
  /** The read that lists the values. People who may not run it here get no suggestions. */
  readonly listedBy: string;
  /** Values that contain the typed text. @throws ServiceError */
  find(
    typed: string,
    context: FormContext<Service> & { readonly inventory: Inventory },
  ): Promise<readonly Completion[]>;
}

export interface ChangeTasks<Input, T extends Target, Output, Service> {
  /** The extension that reading tasks needs. Default: none. */
  readonly extension?: Extension;
  /** The tasks to follow. Without them, an accepted change is done. */
  started?(output: Output): readonly string[];
  /** @throws ServiceError */
  read?(id: string, context: RunContext<T, Service>, input: Input): Promise<Task>;
  /**
   * Finds the tasks of this action on this target that may have been created in the period. Without `search`, tasks can't prove a change
   * whose answer was lost.
   * @param period epoch milliseconds, wide enough for clocks that differ
   * @throws ServiceError
   */
  search?(input: Input, period: Period, context: RunContext<T, Service>): Promise<TaskList>;
  /** A title, such as `web-1 has rebooted`. */
  finished(target: T, input: Input): string;
}

export interface ChangeWatch<Output = unknown> extends Omit<Watch<Output>, 'there'> {
  /** The end state, such as `web-1 is up`. */
  there(target: Target): string;
  /** Why `progress` can't judge this state, such as an error in the operation's file. A change of several targets then pauses. */
  problem?(seen: Observation): string | undefined;
}

/**
 * One thing that a person can run. Grammar, usage, help, form, policy name, audit fields, manifest and the table in docs/commands.md are
 * made from it. Risk and policy, not `run`, ask for confirmation.
 */
export interface Operation<
  S extends z.ZodObject = z.ZodObject,
  T extends Target = Target,
  Output = unknown,
  Service = unknown,
> {
  readonly name: string;
  readonly summary: string;
  /** The button's text before the target's name, such as `change the event on`. Default: the verb. */
  readonly actionLabel?: string;
  /** If the text depends on the input, such as `hard-reboot`. */
  actionLabelFor?(input: Readonly<Record<string, unknown>>): string | undefined;
  /** The past participle, such as `rebooted`. Default: `succeeded`. */
  readonly doneWord?: string;
  readonly risk: Risk;
  /** A flag that makes the operation destructive, so that an approval is needed unless the rule's `arguments` name the flag. */
  readonly escalatedBy?: string;
  readonly synonyms?: readonly string[];
  /**
   * Bellhop itself does this at once, through `act` instead of `run`, because it can only make things safer. Its risk is `read`, because
   * nothing changes at the service, but only a rule with its full name can allow it.
   */
  readonly atOnce?: true;
  /** Its full name. People whom a rule allows that operation may run this one on what is their own. */
  readonly offeredWith?: string;
  /** @param context the parts of the bot that commands have, see `src/bellhop/at-once.ts` @throws BellhopError */
  act?(input: z.output<S>, command: ActCommand, context: object): Promise<ReportParts>;
  /** Without this extension, the operation is not offered. The extension of a field is in its `meta`. */
  readonly extension?: Extension;
  readonly instead?: string;
  readonly input: S;
  readonly examples: readonly string[];
  /** Typing the input would put it in the channel's history. */
  readonly formOnly?: boolean;
  readonly lookUp?: LookUp<Service>;
  /** @throws BellhopError `unknown-target` with the nearest names */
  target(input: z.output<S>, inventory: Inventory): T;
  /** Faults of the input given earlier requests. Called at the proposal and again at the confirmation. */
  faults?(
    input: z.output<S>,
    context: PreviewContext,
  ): readonly InputFault[] | Promise<readonly InputFault[]>;
  /** Exactly what will be sent, shown before anyone confirms. @throws BellhopError */
  preview?(
    input: z.output<S>,
    target: T,
    context: PreviewContext & FormContext<Service>,
  ): readonly Fact[] | Promise<readonly Fact[]>;
  /** A sentence or two, such as `web-1 will be down while it reboots.` */
  effect?(input: z.output<S>, target: T, context: Pick<PreviewContext, 'extensions'>): string;
  /** @param context for a read, a {@link ReadContext} @throws ServiceError */
  run(input: z.output<S>, context: RunContext<T, Service>): Promise<Output>;
  report(output: Output, about: { readonly target: T; readonly input: z.output<S> }): ReportParts;
  /** Whether the service knows the target. Undefined if it does not answer. */
  isKnown?(target: T, context: FormContext<Service>): Promise<boolean | undefined>;
  /** The extension that `observe` needs. Default: none. */
  readonly looksWith?: Extension;
  /** Reads the target before a change and after an unknown outcome. A failure is only logged. */
  observe?(context: RunContext<T, Service>, input: z.output<S>): Promise<Observation | undefined>;
  /**
   * Describes the target after an unknown outcome, compared with its state before the change if known. Someone else may have changed the
   * target, so this settles nothing.
   */
  sighting?(before: Observation | undefined, now: Observation, target: T): ReportParts;
  readonly watch?: ChangeWatch<Output>;
  readonly tasks?: ChangeTasks<z.output<S>, T, Output, Service>;
  /** For guards. Undefined if unknown. */
  isRunning?(target: T, context: FormContext<Service>): Promise<boolean | undefined>;
  /** An empty form begins with the input of the target's last successful change by this operation. */
  readonly startsFromLast?: boolean;
  form?(
    values: Readonly<Record<string, unknown>>,
    context: FormContext<Service>,
  ): FormPlan | Promise<FormPlan>;
}

export const riskOf = (
  { risk, escalatedBy }: Pick<Operation, 'risk' | 'escalatedBy'>,
  input: Readonly<Record<string, unknown>>,
): Risk => (isEscalated(escalatedBy, input) ? 'destructive' : risk);

const isEscalated = (flag: string | undefined, input: Readonly<Record<string, unknown>>): boolean =>
  flag !== undefined && input[flag] === true;

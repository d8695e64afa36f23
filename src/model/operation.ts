import type { Context, Observation, Period, Task, TaskList, Watch } from 'bellhop';
import type { z } from 'zod';

import type { Actor, Person, Place } from './values/actor.ts';
import type { Extension, Risk } from './rulebook/rulebook.ts';
import type { Introspection } from './introspection.ts';
import type { Inventory, Target } from './rulebook/target.ts';
import type { Fact, ReportParts } from './values/report.ts';
import type { Request } from './records/request.ts';

/** Defined in `src/bellhop/surface.d.ts`, for files of operations and for Bellhop itself. */
export type { Observation, Period, Task, TaskList };

/** The context of an operation. */
export interface FormContext<Service = unknown> extends Context {
  /** The client of the interface. The code that runs operations passes it on and does not use it. */
  readonly service: Service;
}

/** The context of `run`. */
export interface RunContext<T extends Target = Target, Service = unknown> extends FormContext<Service> {
  readonly target: T;
  /** When the run started, in epoch milliseconds. */
  readonly now: number;
  /** The facts that were shown and confirmed. Undefined for reads. */
  readonly confirmed: readonly Fact[];
  /** Whether this process may still send the request; checked right before the first byte of each attempt. */
  readonly maySend: () => boolean;
}

/** The arguments of a read's `run`. Changes get no actor, because several people may have approved them. */
export interface ReadContext<T extends Target = Target, Service = unknown> extends RunContext<T, Service> {
  readonly actor: Actor;
  readonly person: Person;
  readonly place: Place;
  readonly inventory: Inventory;
  /** The service's extensions. */
  readonly extensions: readonly Extension[];
  /** Information about Bellhop itself. */
  readonly bellhop: Introspection;
}

/** The fields of a form for the values entered so far. */
export interface FormPlan {
  /** Names of the fields shown, in order. */
  readonly fields: readonly string[];
  /** Fields whose change redraws the form. */
  readonly redraw: readonly string[];
  /** Optional fields that these values make required; `folders/bucket` for a column. */
  readonly required?: readonly string[];
  /** The columns shown of a rows field. Default: all. */
  readonly columns?: Readonly<Record<string, readonly string[]>>;
  /** Shown above the fields. */
  readonly note?: string;
}

/** The data that previews and forms can read: earlier requests. */
export interface PreviewContext {
  readonly bellhop: Pick<Introspection, 'requests'>;
  /** The service's extensions. */
  readonly extensions: readonly Extension[];
}

/** A problem with an input, and its field. */
export interface InputFault {
  readonly field: string;
  readonly text: string;
}

/** A value that a field can take. */
export interface Suggestion {
  /** The value that is entered. */
  readonly name: string;
  /** Its name for people, if different. */
  readonly title?: string | undefined;
  /** The labels and the region of its target, to distinguish it. Empty without a target. */
  readonly about: string;
}

/** A field whose values the service can list. */
export interface LookUp<Service = unknown> {
  readonly field: string;
  /** The read that lists them; people who may not run it here get no suggestions. */
  readonly listedBy: string;
  /** The values that contain the typed text. @throws ServiceError */
  find(
    typed: string,
    context: FormContext<Service> & { readonly inventory: Inventory },
  ): Promise<readonly Suggestion[]>;
}

/** How to find a change among the service's tasks. */
export interface ChangeTasks<Input, T extends Target, Output, Service> {
  /** The extension they need; default: none. */
  readonly extension?: Extension;
  /** The task ids in the service's answer. */
  started(output: Output): readonly string[];
  /** @throws ServiceError */
  read(id: string, context: RunContext<T, Service>, input: Input): Promise<Task>;
  /**
   * The tasks of this action on this target that may have been created in the period. Without it, tasks can't prove a change
   * whose answer was lost.
   * @param period epoch milliseconds, wide enough for clocks that differ
   * @throws ServiceError
   */
  search?(input: Input, period: Period, context: RunContext<T, Service>): Promise<TaskList>;
  /** The finished state, as a title: `web-1 has rebooted`. */
  finished(target: T, input: Input): string;
}

/** How a target of any kind shows that an accepted change is done. */
export interface ChangeWatch<Output = unknown> extends Omit<Watch<Output>, 'there'> {
  /** The end state in words: `web-1 is up`. */
  there(target: Target): string;
}

/**
 * One thing a person can run. Grammar, usage, help, form, policy name, audit fields, manifest and the table in
 * docs/commands.md are derived from it. `run` never asks for confirmation; risk and policy do.
 */
export interface Operation<
  S extends z.ZodObject = z.ZodObject,
  T extends Target = Target,
  Output = unknown,
  Service = unknown,
> {
  /** `area.verb`: `cloud.reboot` is typed `/cloud reboot`. */
  readonly name: string;
  readonly summary: string;
  /** The button's text before the target's name, if the verb is not enough: `change the event on`. */
  readonly actionLabel?: string;
  /** The button's text if it depends on the input: `hard-reboot`. */
  actionLabelFor?(input: Readonly<Record<string, unknown>>): string | undefined;
  readonly risk: Risk;
  /**
   * A flag of the input that makes it destructive. It then needs an approval, unless the allowing rule names the flag in its
   * `arguments`.
   */
  readonly escalatedBy?: string;
  /** Other verbs that people type for it, for suggestions. */
  readonly synonyms?: readonly string[];
  /** Offered only if the service has this extension. For a field, set it in its `meta`. */
  readonly extension?: Extension;
  /** A sentence with the alternative while the extension is off. */
  readonly instead?: string;
  readonly input: S;
  /** Whole commands as typed. */
  readonly examples: readonly string[];
  /** Entered only in a form, because typing it would put it in the channel's history. */
  readonly formOnly?: boolean;
  /** A look-up of further names in the service. */
  readonly lookUp?: LookUp<Service>;
  /** The target that the input names. @throws BellhopError `unknown-target` with the nearest names. */
  target(input: z.output<S>, inventory: Inventory): T;
  /** Faults of the input given earlier requests. Checked when it is proposed, and again when it is confirmed. */
  faults?(input: z.output<S>, context: PreviewContext): Promise<readonly InputFault[]>;
  /** What exactly will be sent, shown before anyone confirms. @throws BellhopError */
  preview?(
    input: z.output<S>,
    target: T,
    context: PreviewContext & FormContext<Service>,
  ): readonly Fact[] | Promise<readonly Fact[]>;
  /** What a change does, in a sentence or two for its card: `web-1 will be down while it reboots.` */
  effect?(input: z.output<S>, target: T, context: Pick<PreviewContext, 'extensions'>): string;
  /** A read gets a {@link ReadContext}. @throws ServiceError */
  run(input: z.output<S>, context: RunContext<T, Service>): Promise<Output>;
  report(output: Output, about: { readonly target: T; readonly input: z.output<S> }): ReportParts;
  /** Whether the service knows the target; undefined if it does not answer. */
  isKnown?(target: T, context: FormContext<Service>): Promise<boolean | undefined>;
  /** The extension it needs to look at its target; default: none. */
  readonly looksWith?: Extension;
  /** Reads the target before a change and after an unknown outcome; a failure is logged. */
  observe?(context: RunContext<T, Service>): Promise<Observation | undefined>;
  /**
   * Describes the target after an unknown outcome, compared with its state before the change (undefined if not read). Others
   * may have changed it, so this settles nothing.
   */
  sighting?(before: Observation | undefined, now: Observation, target: T): ReportParts;
  /** How to recognize in observations that the change is done. */
  readonly watch?: ChangeWatch<Output>;
  readonly tasks?: ChangeTasks<z.output<S>, T, Output, Service>;
  /** Whether a target runs, for guards; undefined if unknown. */
  isRunning?(target: T, context: FormContext<Service>): Promise<boolean | undefined>;
  /** The earlier request that a form is filled in from. */
  formSource?(context: PreviewContext): Promise<Request | undefined>;
  /** The fields that a form shows. Default: all. */
  form?(
    values: Readonly<Record<string, unknown>>,
    context: FormContext<Service>,
  ): FormPlan | Promise<FormPlan>;
}

/** The risk of an operation with this input, as entered or as read. */
export const riskOf = (
  { risk, escalatedBy }: Pick<Operation, 'risk' | 'escalatedBy'>,
  input: Readonly<Record<string, unknown>>,
): Risk => (isEscalated(escalatedBy, input) ? 'destructive' : risk);

const isEscalated = (flag: string | undefined, input: Readonly<Record<string, unknown>>): boolean =>
  flag !== undefined && input[flag] === true;

import type { z } from 'zod';

import type { Actor, Person, Place } from './actor.ts';
import type { Extension, Risk } from './rulebook.ts';
import type { Introspection } from './introspection.ts';
import type { ConnectHttp } from './http.ts';
import type { Inventory, Target } from './target.ts';
import type { Fact, ReportParts } from './report.ts';
import type { Request } from './request.ts';

/** What an operation may reach, whenever it is asked for something. */
export interface FormContext<Service = unknown> {
  /** The client of the interface; core passes it through unseen. */
  readonly service: Service;
  /** Any other service that speaks HTTP. */
  readonly http: ConnectHttp;
  /**
   * The value behind `log-bucket` or `secret:log-bucket`, hidden from then on wherever text goes.
   * @throws BellhopError where bellhop.yaml does not let this operation have it, or it has no value
   */
  readonly secret: (name: string) => string;
  /** Sent as `X-Request-Id`, and in every log line and audit entry of this command. */
  readonly correlationId: string;
  /** Aborted once nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

/** What `run` is given. */
export interface RunContext<T extends Target = Target, Service = unknown> extends FormContext<Service> {
  readonly target: T;
  /** Epoch milliseconds at which the run began. */
  readonly now: number;
  /** The facts that were shown and confirmed. None for a read. */
  readonly confirmed: readonly Fact[];
  /** Whether the request is still this process's to send: asked right before the first byte of each attempt. */
  readonly maySend: () => boolean;
}

/** What the `run` of a read is given: a change knows nothing of who it is for, since others may have approved it. */
export interface ReadContext<T extends Target = Target, Service = unknown> extends RunContext<T, Service> {
  readonly actor: Actor;
  readonly person: Person;
  readonly place: Place;
  readonly inventory: Inventory;
  /** What the service offers beyond the interface. */
  readonly extensions: readonly Extension[];
  /** What Bellhop knows of itself. */
  readonly bellhop: Introspection;
}

/** What the target looks like at a moment, kept so that another look can be compared with it. */
export type Observation = Readonly<Record<string, string>>;

/** What a form shows for the values entered so far, where not simply every field. */
export interface FormPlan {
  /** Names of the fields shown, in order. */
  readonly fields: readonly string[];
  /** Fields whose change makes the form be drawn again. */
  readonly redraw: readonly string[];
  /** Fields that may be left out elsewhere, but not with these values; `folders/bucket` of a column. */
  readonly required?: readonly string[];
  /** Of a field of rows: the columns shown. Without it: all of them. */
  readonly columns?: Readonly<Record<string, readonly string[]>>;
  /** Said above the fields. */
  readonly note?: string;
}

/** What a preview and a form may look at: what was done from here before. */
export interface PreviewContext {
  readonly bellhop: Pick<Introspection, 'requests'>;
  /** What the service offers beyond the interface. */
  readonly extensions: readonly Extension[];
}

/** What is wrong with an input, and the field to put it right in. */
export interface InputFault {
  readonly field: string;
  readonly text: string;
}

/** A value that a field can take. */
export interface Suggestion {
  /** What is entered. */
  readonly name: string;
  /** What people know it by, where that is not what is entered. */
  readonly title?: string | undefined;
  /** What tells it from others: the labels and the region of the target it means. Empty where it means none. */
  readonly about: string;
}

/** A field whose further values the service knows. */
export interface LookUp<Service = unknown> {
  readonly field: string;
  /** The read that lists them: whoever may not run that here is shown none. */
  readonly listedBy: string;
  /** Those that hold what was typed. @throws ServiceError */
  find(
    typed: string,
    context: FormContext<Service> & { readonly inventory: Inventory },
  ): Promise<readonly Suggestion[]>;
}

/** How a change is known by the tasks that the service makes of it. */
export interface ChangeTasks<Input, T extends Target, Output, Service> {
  /** They can be read only where the service has this; left out: always. */
  readonly extension?: Extension;
  /** Ids of those that the service answered with. */
  started(output: Output): readonly string[];
  /** @throws ServiceError */
  read(id: string, context: RunContext<T, Service>, input: Input): Promise<Task>;
  /**
   * Those of this action on this target that may have been created in the period. Without it no task proves a change whose
   * answer was lost.
   * @param period epoch milliseconds, wide enough for clocks that differ
   * @throws ServiceError
   */
  search?(input: Input, period: Period, context: RunContext<T, Service>): Promise<TaskList>;
  /** What is so once it is finished, as a title: `web-1 has rebooted`. */
  finished(target: T, input: Input): string;
}

/** How a target shows that a change which was accepted is done. */
export interface ChangeWatch {
  /** `there`: as the change leaves it. `broken`: it will not get there by itself. */
  progress(seen: Observation): 'there' | 'on its way' | 'broken';
  /** It is there before the change too: a reboot. */
  readonly returns: boolean;
  /** What is so once it is there: `web-1 is up`. */
  there(target: Target): string;
  /** What was seen, in the service's words. */
  words(seen: Observation): string;
}

/**
 * One thing a person can ask for. Grammar, usage, help, form, policy name, audit fields, manifest and the table of
 * docs/commands.md are derived from it. `run` never asks for confirmation: risk and policy do.
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
  /** What a button says before the target's name, where the verb says too little: `change raw logs of`. */
  readonly actionLabel?: string;
  /** The same where the input makes it something else: `hard-reboot`. */
  actionLabelFor?(input: Readonly<Record<string, unknown>>): string | undefined;
  readonly risk: Risk;
  /**
   * A flag of the input with which it is destructive, and approved before it runs unless the rule that lets it through
   * names the flag in its `arguments`.
   */
  readonly escalatedBy?: string;
  /** Verbs that people type for it, to suggest the right one. */
  readonly synonyms?: readonly string[];
  /** Offered only where the service has this. A field of the input says so in its `meta`. */
  readonly extension?: Extension;
  /** What to do where that is off, in a sentence. */
  readonly instead?: string;
  readonly input: S;
  /** Whole commands as typed. */
  readonly examples: readonly string[];
  /** Entered only in a form, because typing it would put it in the channel's history. */
  readonly formOnly?: boolean;
  /** Where the service knows more of them. */
  readonly lookUp?: LookUp<Service>;
  /** What the input names. @throws BellhopError `unknown-target` with the nearest names. */
  target(input: z.output<S>, inventory: Inventory): T;
  /** What stands against the input in what was done before. Asked before anyone confirms, and again when somebody does. */
  faults?(input: z.output<S>, context: PreviewContext): Promise<readonly InputFault[]>;
  /** What exactly will be sent, shown before anyone confirms. @throws BellhopError */
  preview?(
    input: z.output<S>,
    target: T,
    context: PreviewContext & FormContext<Service>,
  ): readonly Fact[] | Promise<readonly Fact[]>;
  /** What a change does, in a sentence or two for its card: `web-1 will be down while it reboots.` */
  effect?(input: z.output<S>, target: T, context: Pick<PreviewContext, 'extensions'>): string;
  /** Of a read it may take a {@link ReadContext}. @throws ServiceError */
  run(input: z.output<S>, context: RunContext<T, Service>): Promise<Output>;
  report(output: Output, about: { readonly target: T; readonly input: z.output<S> }): ReportParts;
  /** Whether the service knows the target; undefined where that cannot be told now. */
  isKnown?(target: T, context: FormContext<Service>): Promise<boolean | undefined>;
  /** It can look at its target only where the service has this; left out: always. */
  readonly looksWith?: Extension;
  /** Reads the target before a change and after an unknown outcome; undefined where it cannot. Never throws. */
  observe?(context: RunContext<T, Service>): Promise<Observation | undefined>;
  /**
   * What a look after an unknown outcome shows beside the one before the change, undefined where there was none. It tells
   * what is, and that others may have done it: it settles nothing.
   */
  sighting?(before: Observation | undefined, now: Observation, target: T): ReportParts;
  /** Where it can be observed: how it shows afterwards that the change is done. */
  readonly watch?: ChangeWatch;
  readonly tasks?: ChangeTasks<z.output<S>, T, Output, Service>;
  /** Whether a target runs, for whoever guards that enough of a group does; undefined where it cannot be told. */
  isRunning?(target: T, context: FormContext<Service>): Promise<boolean | undefined>;
  /** The earlier request that a form is filled in from, so that one changes only what should be different. */
  formSource?(context: PreviewContext): Promise<Request | undefined>;
  /** Which fields a form shows. Without it: all of them. */
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

/** From the one moment to the other, both included, in epoch milliseconds. */
export interface Period {
  readonly from: number;
  readonly to: number;
}

/** What the service began because somebody asked it for a change. Its times are by the service's clock. */
export interface Task {
  readonly id: string;
  readonly state: 'open' | 'finished' | 'failed';
  /** As the service names them: `soft_reboot_vm`, `RUNNING`. */
  readonly type: string;
  readonly stateName: string;
  /** When it was created, as exactly as the service tells it; undefined where it does not. */
  readonly created?: Period | undefined;
  /** Whose key it was asked with. */
  readonly user?: string | undefined;
  /** Why it failed. */
  readonly error?: string | undefined;
}

/** The tasks of one action on one target. */
export interface TaskList {
  readonly tasks: readonly Task[];
  /** False where some were left out or could not be read: then a task cannot be told to be the only one. */
  readonly complete: boolean;
  /** False where some do not say what they are about, or not so that it can be compared: then they prove nothing. */
  readonly named: boolean;
  /** The service's clock when it answered, cut to the second; undefined where it does not say. */
  readonly serviceTime?: number | undefined;
}

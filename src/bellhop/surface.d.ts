/**
 * The module that your operation files import. `npm run config -- types <folder>` writes it, with zod's types, into
 * their folder.
 */
declare module 'bellhop' {
  import { z } from 'zod';

  export { z };

  /** Declares an operation. Export its result: Bellhop looks for nothing else in a file. */
  export function operation<S extends z.ZodObject, Output, R extends Risk>(
    declared: Declaration<S, Output, R>,
  ): Operation;

  /** For `run` to throw if the service refused and so did nothing. The request has *failed*, with this text. */
  export function refused(text: string): Error;

  /**
   * For `run` to throw if nothing was sent. The request has *failed*, not sent, with this text. `cause` is an error by
   * `http`, for the log.
   */
  export function notSent(text: string, cause?: unknown): Error;

  export interface Operation {
    readonly name: string;
  }

  /** `read` changes nothing, `change` alters settings or adds a record, `destructive` interrupts a service. */
  export type Risk = 'read' | 'change' | 'destructive';

  export interface Declaration<S extends z.ZodObject, Output, R extends Risk = Risk> {
    /** `area.verb`: `db.terminate` is typed `/db terminate`. All operations of an area are in one file. */
    readonly name: string;
    /** One sentence, for help and the manifest. */
    readonly summary: string;
    readonly risk: R;
    /**
     * Each field needs a description and a bound. `.meta({ target: 'database' })` marks the field that names the
     * target.
     */
    readonly input: S;
    /** Whole commands as typed. */
    readonly examples?: readonly string[];
    /** The button's text before the target's name; default: the verb. */
    readonly actionLabel?: string;
    /** Other verbs that people type for it, for suggestions. */
    readonly synonyms?: readonly string[];
    /** A flag of the input that makes the operation destructive. */
    readonly escalatedBy?: keyof z.output<S> & string;
    /** What exactly will be done, shown on the card and bound to the confirmation. */
    preview?(
      input: z.output<S>,
      target: Target,
      context: Context,
    ): readonly Fact[] | Promise<readonly Fact[]>;
    /** What a change does, in a sentence for its card: `orders will be down while it restarts.` Default: the summary. */
    effect?(input: z.output<S>, target: Target): string;
    /**
     * Makes the change, once. If it returns, the change succeeded. If it throws `refused` or `notSent`, it failed. Any other
     * error, the deadline and a crash make it *unknown*.
     */
    run(
      input: z.output<S>,
      context: RunContext & (R extends 'read' ? ReadContext : unknown),
    ): Promise<Output>;
    /** The message to people. */
    report?(output: Output, about: { readonly target: Target; readonly input: z.output<S> }): Report;
    /** Reads the target before a change and after an unknown outcome. */
    observe?(context: RunContext): Promise<Observation | undefined>;
    /** Describes the target after an unknown outcome, compared with its earlier state. It settles nothing. */
    sighting?(before: Observation | undefined, now: Observation, target: Target): Report;
    /** How the target shows that an accepted change is done. */
    readonly watch?: Watch<Output>;
    /** How to find the change among the tasks of the service. */
    readonly tasks?: Tasks<z.output<S>, Output>;
    /** Whether a target runs. A `guard` in bellhop.yaml keeps enough of a group running. */
    isRunning?(target: Target, context: Context): Promise<boolean | undefined>;
  }

  /** An entry of `targets` in bellhop.yaml; if the operation names none, its area. */
  export interface Target {
    readonly kind: 'own';
    /** Its kind in bellhop.yaml: `database`. */
    readonly type: string;
    readonly name: string;
    readonly labels: Readonly<Record<string, string>>;
    /** Its other keys as they were written, secrets as names. */
    // oxlint-disable-next-line typescript/no-explicit-any -- bellhop.yaml holds what the operation asks of it, and nothing else reads it
    readonly settings: Readonly<Record<string, any>>;
  }

  export interface Context {
    /** The client of the built-in operations, for any service that speaks HTTP. */
    readonly http: (base: string, options?: { readonly headers?: Readonly<Record<string, string>> }) => Http;
    /** The value behind `orders-db` or `secret:orders-db`. From then on, it is hidden in every text. */
    readonly secret: (name: string) => string;
    /** Aborted at the deadline. */
    readonly signal: Signal;
    /** Part of every log line and audit entry of this command. */
    readonly correlationId: string;
  }

  export interface RunContext extends Context {
    readonly target: Target;
    /** The facts of `preview` that people confirmed; empty for a read. */
    readonly confirmed: readonly Fact[];
    /**
     * Whether this process may still make the change. Call it right before the step that cannot be undone, and stop if it returns
     * false.
     */
    readonly maySend: () => boolean;
    /** When the run started, in epoch milliseconds. */
    readonly now: number;
  }

  export interface ReadContext {
    readonly person: {
      /** The reader's zone, such as `Europe/Berlin`. */
      readonly timeZone: string;
    };
    /** `targets` of bellhop.yaml, by kind and name. */
    readonly inventory: {
      readonly targets: Readonly<
        Record<string, Readonly<Record<string, Pick<Target, 'labels' | 'settings'>>>>
      >;
    };
  }

  /** Its errors have the answer's `status`, if there was an answer. */
  export interface Http {
    /** A query, repeated if it got no answer. Resolves to the body. */
    get(path: string): Promise<unknown>;
    get<S extends z.ZodType>(path: string, schema: S): Promise<z.output<S>>;
    /** A change, never repeated once bytes may have left. Resolves to the body. */
    send(method: Method, path: string, body?: { readonly json?: unknown }): Promise<unknown>;
    send<S extends z.ZodType>(
      method: Method,
      path: string,
      body: { readonly json?: unknown; readonly schema: S },
    ): Promise<z.output<S>>;
  }

  type Method = 'POST' | 'PUT' | 'PATCH' | 'DELETE';

  type Signal = typeof globalThis extends { AbortSignal: { prototype: infer S } }
    ? S
    : { readonly aborted: boolean; throwIfAborted(): void };

  export interface Fact {
    readonly label: string;
    readonly value: string;
    /**
     * The value in parts, with times (epoch milliseconds, shown in the reader's own time), and people and channels by
     * their ids in Slack.
     */
    readonly parts?:
      | (string | { at: number } | { person: string } | { usergroup: string } | { channel: string })[]
      | undefined;
  }

  /** Plain text throughout. Bellhop escapes and bounds it. */
  export interface Report {
    title: string;
    tone?: 'neutral' | 'good' | 'bad' | 'unsure' | undefined;
    /** The one line that matters. */
    headline?: string | undefined;
    facts?: Fact[] | undefined;
    tables?: Table[] | undefined;
    charts?: Chart[] | undefined;
    /** Buttons under the answer of a read, each as if its words were typed; those that the reader may not run are omitted. */
    next?: NextCommand[] | undefined;
    /** Small print. */
    notes?: string[] | undefined;
    /** Everything as rows, offered as a file. */
    csv?: { fileName: string; columns: string[]; rows: (string | number)[][] } | undefined;
    /** Markdown, offered whole as a file. */
    document?: { fileName: string; text: string } | undefined;
  }

  export interface NextCommand {
    /** `Terminate…` */
    text: string;
    /** `/db terminate orders 4711` */
    words: string;
    severity: 'change' | 'destructive';
  }

  export interface Table {
    caption: string;
    columns: { label: string; numeric?: boolean | undefined }[];
    /** `{ at }` is a moment in epoch milliseconds, shown in the reader's own time. */
    rows: (string | number | { at: number })[][];
    /** Shows each row as a line of text, which fits a phone. */
    lines?: boolean | undefined;
  }

  export interface Chart {
    kind: 'line' | 'bar' | 'area' | 'pie';
    title: string;
    unit: string;
    /** How neighbouring points are merged if there is no room for all. */
    merge?: 'sum' | 'average' | undefined;
    labels: string[];
    series: { name: string; values: (number | null)[] }[];
  }

  /** A snapshot of the target. */
  export type Observation = Readonly<Record<string, string>>;

  export interface Watch<Output = unknown> {
    /** `there`: the target is in the end state. `broken`: it will not get there by itself. */
    progress(seen: Observation): 'there' | 'on its way' | 'broken';
    /** Whether the target is already in the end state before the change, as for a restart. */
    readonly returns: boolean;
    /** The state in the answer itself, for a change that ends before the first check. */
    answered?(output: Output): Observation | undefined;
    /** The end state as a sentence: `orders is up`. */
    there(target: Target): string;
    /** The observation in words. */
    words(seen: Observation): string;
  }

  export interface Tasks<Input, Output> {
    /** The task ids in the service's answer. */
    started(output: Output): readonly string[];
    read(id: string, context: RunContext, input: Input): Promise<Task>;
    /** Tasks of this action on this target that may have been created in the period. */
    search?(input: Input, period: Period, context: RunContext): Promise<TaskList>;
    /** The finished state, as a title. */
    finished(target: Target, input: Input): string;
  }

  /** A period including both ends, in epoch milliseconds. */
  export interface Period {
    readonly from: number;
    readonly to: number;
  }

  /** A task that the service created for a change. Times are by the service's clock. */
  export interface Task {
    readonly id: string;
    readonly state: 'open' | 'finished' | 'failed';
    /** The service's own words: `soft_reboot_vm`, `RUNNING`. */
    readonly type: string;
    readonly stateName: string;
    /** When it was created, as precisely as the service says; undefined if it does not. */
    readonly created?: Period | undefined;
    /** The user of the key that created it. */
    readonly user?: string | undefined;
    /** Why it failed. */
    readonly error?: string | undefined;
  }

  /** The tasks of one action on one target. */
  export interface TaskList {
    readonly tasks: readonly Task[];
    /** False if some are missing or unreadable; then no task is provably the only one. */
    readonly complete: boolean;
    /** False if some tasks do not name their target in a comparable way. The list then proves nothing. */
    readonly named: boolean;
    /** The service's time when it answered, truncated to the second; undefined if it does not say. */
    readonly serviceTime?: number | undefined;
  }
}

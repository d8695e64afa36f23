/**
 * Your operation files import this module. `npm run config -- types <folder>` writes the module, with zod's types, into
 * their folder.
 */
declare module 'bellhop' {
  import { z } from 'zod';

  export { z };

  /** Declares an operation. Export the result, because Bellhop looks for nothing else in a file. */
  export function operation<S extends z.ZodObject, Output, R extends Risk>(
    declared: Declaration<S, Output, R>,
  ): Operation;

  /** Throw this error from `run` if the service refused and did nothing. The request has *failed*, with this text. */
  export function refused(text: string): Error;

  /**
   * Throw this error from `run` if nothing was sent. The request has *failed*, not sent, with this text. `cause` is an
   * error by `http`, for the log.
   */
  export function notSent(text: string, cause?: unknown): Error;

  export interface Operation {
    readonly name: string;
  }

  /** `read` changes nothing, `change` alters settings or adds a record, `destructive` interrupts a service. */
  export type Risk = 'read' | 'change' | 'destructive';

  export interface Declaration<S extends z.ZodObject, Output, R extends Risk = Risk> {
    /** The area and the verb: `db.terminate` is typed `/db terminate`. All operations of an area are in one file. */
    readonly name: string;
    /** Help and the manifest show this sentence. */
    readonly summary: string;
    readonly risk: R;
    /** Each field needs a description and a bound. `.meta({ target: 'database' })` marks the field that names the target. */
    readonly input: S;
    /** Each example is a whole command as typed. */
    readonly examples?: readonly string[];
    /** The words before the target's name in titles and buttons. The default is the verb, and what a verb such as `create` creates. */
    readonly actionLabel?: string;
    /** These words for an input, at most 40 characters: `restart web on`. Without a result, `actionLabel` counts. */
    actionLabelFor?(input: Readonly<Record<string, unknown>>): string | undefined;
    /** The past participle, at most 30 characters: `restarted`, as in “2 of 3 restarted”. The default is `succeeded`. */
    readonly doneWord?: string;
    /** Bellhop suggests the operation to people who type these verbs. */
    readonly synonyms?: readonly string[];
    /** This flag of the input makes the operation destructive. */
    readonly escalatedBy?: keyof z.output<S> & string;
    /** Returns what exactly will be done. The card shows these facts, and the confirmation is bound to them. */
    preview?(
      input: z.output<S>,
      target: Target,
      context: Context,
    ): readonly Fact[] | Promise<readonly Fact[]>;
    /** Returns a sentence for a change's card: `orders will be down while it restarts.` The default is the summary. */
    effect?(input: z.output<S>, target: Target): string;
    /**
     * Makes the change, once. If `run` returns, the change succeeded. If `run` throws `refused` or `notSent`, the
     * change failed. Any other error, the deadline and a crash make the outcome *unknown*.
     */
    run(
      input: z.output<S>,
      context: RunContext & (R extends 'read' ? ReadContext : unknown),
    ): Promise<Output>;
    report?(output: Output, about: { readonly target: Target; readonly input: z.output<S> }): Report;
    /** Reads the target before a change and after an unknown outcome. */
    observe?(context: RunContext, input: z.output<S>): Promise<Observation | undefined>;
    /** Describes the target after an unknown outcome, compared with its earlier state. This settles nothing. */
    sighting?(before: Observation | undefined, now: Observation, target: Target): Report;
    /** Describes how the target shows that an accepted change is done. */
    readonly watch?: Watch<Output>;
    /** Describes how to find the change among the tasks of the service. */
    readonly tasks?: Tasks<z.output<S>, Output>;
    /** Whether a target runs. A `guard` in bellhop.yaml keeps enough of a group running. */
    isRunning?(target: Target, context: Context): Promise<boolean | undefined>;
  }

  /** An entry of `targets` in bellhop.yaml, or the area of an operation that names no target. */
  export interface Target {
    readonly kind: 'own';
    /** The target's kind in bellhop.yaml, such as `database`. */
    readonly type: string;
    readonly name: string;
    readonly labels: Readonly<Record<string, string>>;
    /** The target's other keys as they were written. Secrets are names. */
    // oxlint-disable-next-line typescript/no-explicit-any -- bellhop.yaml holds what the operation asks of it, and nothing else reads it
    readonly settings: Readonly<Record<string, any>>;
  }

  export interface Context {
    /** Connects to any service that speaks HTTP, also at `unix:/run/docker.sock`, with the client of the built-in operations. */
    readonly http: (base: string, options?: { readonly headers?: Readonly<Record<string, string>> }) => Http;
    /** Returns the value behind `orders-db` or `secret:orders-db`. From then on, the value is hidden in every text. */
    readonly secret: (name: string) => string;
    /** The signal is aborted at the deadline. */
    readonly signal: Signal;
    /** Every log line and audit entry of this command has this id. */
    readonly correlationId: string;
  }

  export interface RunContext extends Context {
    readonly target: Target;
    /** The facts of `preview` that people confirmed; empty for a read. */
    readonly confirmed: readonly Fact[];
    /**
     * Whether this process may still make the change. Call `maySend` right before the step that cannot be undone, and
     * stop if the result is false.
     */
    readonly maySend: () => boolean;
    /** In epoch milliseconds. The run started at this time. */
    readonly now: number;
    readonly request: {
      /** The id on the card, such as `r-7k3m9qpdx2`, which no other request has. For a read, the `correlationId`. */
      readonly id: string;
      /** The id in Slack of the person who asked, such as `U0ALICE`. */
      readonly requester: string;
    };
  }

  export interface ReadContext {
    readonly person: {
      /** The reader's zone, such as `Europe/Berlin`. */
      readonly timeZone: string;
    };
    /** The `targets` of bellhop.yaml, by kind and name. */
    readonly inventory: {
      readonly targets: Readonly<
        Record<string, Readonly<Record<string, Pick<Target, 'labels' | 'settings'>>>>
      >;
    };
  }

  /**
   * Errors of these calls have the answer's `status`, if there was an answer. In a body, an integer beyond 2⁵³ − 1 is a
   * BigInt, both when it is read and when it is sent.
   */
  export interface Http {
    /** Sends a query, and repeats a query that got no answer. Resolves to the body. */
    get(path: string): Promise<unknown>;
    get<S extends z.ZodType>(path: string, schema: S): Promise<z.output<S>>;
    /** Like `get`, for a body that is not JSON. `new TextDecoder().decode(bytes)` makes text of it. */
    bytes(path: string): Promise<Uint8Array>;
    /** Sends a change, and never repeats a change once bytes may have left. Resolves to the body. */
    send<S extends z.ZodType>(
      method: Method,
      path: string,
      body: Body & { readonly schema: S },
    ): Promise<z.output<S>>;
    send(method: Method, path: string, body?: Body): Promise<unknown>;
  }

  /** At most one of `json`, `form` and `text`, of at most 8 MiB. */
  export interface Body {
    readonly json?: unknown;
    /** Sent as `application/x-www-form-urlencoded`. A list repeats its name. */
    readonly form?: Readonly<Record<string, FormValue | readonly FormValue[]>> | undefined;
    readonly text?: string | undefined;
    /** The content type, which `text` needs. `json` has `application/json` without it. */
    readonly type?: string | undefined;
  }

  type FormValue = string | number | bigint | boolean;

  type Method = 'POST' | 'PUT' | 'PATCH' | 'DELETE';

  type Signal = typeof globalThis extends { AbortSignal: { prototype: infer S } }
    ? S
    : { readonly aborted: boolean; throwIfAborted(): void };

  export interface Fact {
    readonly label: string;
    readonly value: string;
    /**
     * The value in parts. Times are in epoch milliseconds and shown in the reader's own time. People and channels are
     * ids in Slack.
     */
    readonly parts?:
      | (string | { at: number } | { person: string } | { usergroup: string } | { channel: string })[]
      | undefined;
    /** In a preview, marks the request itself, such as `PUT /servers/web-1`. Cards show it without its label. */
    readonly isCall?: true | undefined;
    /** In a preview, what `run` compares with the current state. Never shown, so the wording can change. */
    readonly data?: string | undefined;
  }

  /** All texts of a report are plain. Bellhop escapes and bounds them. */
  export interface Report {
    title: string;
    tone?: 'neutral' | 'good' | 'bad' | 'unsure' | undefined;
    headline?: string | undefined;
    facts?: Fact[] | undefined;
    tables?: Table[] | undefined;
    charts?: Chart[] | undefined;
    /**
     * Buttons under the answer to a read. Each button works as if its words were typed. Buttons that the reader may not
     * run are omitted.
     */
    next?: NextCommand[] | undefined;
    /** Notes are shown as small print. */
    notes?: string[] | undefined;
    /** All rows are offered as a file. */
    csv?: { fileName: string; columns: string[]; rows: (string | number)[][] } | undefined;
    /** The Markdown text is offered whole as a file. */
    document?: { fileName: string; text: string } | undefined;
  }

  export interface NextCommand {
    text: string;
    /** The command, such as `/db terminate orders 4711`. */
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
    /** Says how neighbouring points are merged if there is no room for all. */
    merge?: 'sum' | 'average' | undefined;
    labels: string[];
    series: { name: string; values: (number | null)[] }[];
  }

  export type Observation = Readonly<Record<string, string>>;

  export interface Watch<Output = unknown> {
    /** `there` means that the target is in the end state, `broken` that the target will not get there by itself. */
    progress(seen: Observation): 'there' | 'on its way' | 'broken';
    /** Whether the target is already in the end state before the change, as for a restart. */
    readonly returns: boolean;
    /**
     * Returns the state in the answer itself, for a change that ends before the first check. If `progress` of it is `on its
     * way`, the target has changed.
     */
    answered?(output: Output): Observation | undefined;
    /** Returns the end state as a sentence: `orders is up`. */
    there(target: Target): string;
    words(seen: Observation): string;
  }

  export interface Tasks<Input, Output> {
    /** Returns the ids of the tasks that Bellhop follows with `read`. Without them, a change that was accepted is done. */
    started?(output: Output): readonly string[];
    read?(id: string, context: RunContext, input: Input): Promise<Task>;
    /** Finds tasks of this action on this target that may have been created in the period. */
    search?(input: Input, period: Period, context: RunContext): Promise<TaskList>;
    /** Returns the finished state as a title. */
    finished(target: Target, input: Input): string;
  }

  /** In epoch milliseconds. A period includes both ends. */
  export interface Period {
    readonly from: number;
    readonly to: number;
  }

  /** A task that the service created for a change. Times are by the service's clock. */
  export interface Task {
    readonly id: string;
    readonly state: 'open' | 'finished' | 'failed';
    /** The service's own words, such as `soft_reboot_vm` and `RUNNING`. */
    readonly type: string;
    readonly stateName: string;
    /** When the task was created, as precisely as the service says; undefined if the service does not say. */
    readonly created?: Period | undefined;
    /** The user of the key that created the task. */
    readonly user?: string | undefined;
    /** The `request.id` that `run` sent and the service keeps with the task. It proves which request created the task. */
    readonly request?: string | undefined;
    readonly error?: string | undefined;
  }

  export interface TaskList {
    readonly tasks: readonly Task[];
    /** False if some tasks are missing or unreadable. No task is then provably the only one. */
    readonly complete: boolean;
    /** False if some tasks do not name their target in a comparable way. The list then proves nothing. */
    readonly named: boolean;
    /** The service's time when it answered, cut to the second; undefined if the service does not say. */
    readonly serviceTime?: number | undefined;
  }
}

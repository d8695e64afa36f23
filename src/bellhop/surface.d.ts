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

  /**
   * Throw this error from `run` if the service refused and did nothing. The request has *failed*, with this text. With a
   * guess by `guessOf`, people get buttons that run the corrected command.
   */
  export function refused(text: string, guess?: Guess): Error;

  /**
   * Throw this error from `run` if nothing was sent. The request has *failed*, not sent, with this text. `cause` is an
   * error by `http`, for the log.
   */
  export function notSent(text: string, cause?: unknown): Error;

  export interface Operation {
    readonly name: string;
  }

  /** `change` interrupts nothing. `destructive` interrupts something, or deletes what only people can add again. */
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
      context: PreviewContext,
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
    /** Returns the target, if `targets` does not list it. The default is the entry that the input names, or the area. */
    target?(input: z.output<S>, inventory: Inventory): Target;
    /** Returns what is wrong with the input, given earlier requests. Called when people ask, and again when they confirm. */
    faults?(
      input: z.output<S>,
      context: Pick<PreviewContext, 'earlier'>,
    ): readonly InputFault[] | Promise<readonly InputFault[]>;
    /** Returns which fields a form has for what was entered so far. The default is all fields. */
    form?(values: Readonly<Record<string, unknown>>, context: Context): FormPlan | Promise<FormPlan>;
    /** Whether people can use only the form, for input that does not belong in the history of a channel. */
    readonly formOnly?: boolean;
    /** Whether an empty form begins with the input of the target's last change by this operation that succeeded. */
    readonly startsFromLast?: boolean;
    /** Suggests values while people type in a form. */
    readonly lookUp?: LookUp;
    report?(output: Output, about: { readonly target: Target; readonly input: z.output<S> }): Report;
    /** Reads the target before a change and after an unknown outcome. */
    observe?(context: RunContext, input: z.output<S>): Promise<Observation | undefined>;
    /** Describes the target after an unknown outcome, compared with its earlier state. This settles nothing. */
    sighting?(before: Observation | undefined, now: Observation, target: Target): Report;
    /** Describes how the target shows that an accepted change is done. */
    readonly watch?: Watch<Output>;
    /** Describes how to find the change among the tasks of the service. */
    readonly tasks?: Tasks<z.output<S>, Output>;
    /** Whether the service has an instance that bellhop.yaml does not list. Undefined if it does not answer. */
    isKnown?(target: Target, context: Context): Promise<boolean | undefined>;
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
    /** Of an instance or a container, which have no settings: a field with `target: 'instance'` names one. */
    readonly id?: string;
    readonly project?: number;
    readonly region?: number;
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
    readonly inventory: Inventory;
  }

  export interface PreviewContext extends Context {
    /**
     * Resolves to the last requests of this operation for this target that succeeded or are unknown, newest first, at
     * most 50.
     */
    readonly earlier: () => Promise<readonly EarlierRequest[]>;
  }

  export interface EarlierRequest {
    readonly id: string;
    readonly state: 'succeeded' | 'unknown';
    /** As entered, with names in place of secrets. */
    readonly input: Readonly<Record<string, unknown>>;
    /** In epoch milliseconds. */
    readonly createdAt: number;
    readonly endedAt?: number | undefined;
  }

  /** The names that bellhop.yaml gives to targets. */
  export interface Inventory {
    /** The instances of the service, by name. */
    readonly instances: Readonly<
      Record<string, { readonly id: string; readonly labels: Readonly<Record<string, string>> }>
    >;
    /** The `targets`, by kind and name. */
    readonly targets: Readonly<Record<string, Readonly<Record<string, Pick<Target, 'labels' | 'settings'>>>>>;
  }

  export interface InputFault {
    /** The name of the field. */
    readonly field: string;
    /** Follows the field's label. */
    readonly text: string;
  }

  export interface FormPlan {
    /** The names of the fields, in order. */
    readonly fields: readonly string[];
    /** The names of the fields whose change redraws the form. */
    readonly redraw: readonly string[];
    /** Optional fields that these values make required. `folders/bucket` means a column. */
    readonly required?: readonly string[] | undefined;
    /** The columns shown of each field that has rows. The default is all. */
    readonly columns?: Readonly<Record<string, readonly string[]>> | undefined;
    readonly note?: string | undefined;
  }

  export interface LookUp {
    readonly field: string;
    /** The read that lists the values, such as `lb.servers`. People who may not run it here get no suggestions. */
    readonly listedBy: string;
    /** Returns the values that contain the typed text, within 1.5 s. At most 100 are used. */
    find(typed: string, context: Context & { readonly inventory: Inventory }): Promise<readonly Completion[]>;
  }

  export interface Completion {
    readonly name: string;
    readonly title?: string | undefined;
    /** Distinguishes similar names, such as a state. May be empty. */
    readonly about: string;
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
    /** The value in parts. */
    readonly parts?: (string | NamedPart)[] | undefined;
    /** In a preview, marks the request itself, such as `PUT /servers/web-1`. Cards show it without its label. */
    readonly isCall?: true | undefined;
    /** In a preview, what `run` compares with the current state. Never shown, so the wording can change. */
    readonly data?: string | undefined;
  }

  /** Times are in epoch milliseconds and shown in the reader's own time. The others are ids in Slack, shown as names. */
  export type NamedPart = { at: number } | { person: string } | { usergroup: string } | { channel: string };

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
    rows: (string | number | NamedPart)[][];
    /** Shows each row as a line of text, which fits a phone. With `sentences`, its cells make a sentence. */
    lines?: boolean | 'sentences' | undefined;
  }

  export interface Chart {
    kind: 'line' | 'bar' | 'area' | 'pie';
    title: string;
    unit: string;
    /** The label of the horizontal axis, such as `Time in UTC`. */
    axis?: string | undefined;
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

  /** A typed text, and the words that it may have been meant to be. */
  export interface Guess {
    readonly typed: string;
    readonly words: readonly string[];
  }

  // Fields of an input

  /** A text that is not empty, of at most 255 characters or `most`. `what` is a noun with its article: `a bucket`. */
  export function nameOf(what: string, limit?: { readonly most?: number }): z.ZodString;
  /** An optional whole number, 0 or more. `takes` is the error for other values. */
  export function numberOption(takes?: string): z.ZodOptional<z.ZodNumber>;
  /** A duration such as `15m` or `1d12h`, as milliseconds. */
  export const durationText: z.ZodType<number, string>;
  /** A time with its zone, such as `2026-12-24T19:00Z`, as epoch milliseconds. */
  export const momentText: z.ZodType<number, string>;
  /** A person of Slack, as an id. */
  export const personText: z.ZodType<string, string>;
  /** A channel of Slack, as an id. */
  export const channelText: z.ZodType<string, string>;
  /** For `z.string().transform`: parses the text with `read`. If `read` returns undefined, the error is `message`. */
  export function readAs<T>(
    read: (text: string) => T | undefined,
    message: string,
  ): (text: string, context: z.RefinementCtx<string>) => T;
  /** Milliseconds of `15m` or `1d12h`. */
  export function readDuration(text: string): number | undefined;
  /** A time zone in its usual spelling. */
  export function readZone(text: string): string | undefined;
  /** A host in its usual spelling, and its port. */
  export function readHost(
    text: string,
  ): { readonly name: string; readonly port: string | undefined } | undefined;
  /** The items of `a,b`. A comma after a backslash belongs to its item. */
  export function splitItems(typed: string): readonly string[];

  // Words for people

  /** ` Did you mean “web-1”?`, or an empty text. */
  export function didYouMean(typed: string, known: Iterable<string>): string;
  /** Up to three words that are equally near to what was typed. With it, as `params: { guess }`, an issue of a schema offers them. */
  export function guessOf(typed: string, known: Iterable<string>): Guess;
  /** The text, cut to 40 characters or `most`, for an error that repeats it. */
  export function abridged(typed: string, most?: number): string;
  /** A word of a command, in quotes if it needs them. */
  export function quoteWord(word: string): string;
  /** `web-1, web-2 and web-3` */
  export function listed(names: readonly string[]): string;
  /** `1 server` or `2,000 servers` */
  export function itemCount(count: number, one: string, many?: string): string;
  /** `2,000` */
  export function countText(count: number): string;
  /** Makes a function that writes numbers with these digits. */
  export function formatter(options: Intl.NumberFormatOptions): (value: number | `${number}`) => string;
  /** The epoch milliseconds of a time that a service wrote in a form of ISO 8601, in UTC if it has no zone. */
  export function writtenMoment(text?: string): number | undefined;
  /** The millisecond, second, minute or day that such a time states. */
  export function writtenPeriod(text?: string): Period | undefined;
  /** The name under which bellhop.yaml lists an id, however the id is spelled. */
  export function nameOfId(
    named: Readonly<Record<string, { readonly id: string }>>,
    id: string,
  ): string | undefined;
  /** Whether an error of `http` says 404. */
  export function isNotFound(error: unknown): error is Error;

  // Parts of a report

  type Optional<T> = T | '' | false | undefined;
  type Part = string | NamedPart;

  /** Omits undefined texts, for notes that are not always shown. */
  export function given(...texts: readonly Optional<string | readonly string[]>[]): string[];
  /** Facts, without those that have no value. */
  export function givenFacts(
    rows: readonly (readonly [label: string, value: Optional<string | number | Part | readonly Part[]>])[],
  ): Fact[];
  /** A fact with times, people and channels in it. */
  export function factOf(label: string, parts: readonly Part[]): Fact;
  /** A service's time as a cell or a part, or its own text if that can't be read. */
  export function momentOf(written?: string): string | { at: number };
  /** Columns of texts. */
  export function texts(...labels: readonly string[]): Table['columns'];
  /** Columns of numbers. */
  export function numbers(...labels: readonly string[]): Table['columns'];
  /** One table, or none without rows. */
  export function tableOf(
    caption: string,
    columns: Table['columns'],
    rows: Table['rows'],
    lines?: Table['lines'],
  ): Table[];
}

import type { LastSealedFile } from '../audit/own-files.ts';
import type { VerifierKey } from '../audit/tree/signed-note.ts';
import type { LogKeys } from '../audit/tree/signing-key.ts';
import type { OwnEvent, EventMeanings } from '../model/audit-event.ts';
import type { AfterRule } from '../model/after.ts';
import type { LinkGate } from '../model/gate.ts';
import type { Operation } from '../model/operation.ts';
import type { Members, SourceKind } from '../model/members.ts';
import type { Actor } from '../model/values/actor.ts';
import type { Clock, Listing, Log, Secrets, StartEntries } from '../model/ports.ts';
import type { AuditDraft, AuditEntry } from '../model/records/audit.ts';
import type { DueDraft, Handler } from '../model/records/due.ts';
import type { StoredCheckpoint } from '../model/records/sealed-log.ts';
import type { Finding } from '../model/rulebook/finding.ts';
import type { Rulebook } from '../model/rulebook/rulebook.ts';
import type { LastingRestriction } from '../model/restriction.ts';
import type { Registry } from '../model/registry.ts';
import type { DemandKey, ProgramKey, Section, SkipKey } from '../model/section.ts';
import type { CsvCell, Fact, Table } from '../model/values/report.ts';
import type { Command } from '../program/run-program.ts';
import type { Buttons, Forms, SlackContext } from '../slack/messages/context.ts';
import type { CardExtra, CardLines } from '../slack/cards/card-lines.ts';
import type { OfferParts, ShownOffers } from '../slack/messages/offers.ts';
import type { Route } from '../slack/receive/server.ts';
import type { SlackApi } from '../slack/web-api/slack-api.ts';
import type { AuditRecord } from '../store/open-store.ts';
import type { Store } from '../store/store.ts';
import type { Declare } from './metrics.ts';
import type { Readiness } from './readiness.ts';

export interface GatePorts {
  readonly store: Store;
  readonly clock: Clock;
  /** The URL at which browsers reach Bellhop, without a slash at the end. */
  readonly publicUrl: string | undefined;
}

export interface CardPorts {
  readonly store: Store;
  readonly rulebook: () => Rulebook;
  readonly registry: Registry;
}

export interface OfferPartPorts extends CardPorts {
  readonly offers: readonly ShownOffers[];
}

export interface Host extends SlackContext, GatePorts {
  readonly store: Store;
  readonly clock: Clock;
  readonly slackIsLocal: boolean;
  readonly stopping: () => boolean;
  readonly version: string;
  /** For calls that no one waits for. */
  readonly background: SlackApi;
  /**
   * The values of `secret:name`: one, or two during a rotation.
   * @throws BellhopError if the secret has no value
   */
  readonly acceptedSecrets: (reference: string) => readonly string[];
  /** Shows the message of an offer now. Never rejects. */
  readonly show: (messageId: string) => Promise<void>;
  readonly readiness: Readiness;
  /** The page of the local workspace. */
  readonly localPage: string | undefined;
}

export interface Running {
  readonly handlers?: readonly Handler[];
  /** Returns the members of a source as far as is known, by the key of its kind. */
  readonly sources?: Readonly<Record<string, (name: string) => Members>>;
  readonly jobs?: readonly Job[];
  readonly routes?: readonly Route[];
  /** Runs before Bellhop accepts work. Never rejects. */
  readonly beforeReady?: () => Promise<void>;
  /** Logs what does not work now. Runs in the background once Bellhop is ready. Never rejects. */
  readonly checkAtStart?: () => Promise<void>;
  /** Becomes due with new sealed entries of the log. */
  readonly dueWhenSealed?: () => readonly DueDraft[];
  /** Called for each entry that this process committed, and for each read or denial, even if its entry could not be written. */
  readonly recorded?: (entry: AuditDraft) => void;
  /** Mrkdwn. */
  readonly homeLines?: (reader: Actor) => Promise<readonly string[]>;
  /** For `/bellhop status`. */
  readonly facts?: () => readonly Fact[];
  /** Clauses, for `/bellhop status`. */
  readonly problems?: () => readonly string[];
  readonly tables?: () => readonly Table[];
  /** Ends work that a stop need not wait for. Never rejects. */
  readonly close?: () => Promise<void>;
}

export interface Job {
  readonly name: string;
  readonly everyMs: number;
  readonly round: () => Promise<void>;
}

/** A format of `npm run audit -- export`. */
export interface ExportFormat {
  readonly header?: string;
  readonly line: (entry: AuditEntry, events: EventMeanings) => string;
  readonly sealedOnly?: boolean;
  readonly help?: string;
}

/** A column of `npm run audit -- export --format csv`. */
export type Column = (entry: AuditEntry) => CsvCell;

/** The local workspace calls this address as another system does. */
export interface LocalDoor {
  readonly path: string;
  /** The name of the secret that callers send. */
  readonly secret: string;
  readonly isOpen: (rulebook: Rulebook) => boolean;
}

/** For a check of bellhop.yaml, besides Slack. */
export interface OutsidePorts extends Pick<Secrets, 'production' | 'resolveSecret'> {
  readonly clock: Clock;
  readonly log: Log;
}

/** A channel in which a feature posts. */
export interface PostedChannel extends Pick<Finding, 'path'> {
  readonly id: string;
  /** Set if Bellhop must be a member of the channel: what is posted, in the plural, such as “Alerts”. */
  readonly what?: string;
}

export interface CommandPorts {
  readonly clock: Pick<Clock, 'now'>;
  /** Undefined if there is no bellhop.yaml. */
  readonly usualRulebook: () => Promise<Rulebook | undefined>;
  /** For reading the store of this environment. Names it on stderr. @throws BellhopError */
  readonly withLog: <T>(work: (log: AuditRecord) => Promise<T>) => Promise<T>;
  /** The given verifier keys, or else those of the keys that sign here. @throws Error if there are none */
  readonly verifiersFor: (
    origin: string,
    given: readonly string[],
    signed?: readonly Signed[],
  ) => Promise<readonly VerifierKey[]>;
  /** Of the keys that sign here. */
  readonly ownVerifiers: (origin: string, signed: readonly Signed[]) => Promise<readonly VerifierKey[]>;
  /** Resolves to names by id, for the people whom Slack knows. @param option the option that needs the names @throws Error */
  readonly namesOf: (option: string, users: Iterable<string>) => Promise<Readonly<Record<string, string>>>;
  readonly witnessKeys: (rulebook: Rulebook) => readonly string[];
}

export type Signed = Pick<StoredCheckpoint, 'note'>;

export interface AuditCommand extends Command {
  readonly changes?: true;
}

/**
 * An addition to the kernel, in a folder of its own and listed in `src/features/index.ts`. The kernel combines each member with those of
 * the other features.
 */
export interface Feature {
  readonly section?: Section;
  readonly offers?: ShownOffers;
  readonly buttons?: Buttons;
  readonly forms?: Forms;
  readonly cardExtra?: CardExtra;
  readonly events?: readonly OwnEvent[];
  readonly operations?: readonly Operation[];
  readonly demandKey?: DemandKey;
  readonly skipKey?: SkipKey;
  readonly programKey?: ProgramKey;
  readonly sourceKind?: SourceKind;
  readonly restriction?: LastingRestriction;
  /** At the end of the messages of other features' offers. */
  readonly offerParts?: (ports: OfferPartPorts) => OfferParts;
  readonly cardLines?: (ports: CardPorts) => CardLines;
  /** Asks people for more than a click. */
  readonly gate?: (ports: GatePorts) => LinkGate;
  /** Finds mistakes of bellhop.yaml that only Slack or another server shows. @throws SlackError if Slack does not answer */
  readonly checkOutside?: (
    rulebook: Rulebook,
    api: SlackApi,
    ports: OutsidePorts,
  ) => Promise<readonly Finding[]>;
  readonly channels?: (rulebook: Rulebook) => readonly PostedChannel[];
  readonly localDoor?: LocalDoor;
  readonly startEntries?: StartEntries;
  /** Lists open items of people, on the Home tab and in `/bellhop requests`. */
  readonly listing?: Listing;
  readonly after?: readonly AfterRule[];
  /** @param declare for `metrics`, see `withMetrics` */
  readonly start?: (host: Host, declare: Declare) => Running;
  readonly metrics?: (declare: Declare) => unknown;
  /** Returns the replica's memory of the sealed log, before the store is opened. */
  readonly recall?: (found: {
    readonly file: LastSealedFile;
    readonly keys: LogKeys;
    readonly rulebook: Rulebook;
    readonly log: Log;
  }) => Promise<LastSealedFile>;
  /** Commands of `npm run audit`. They are loaded here, because the bot has no use for them. */
  readonly auditCommands?: (outside: CommandPorts) => Promise<Readonly<Record<string, AuditCommand>>>;
  readonly exportColumns?: Readonly<Record<string, Column>>;
  /** Other things that `npm run audit -- verify` verifies, by the option that asks for them. */
  readonly verifications?: (outside: CommandPorts) => Promise<Readonly<Record<string, Command>>>;
  readonly witnessKeys?: (rulebook: Rulebook) => readonly string[];
  readonly exportFormats?: Readonly<Record<string, ExportFormat>>;
}

/** Declares metrics apart from the start, so that documents and the dashboard list all of them. */
export const withMetrics = <Metrics>(
  metrics: (declare: Declare) => Metrics,
  start: (host: Host, metrics: Metrics) => Running,
): Pick<Feature, 'metrics' | 'start'> => ({
  metrics,
  start: (host, declare) => start(host, metrics(declare)),
});

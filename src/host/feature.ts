import type { LastSealedFile } from '../audit/own-files.ts';
import type { LogKeys } from '../audit/tree/signing-key.ts';
import type { Clock, Log } from '../model/ports.ts';
import type { AuditEntry } from '../model/records/audit.ts';
import type { DueDraft, Handler } from '../model/records/due.ts';
import type { Rulebook } from '../model/rulebook/rulebook.ts';
import type { Section } from '../model/section.ts';
import type { Fact } from '../model/values/report.ts';
import type { Command } from '../program/run-program.ts';
import type { Message } from '../slack/render/blocks.ts';
import type { Store } from '../store/store.ts';
import type { Declare } from './metrics.ts';
import type { Readiness } from './readiness.ts';

/** The parts of a running bot that features use. */
export interface Host {
  readonly store: Store;
  readonly rulebook: () => Rulebook;
  /** Returns the value behind `secret:name`. @throws BellhopError */
  readonly resolveSecret: (reference: string) => string;
  /** Posts in the background. Rejects if Slack does not take the message. */
  readonly post: (channel: string, message: Message) => Promise<unknown>;
  /** Sentences that messages end with while something is simulated. */
  readonly disclaimers: readonly string[];
  readonly clock: Clock;
  readonly log: Log;
  readonly declare: Declare;
  readonly readiness: Readiness;
}

/** A feature at work, from the start of the bot to its stop. */
export interface Running {
  readonly handlers?: readonly Handler[];
  readonly jobs?: readonly Job[];
  /** Work that becomes due with new sealed entries of the log. */
  readonly dueWhenSealed?: () => readonly DueDraft[];
  /** Lines of `/bellhop status`. */
  readonly facts?: () => readonly Fact[];
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
  readonly line: (entry: AuditEntry) => string;
  readonly sealedOnly?: boolean;
  /** A line of the command's help. */
  readonly help?: string;
}

export interface CommandPorts {
  readonly clock: Pick<Clock, 'now'>;
  /** Resolves to undefined if there is no bellhop.yaml. */
  readonly usualRulebook: () => Promise<Rulebook | undefined>;
}

export interface AuditCommand extends Command {
  /** Whether the command changes anything. */
  readonly changes?: true;
}

/**
 * Something that teams add to the kernel. All of it lies in one folder, and `src/features/index.ts` lists it. Each member
 * is a list that the kernel folds into its own.
 */
export interface Feature {
  readonly section?: Section;
  readonly start?: (host: Host) => Running;
  /** Declares the feature's metrics. `start` does so, too. */
  readonly metrics?: (declare: Declare) => unknown;
  /** Returns the replica's memory of the sealed log, before the store is opened. */
  readonly recall?: (found: {
    readonly file: LastSealedFile;
    readonly keys: LogKeys;
    readonly rulebook: Rulebook;
    readonly log: Log;
  }) => Promise<LastSealedFile>;
  /** Commands of `npm run audit`. */
  readonly auditCommands?: (outside: CommandPorts) => Readonly<Record<string, AuditCommand>>;
  readonly exportFormats?: Readonly<Record<string, ExportFormat>>;
}

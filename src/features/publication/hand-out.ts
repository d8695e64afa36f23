import { hash } from 'node:crypto';

import { z } from 'zod';

import { type DueDraft, dueKind, type DueWork, type Handler } from '../../model/records/due.ts';
import type { Clock, Log } from '../../model/ports.ts';
import type { Rulebook } from '../../model/rulebook/rulebook.ts';
import type { Cosignatures, SealedLog, StoredCheckpoint } from '../../model/records/sealed-log.ts';
import { publicationSection } from './section.ts';
import { ContradictedError, type Witness, putInto, createWitness, isAddress, putTo } from './publish.ts';

export interface HandOutPorts {
  readonly store: Pick<SealedLog, 'newestCheckpoint' | 'readHashes'> & Cosignatures & Pick<DueWork, 'setDue'>;
  readonly postCheckpoint: (channel: string, checkpoint: StoredCheckpoint) => Promise<unknown>;
  readonly rulebook: () => Pick<Rulebook, 'sections'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly onHandedOut: (to: HandOutKind, outcome: HandOutOutcome) => void;
}

export const handOutKinds = ['channel', 'address', 'folder', 'witness'] as const;
export type HandOutKind = (typeof handOutKinds)[number];

/** `contradicted` means that the destination has a checkpoint that this log is not consistent with. */
export const handOutOutcomes = ['taken', 'failed', 'contradicted'] as const;
export type HandOutOutcome = (typeof handOutOutcomes)[number];

interface HandOut {
  readonly handler: Handler;
  /** Every replica calls this once a minute. Writes a new checkpoint to the folders. Makes each other destination due if it is not yet scheduled. */
  readonly round: () => Promise<void>;
}

const minute = 60_000;
const day = 24 * 60 * minute;

const trouble = 'an audit checkpoint was not published';

const checkpointKind = dueKind('checkpoint');

/** A published checkpoint shows if an entry that it covers is removed or changed. Failures are retried a minute later. */
export function createHandOut(ports: HandOutPorts): HandOut {
  const { store, clock } = ports;
  const destinations = createDestinations(ports);
  const folders = createFolders(ports);
  return {
    handler: {
      kind: checkpointKind,
      atOnce: 10,
      trouble,
      async handle({ key, about }) {
        const to = destinations().find((one) => one.key === key);
        if (!to) return { done: true };
        const newest = await store.newestCheckpoint();
        const daily = to.kind === 'channel';
        if (!newest || (!daily && handedOut.parse(about) === newest.number)) return { againIn: minute };
        if (!(await tryOne(ports, to, () => to.hand(newest)))) return { againIn: minute };
        const at = clock.now() + (daily ? day : minute);
        return { done: true, next: [{ kind: checkpointKind, key, at, about: newest.number }] };
      },
    },
    async round() {
      const now = clock.now();
      const due = destinations().map(({ key }): DueDraft => ({
        kind: checkpointKind,
        key,
        at: now,
        keepsTime: true,
      }));
      await Promise.all([store.setDue(due, now), folders()]);
    },
  };
}

/** The number of the last published checkpoint. */
const handedOut = z.number().optional().catch(undefined);

interface Destination {
  readonly key: string;
  readonly kind: HandOutKind;
  readonly to: string;
  readonly hand: (newest: StoredCheckpoint) => Promise<unknown>;
}

function createDestinations({ store, rulebook, clock, postCheckpoint }: HandOutPorts) {
  const witnesses = new Map<string, Witness>();
  const cosign = async (asked: Witness, newest: StoredCheckpoint): Promise<void> => {
    const { line, at = clock.now() } = await asked.cosign(newest);
    await store.keepCosignature({ number: newest.number, witness: asked.name, line, at });
  };
  return (): readonly Destination[] => {
    const { channel, publish, witnesses: asked } = publicationSection.of(rulebook());
    const to = (kind: HandOutKind, address: string, hand: Destination['hand'], named = address) => {
      const key = hash('sha256', `${kind} ${named}`, 'base64url');
      return { key, kind, to: address, hand };
    };
    return [
      ...(channel === undefined ? [] : [to('channel', channel, (newest) => postCheckpoint(channel, newest))]),
      ...publish.filter(isAddress).map((url) => to('address', url, (newest) => putTo(url, newest))),
      ...asked.map(({ url, key }) => {
        const named = `${url} ${key}`;
        const witness = () => witnesses.getOrInsertComputed(named, () => createWitness({ url, key }, store));
        return to('witness', url, (newest) => cosign(witness(), newest), named);
      }),
    ];
  };
}

/** Each replica has its own folders. */
function createFolders(ports: HandOutPorts): () => Promise<void> {
  const handed = new Map<string, number>();
  const folders = new Map<string, ReturnType<typeof putInto>>();
  const publish = async (to: string, newest: StoredCheckpoint): Promise<void> => {
    if (handed.get(to) === newest.number) return;
    const put = folders.getOrInsertComputed(to, () => putInto(to, ports.store));
    if (await tryOne(ports, { kind: 'folder', to }, () => put(newest))) handed.set(to, newest.number);
  };
  return async () => {
    const named = publicationSection.of(ports.rulebook()).publish.filter((to) => !isAddress(to));
    const newest = named.length > 0 && (await ports.store.newestCheckpoint());
    if (newest) await Promise.all(named.map((to) => publish(to, newest)));
  };
}

/** Resolves to whether the destination accepted the checkpoint. Never rejects. */
async function tryOne(
  { log, onHandedOut }: Pick<HandOutPorts, 'log' | 'onHandedOut'>,
  { kind, to }: Pick<Destination, 'kind' | 'to'>,
  work: () => Promise<unknown>,
): Promise<boolean> {
  try {
    await work();
    onHandedOut(kind, 'taken');
    return true;
  } catch (error) {
    const contradicted = error instanceof ContradictedError;
    onHandedOut(kind, contradicted ? 'contradicted' : 'failed');
    if (contradicted) log.error({ err: error, to }, 'the audit log contradicts a published checkpoint');
    else log.warn({ err: error, to }, trouble);
    return false;
  }
}

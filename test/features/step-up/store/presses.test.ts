import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { linkNote, signInGate } from '../../../../src/features/step-up/gate.ts';
import { hashOf } from '../../../../src/features/step-up/links.ts';
import { createPressesHandler } from '../../../../src/features/step-up/presses.ts';
import type { Request } from '../../../../src/model/records/request.ts';
import type { HeldClick } from '../../../../src/model/values/pass.ts';
import type { Message } from '../../../../src/slack/render/blocks.ts';
import type { Store } from '../../../../src/store/store.ts';
import { commonPostgres } from '../../../common-postgres.ts';
import { coreFor } from '../../../core.ts';
import { createDrivenClock, type DrivenClock } from '../../../driven-clock.ts';
import { tellNotices } from '../../../due/notices.ts';
import { carol, peopleDirectory } from '../../../people.ts';
import { inventory, registry } from '../../../run/sample-registry.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';
import { openStore } from '../../../store/open-store.ts';
import { aProposal, aRequest, aStep } from '../../../store/sample-request.ts';
import { workDue } from '../../../due/work-due.ts';

const publicUrl = 'https://bellhop.example.com';
const windowMs = 120_000;

let clock: DrivenClock;
let stores: readonly [Store, Store];
let request: Request;
let posted: { channel: string; message: Message }[];
let edits: { ts: string; message: Message }[];

/** A replica that counts presses and does due work. */
function replica(store: Store) {
  const { context } = coreFor({
    registry,
    directory: peopleDirectory,
    rulebook: { inventory, policy: { roles: {}, rules: [], freeze: [], hash: 'policy' } },
    clock,
    store,
  });
  const ports = { ...context, store, clock, publicUrl, disclaimers: [] };
  const gate = { ...signInGate(ports), notes: [linkNote] };
  const api = {
    postMessage: (channel: string, message: Message) => {
      posted.push({ channel, message });
      return Promise.resolve({ channel: 'D0CAROL', ts: String(posted.length) });
    },
    updateMessage: ({ ts }: { ts: string }, message: Message) => {
      edits.push({ ts, message });
      return Promise.resolve();
    },
  };
  const handler = createPressesHandler({ ...ports, api }, gate);
  return {
    press: (more: Partial<HeldClick> = {}) =>
      gate.link({
        requestId: request.id,
        version: request.version,
        action: 'approve',
        actor: carol,
        place: request.place,
        correlationId: 'c',
        ...more,
      }),
    round: () => workDue(store, clock.now(), handler),
  };
}

const entries = async () =>
  (await stores[0].audit({ requestId: request.id, limit: 20 })).filter(
    ({ event }) => event === 'ignored click',
  );
const warnings = async () =>
  (await tellNotices(stores[0], clock.now())).filter(({ kind: of }) => of === 'pressed');
const tokens = ({ blocks }: Message): readonly string[] =>
  JSON.stringify(blocks).match(/(?<=\/step-up\/)[\w-]{43}/gu) ?? [];
const isOpen = async (message: Message | undefined) =>
  Promise.all(
    tokens(message ?? { text: '', blocks: [] }).map(
      async (token) => (await stores[1].findSignIn({ token: hashOf(token) }, clock.now()))?.isOpen,
    ),
  );

const kinds = ['PostgreSQL', 'SQLite'] as const;

describe.each(kinds)('presses of one button on two replicas, on %s', (kind) => {
  let one: ReturnType<typeof replica>;
  let other: ReturnType<typeof replica>;
  let beside: Client | undefined;
  beforeEach(async () => {
    [clock, posted, edits] = [createDrivenClock(), [], []];
    const databaseUrl = kind === 'PostgreSQL' ? await commonPostgres.createDatabase() : undefined;
    const open = () =>
      databaseUrl === undefined ? openStore({ dataDir: temporaryFolder() }) : openStore({ databaseUrl });
    const first = await open();
    // The embedded store has one process.
    stores = [first, databaseUrl === undefined ? first : await open()];
    beside = databaseUrl === undefined ? undefined : new Client({ connectionString: databaseUrl });
    await beside?.connect();
    [one, other] = [replica(stores[0]), replica(stores[1])];
    request = aRequest({ state: 'awaiting approval', expiresAt: clock.now() + 3_600_000 });
    await first.propose(aProposal(request));
  });
  afterEach(async () => {
    await beside?.end();
    await Promise.all([...new Set(stores)].map((store) => store.close()));
  });

  const pass = async (ms: number): Promise<void> => {
    await clock.advance(ms);
    await beside?.query(`update due set at = at - ${ms}, since = since - ${ms}, set_at = set_at - ${ms}`);
  };
  /** Both replicas do due work until none is left. */
  const settle = async (): Promise<void> => {
    for (let rounds = 0; rounds < 50; rounds += 1) {
      const handled = await Promise.all([one.round(), other.round()]);
      if (handled.every((count) => count === 0)) return;
    }
    throw new Error('the presses are due again and again');
  };
  it('fifty at once get one private link, one direct message, one warning and one entry', async () => {
    const links = await Promise.all(Array.from({ length: 50 }, (_, at) => (at % 2 ? one : other).press()));
    expect(links.filter((link) => link !== undefined)).toHaveLength(1);
    await settle();
    expect(posted).toMatchObject([{ channel: 'U0CAROL' }]);
    const text = edits.at(-1)?.message.text ?? posted[0]?.message.text;
    expect(text).toMatch(
      /^⚠️ \*Approve was pressed 50 times in your name\.\* Wasn't you\? \*Don't sign in\*, and call your security team\. Was it you\? Sign in below\. Sign in to approve: \*.* web-\d+\*/u,
    );
    expect(await warnings()).toMatchObject([
      { requestId: request.id, by: carol, why: 'Approve was pressed 50 times.' },
    ]);
    expect(await entries()).toEqual([]);
    await pass(windowMs);
    await settle();
    expect(await entries()).toMatchObject([
      { actor: carol, count: 50, note: 'approve: The person has to sign in first.' },
    ]);
    await pass(windowMs);
    await settle();
    expect(await entries()).toHaveLength(1);
    expect(await one.press()).toMatch(/^https:/u);
  });

  it('warn no one once the request is closed', async () => {
    for (let at = 0; at < 5; at += 1) await one.press();
    await stores[0].advance(aStep(request, 'cancelled'));
    await settle();
    expect(await warnings()).toEqual([]);
  });

  it('a double click alarms no one, and its message holds a link', async () => {
    await one.press();
    expect(await other.press()).toBeUndefined();
    await settle();
    expect(posted).toHaveLength(1);
    expect(await isOpen(posted[0]?.message)).toEqual([true]);
    expect(await warnings()).toEqual([]);
  });

  it('one alone causes no message, and one entry', async () => {
    await one.press();
    await pass(windowMs);
    await settle();
    expect([posted, edits]).toEqual([[], []]);
    const [entry, ...more] = await entries();
    expect(more).toEqual([]);
    expect(entry).not.toHaveProperty('count');
    expect(await one.press()).toMatch(/^https:/u);
  });

  it('the same message is edited to each number, and holds another link once its link was followed', async () => {
    for (let press = 0; press < 2; press += 1) await one.press();
    await one.round();
    const [token = ''] = tokens(posted[0]?.message ?? { text: '', blocks: [] });
    for (const followed of [false, true]) {
      if (followed)
        await stores[0].moveSignIn(
          { to: 'followed', token: hashOf(token), browser: 'b', goodMs: 60_000 },
          clock.now(),
        );
      await one.press();
      await pass(10_000);
      await one.round();
      const { ts, message } = edits.at(-1) ?? {};
      expect(ts).toBe('1');
      expect(message?.text).toContain(`You pressed ${followed ? 4 : 3} times`);
      expect(tokens(message ?? { text: '', blocks: [] })[0] === token).toBe(!followed);
      expect(await isOpen(message)).toEqual([true]);
    }
    expect(posted).toHaveLength(1);
  });

  it('the link works however long the presses go on, in one message and with one warning', async () => {
    const open: unknown[] = [];
    for (let press = 0; press < 80; press += 1) {
      await (press % 2 ? one : other).press();
      await pass(5_000);
      await settle();
      open.push(...(await isOpen(edits.at(-1)?.message ?? posted[0]?.message)));
    }
    expect(open).toEqual(Array.from({ length: 79 }, () => true));
    expect(posted).toHaveLength(1);
    expect(await warnings()).toHaveLength(1);
    await pass(windowMs);
    await settle();
    const counts = (await entries()).map(({ count = 1 }) => count);
    expect(counts.reduce((sum, count) => sum + count)).toBe(80);
    expect(counts.length).toBeLessThan(6);
  });

  it('the message counts after a restart of both replicas', async () => {
    for (let press = 0; press < 3; press += 1) await one.press();
    await settle();
    [one, other] = [replica(stores[0]), replica(stores[1])];
    await one.press();
    await pass(10_000);
    await settle();
    expect(posted).toHaveLength(1);
    expect(edits.at(-1)).toMatchObject({
      ts: '1',
      message: { text: expect.stringContaining('You pressed 4 times') as string },
    });
    expect(await isOpen(edits.at(-1)?.message)).toEqual([true]);
  });

  it('no link is sent for a request that ended, and the presses are in the log', async () => {
    await one.press();
    await stores[0].advance(aStep(request, 'cancelled', { at: clock.now() }));
    await one.press();
    await pass(windowMs);
    await settle();
    expect(posted).toEqual([]);
    expect(await entries()).toMatchObject([{ count: 2, outcome: 'cancelled' }]);
  });
});

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { events } from '../../../src/features/index.ts';
import type { AuditDraft } from '../../../src/model/records/audit.ts';
import { markdown, timeline, timelineText } from '../../../src/operations/self/timeline.ts';
import type { Introspection } from '../../../src/model/introspection.ts';
import type { RunContext } from '../../../src/model/operation.ts';
import { introspect } from '../../../src/run/introspect.ts';
import type { BellhopTarget } from '../../../src/bellhop/bellhop.ts';
import { openBoxes, type BoxStage } from '../../run/sample-boxes.ts';
import { callerOf } from '../../core.ts';
import { people } from '../../people.ts';

let stage: BoxStage;
beforeEach(async () => {
  stage = await openBoxes();
});
afterEach(() => stage.close());

const minute = 60_000;

async function written(
  last = 4 * 60 * minute,
  zone = 'Europe/Luxembourg',
  reads = false,
  bellhop: Partial<Introspection> = {},
) {
  const { context: core, clock } = stage;
  const { actor, place, correlationId } = callerOf(reads ? people.alice : people.carol);
  const context = {
    now: clock.now(),
    actor,
    place,
    correlationId,
    inventory: core.rulebook().inventory,
    person: { ...actor, fullMember: true, guest: false, active: true, timeZone: zone },
    bellhop: { ...introspect(core), ...bellhop },
  } as unknown as RunContext<BellhopTarget>;
  const output = await timeline.run({ last, reads }, context);
  return timeline.report(output, {
    target: { kind: 'bellhop', name: 'Bellhop', labels: {} },
    input: { last, reads },
  });
}

const text = async (...options: Parameters<typeof written>) =>
  (await written(...options)).document?.text ?? '';

/** Something that happened then. */
const entry = (seq: number, at: string) => ({
  seq,
  hash: '',
  previousHash: '',
  policyHash: '',
  event: 'read' as const,
  at: Date.parse(at),
});

describe('a timeline', () => {
  it("tells what was done in the channel as sentences, in the reader's zone, with links to the messages", async () => {
    const request = await stage.propose('alice', '/box kick web-1 --reason "it | hangs <here>"');
    await stage.clock.advance(minute);
    await stage.click('alice', request, 'confirm');
    await stage.becomes(request, 'succeeded');
    await stage.propose('bob', '/box kick web-1').catch(() => undefined);
    const { headline, document } = await written();
    expect(headline).toBe('4 entries in this channel.');
    expect(document?.fileName).toBe('timeline.md');
    expect(document?.text.replaceAll(request.id, 'r-1')).toMatchInlineSnapshot(`
      "# Timeline, 2026-11-21 00:01 to 2026-11-21 04:01 (Europe/Luxembourg)

      ## 2026-11-21

      - 04:00 Alice \\*Liddell\\* requested /box kick web-1: “it \\| hangs \\<here\\>” [r-1]
        - 04:01 Alice \\*Liddell\\* confirmed it
        - 04:01 It succeeded
      - 04:01 @U0BOB was denied /box kick web-1 (no rule)

      [r-1]: https://chat.example/r-1
      "
    `);
  });

  it('asks for all links together, because a view to copy from opens only within three seconds', async () => {
    await stage.propose('alice', '/box kick web-1');
    await stage.propose('alice', '/box kick db-1');
    const asked: string[] = [];
    const all = Promise.withResolvers<undefined>();
    const linkTo = (id: string): Promise<undefined> => {
      if (asked.push(id) === 2) all.resolve(undefined);
      return all.promise;
    };
    const { notes } = await written(undefined, undefined, false, { linkTo });
    expect(notes).toContain('2 requests have no link to a message.');
  });

  it('is plain text to copy, with the same times and no marks of Markdown', async () => {
    const request = await stage.propose('alice', '/box kick web-1 --reason "it | hangs <here>"');
    const { document } = await written();
    expect(document?.plain?.replaceAll(request.id, 'r-1')).toMatchInlineSnapshot(`
      "Timeline, 2026-11-21 00:00 to 2026-11-21 04:00 (Europe/Luxembourg)

      2026-11-21
      04:00 Alice *Liddell* requested /box kick web-1: “it | hangs <here>” (r-1)

      r-1: https://chat.example/r-1
      "
    `);
    const [first = '', second = ''] =
      (await written(minute, 'America/New_York')).document?.plain?.split('\n') ?? [];
    expect([first, second]).toEqual([expect.stringMatching(/ \(America\/New_York\)$/u), '']);
  });

  it("names the people and has the reader's time in what others wrote as plain text", async () => {
    const at = stage.clock.now();
    const note = 'web-1 is held by U0ALICE until 2026-11-21 04:00:00 UTC: UPGRADE of W0RACK7';
    const place = { team: 'T0LOCAL', channel: 'C0OPS' };
    await stage.store.record([{ at, event: 'refused', note, place, policyHash: 'policy' }]);
    expect(await text()).toContain(
      'is held by Alice \\*Liddell\\* until 2026-11-21 05:00: UPGRADE of W0RACK7',
    );
  });

  it('keeps what only looks like a time or a person, and still names the people who acted', async () => {
    await stage.propose('alice', '/box kick web-1 --reason "since 2026-99-99 99:99:99 UTC"');
    const ids = Array.from({ length: 60 }, (_, index) => `U0FAKE${index}`).join(' ');
    const at = stage.clock.now() - minute;
    const place = { team: 'T0LOCAL', channel: 'C0OPS' };
    await stage.store.record([{ at, event: 'refused', note: ids, place, policyHash: 'policy' }]);
    const told = await text();
    expect(told).toContain('Alice \\*Liddell\\* requested /box kick web-1: “since 2026-99-99 99:99:99 UTC”');
    expect(told).toContain('U0FAKE59');
  });

  it('says of a denial why it was denied, once', async () => {
    const waiting = await stage.propose('alice', '/box kick db-1 --reason "it hangs"');
    await stage.click('carol', waiting, 'deny', { passes: { denial: { text: 'wait for the backup' } } });
    expect((await text()).match(/^ {2}- .*/gmu)).toEqual([
      expect.stringMatching(/ denied it: “wait for the backup”$/u),
    ]);
  });

  it('shows reads only on demand', async () => {
    const { actor } = callerOf(people.alice);
    const at = stage.clock.now();
    const read = { at, event: 'read', actor, operation: 'box.look', policyHash: 'policy' } as const;
    await stage.store.record([
      { ...read, place: { team: 'T0LOCAL', channel: 'C0OPS' }, outcome: 'answered' },
    ]);
    expect(await text()).toContain('Nothing happened here.');
    expect((await written(minute, 'UTC', true)).document?.text).toContain(
      'Alice \\*Liddell\\* ran /box look',
    );
  });

  it('has only this channel and the requested time', async () => {
    const { actor, correlationId } = callerOf(people.alice);
    const draft = (channel: string, at: number): AuditDraft => ({
      at,
      event: 'denied',
      actor,
      correlationId,
      operation: `box.${channel}.${at - stage.clock.now()}`,
      place: { team: 'T0LOCAL', channel },
      policyHash: 'policy',
    });
    const now = stage.clock.now();
    await stage.store.record([
      draft('C0OPS', now - 61 * minute),
      draft('C0OPS', now - 60 * minute),
      draft('C0GENERAL', now - 1),
      { ...draft('C0OPS', now), place: { team: 'T0OTHER', channel: 'C0OPS' } },
    ]);
    const told = await text(60 * minute);
    expect(told.match(/\/box [^,\n]+/gu)).toEqual([`/box C0OPS.${-60 * minute}`]);
  });

  it('says so if nothing was done, and keeps to UTC if the zone is unknown', async () => {
    const told = await text(minute, 'Mars/Olympus');
    expect(told).toContain('Nothing happened here.');
    expect(told).toContain('(UTC)');
  });

  it('reads on through many entries of other channels, and says where it leaves some out', async () => {
    const { actor } = callerOf(people.alice);
    const at = stage.clock.now();
    const draft = (channel: string): AuditDraft => ({
      at,
      event: 'denied',
      actor,
      operation: 'box.look',
      place: { team: 'T0LOCAL', channel },
      policyHash: 'policy',
    });
    await stage.store.record([draft('C0OPS'), ...Array.from({ length: 1200 }, () => draft('C0ELSE'))]);
    expect((await written()).headline).toBe('1 entry in this channel.');
    await stage.store.record(Array.from({ length: 700 }, () => draft('C0OPS')));
    const { headline, notes } = await written();
    expect(headline).toBe('500 entries in this channel.');
    expect(notes?.[0]).toContain('these are the newest');
  });

  it('goes over a change of the clocks', () => {
    const told = timelineText(
      {
        entries: [entry(1, '2026-10-25T00:30:00Z'), entry(2, '2026-10-25T01:30:00Z')],
        events,
        links: new Map(),
        since: 0,
        until: 1,
        zone: 'Europe/Luxembourg',
        names: new Map(),
        inventory: { regions: {}, instances: {}, containers: {}, targets: {} },
      },
      markdown,
    );
    expect(told.match(/^- 02:30 /gmu)).toHaveLength(2);
  });
});

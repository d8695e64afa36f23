import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { z } from 'zod';

import { callProgram } from '../../call-program.ts';
import { exampleRulebook } from '../rulebook-text.ts';
import { until } from '../../until.ts';
import { buttonsOf, setStage, type Message, type Stage } from '../stage.ts';
import { gesture } from '../workspace-page.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await setStage({ rulebook: exampleRulebook({}) });
});
afterAll(() => stage.close());

const didNothing = ({ ephemeral, text }: Message) => ephemeral && text.includes('This click did nothing');
const opened = ({ text }: Message): boolean => text.includes('Break-glass: review open');
const list = async (as: string): Promise<Message> => {
  await stage.say(as, '/bellhop requests');
  return stage.seen(as, ({ ephemeral, text }) => ephemeral && text.includes('Open requests'));
};

const viewBlocks = z.looseObject({
  id: z.string(),
  blocks: z.array(
    z.looseObject({
      block_id: z.string(),
      elements: z.array(z.looseObject({ action_id: z.string().optional(), text: z.unknown() })).default([]),
    }),
  ),
});

/** Presses the button with this text in the top view. */
async function pressInView(as: string, text: string): Promise<void> {
  const { id, blocks } = viewBlocks.parse(await until(async () => (await stage.modals(as)).at(-1)));
  const [found] = blocks.flatMap(({ block_id, elements }) =>
    elements
      .filter((element) => JSON.stringify(element.text).includes(text))
      .map(({ action_id }) => ({ block_id, action_id })),
  );
  const value = { type: 'button' };
  const container = { type: 'view', view_id: id };
  expect(await gesture(stage.workspace, 'action', { as, container, ...found, value })).toEqual({ ok: true });
}

async function closeViews(as: string): Promise<void> {
  for (const { id } of await stage.modals(as))
    await gesture(stage.workspace, 'close', { as, view_id: id, all: false });
}

describe('broken glass', () => {
  it('runs without an approval, is announced, and stays listed until another person closes it', async () => {
    await stage.say('U0ALICE', '/cloud reboot db-1 --break-glass "the disk is on fire"');
    const card = await stage.seen('U0ALICE', ({ text }) =>
      text.includes('db-1 without approval by leads: proposed'),
    );
    expect(JSON.stringify(card.blocks)).toContain('the disk is on fire');
    expect((await stage.messages('U0ALICE')).filter(opened)).toEqual([]);
    await stage.press('U0ALICE', card, 'Reboot db-1 without approval by leads');
    await stage.seen('U0ALICE', ({ ts, text }) => ts === card.ts && text.includes('succeeded'));
    const announced = await stage.seen('U0BOB', opened);
    expect(buttonsOf(announced)).toEqual(['Close the review']);

    await stage.press('U0ALICE', announced, 'Close the review');
    await stage.seen('U0ALICE', ({ ephemeral, text }) => ephemeral && /someone else has to/u.test(text));

    const listed = await list('U0BOB');
    expect(buttonsOf(listed)).toContain('Close the review');
    await stage.press('U0BOB', listed, 'Close the review');
    const view = await until(async () => (await stage.modals('U0BOB'))[0]);
    await gesture(stage.workspace, 'submit', {
      as: 'U0BOB',
      view_id: view.id,
      values: { word: { value: { type: 'plain_text_input', value: 'right so' } } },
    });
    const closed = await stage.seen('U0BOB', ({ ts, text }) => ts === announced.ts && !text.includes('open'));
    expect(JSON.stringify(closed.blocks)).toContain('right so');
    expect(buttonsOf(closed)).toEqual([]);
  });
});

describe('a waiting request', () => {
  it('can be confirmed from the list once all of it was shown, and the list then shows its state', async () => {
    const before = await stage.calls('rebootInstance');
    await stage.say('U0ALICE', '/cloud reboot web-1');
    await stage.seen('U0ALICE', ({ text }) => text.includes('web-1: proposed'));
    const listed = await list('U0ALICE');
    expect(buttonsOf(listed)).toEqual(['Review…', 'Refresh']);
    expect(JSON.stringify(listed.blocks)).toContain('|Open the card>');
    await stage.press('U0ALICE', listed, 'Review…');
    await pressInView('U0ALICE', 'Reboot web-1');
    await stage.seen('U0ALICE', ({ text }) => text.includes('web-1: succeeded'));
    expect(await stage.calls('rebootInstance')).toBe(before + 1);
    const after = await stage.seen(
      'U0ALICE',
      ({ ts, blocks }) => ts === listed.ts && !JSON.stringify(blocks).includes('proposed'),
    );
    expect(after.text).toContain('Open requests');
    await closeViews('U0ALICE');
  });

  it('shows an approver all that is sent before Approve, and a denial asks why on top of it', async () => {
    await stage.say('U0ALICE', '/cdn purge 1001 --all --reason "bad deploy"');
    await stage.seen('U0ALICE', ({ text }) => text.includes('1001: awaiting approval'));
    const listed = await list('U0CAROL');
    await stage.press('U0CAROL', listed, 'Review…');
    const view = await until(async () => (await stage.modals('U0CAROL'))[0]);
    for (const said of ['bad deploy', 'Approvers: ', 'everything', 'Approve', 'Deny'])
      expect(JSON.stringify(view)).toContain(said);
    await pressInView('U0CAROL', 'Deny');
    const [, denial] = await until(async () => {
      const views = await stage.modals('U0CAROL');
      return views.length === 2 && views;
    });
    await gesture(stage.workspace, 'submit', {
      as: 'U0CAROL',
      view_id: denial?.id,
      values: { reason: { value: { type: 'plain_text_input', value: 'one file is enough' } } },
    });
    await stage.seen('U0ALICE', ({ text }) => text.includes('1001: refused'));
    expect(await stage.modals('U0CAROL')).toEqual([]);
  });

  it('is linked if it blocks another one', async () => {
    await stage.advance(60_000);
    await stage.say('U0ALICE', '/cloud reboot db-1');
    const card = await stage.seen('U0ALICE', ({ text }) => text.includes('db-1: awaiting approval'));
    await stage.say('U0CAROL', '/cloud reboot db-1');
    const refused = await stage.seen(
      'U0CAROL',
      ({ ephemeral, text }) => ephemeral && /already has/u.test(text),
    );
    expect(JSON.stringify(refused.blocks)).toMatch(/<http[^|]+\|Open that request>/u);
    expect(JSON.stringify(refused.blocks)).toContain(card.ts.replace('.', ''));
    await stage.press('U0ALICE', card, 'Cancel');
  });

  it('has the buttons of a rollout for its requester', async () => {
    const before = await stage.calls('rebootInstance');
    await stage.say('U0ALICE', '/cloud reboot --each tier=web --pause 1h');
    const card = await stage.seen('U0ALICE', ({ text }) => text.includes('3 × tier=web: proposed'));
    await stage.press('U0ALICE', card, 'Reboot 3 × tier=web');
    await stage.seen('U0ALICE', ({ ts, text }) => ts === card.ts && text.includes('running'));
    await stage.say('U0ALICE', '/bellhop requests');
    const listed = await stage.seen(
      'U0ALICE',
      ({ ephemeral, blocks }) => ephemeral && JSON.stringify(blocks).includes('3 × tier=web'),
    );
    await stage.press('U0ALICE', listed, 'Review…');
    await pressInView('U0ALICE', 'Stop after web-1');
    await stage.seen('U0ALICE', ({ ts, text }) => ts === card.ts && text.includes('stopped'));
    expect(await stage.calls('rebootInstance')).toBe(before + 1);
    await closeViews('U0ALICE');
  });
});

describe('the record', () => {
  it('is shown as a timeline with links', async () => {
    await stage.say('U0CAROL', '/bellhop timeline --last 1h');
    const told = await stage.seen(
      'U0CAROL',
      ({ ephemeral, text }) => ephemeral && text.startsWith('Timeline'),
    );
    const text = JSON.stringify(told.blocks);
    expect(text).toMatch(
      /Alice requested \/cloud reboot db-1.* \((r-\w+)\).*Alice used break-glass for it: “the disk is on fire”.*\1: http/u,
    );
    expect(buttonsOf(told)).toEqual(expect.arrayContaining(['Send as a file', 'Copy for the post-mortem']));
  });

  it('has its newest checkpoint in the log at the stop, for verify --checkpoint', async () => {
    await stage.bot.end('SIGTERM');
    const logged = stage.bot
      .output()
      .split('\n')
      .filter((line) => line.includes('"audit checkpoint"'));
    const { note } = z.object({ note: z.string() }).parse(JSON.parse(logged.at(-1) ?? '{}'));
    const dataDir = stage.env['DATA_DIR'] ?? '';
    const file = join(dataDir, 'logged-checkpoint');
    writeFileSync(file, note);
    const { out } = await callProgram(
      'audit',
      ['verify', '--checkpoint', file],
      { DATA_DIR: dataDir },
      dataDir,
    );
    expect(out).toMatch(/^The audit log is intact: \d+ entries/u);
    await stage.restart();
  });
});

describe('a bellhop.yaml that breaks', () => {
  it('changes nothing, and leads get a private message with the line', async () => {
    appendFileSync(stage.env['BELLHOP_CONFIG'] ?? '', '\nfreez: []\n');
    const told = await stage.seen(
      'U0CAROL',
      ({ text }) => text.includes('bellhop.yaml is invalid'),
      'D0CAROL',
    );
    expect(JSON.stringify(told.blocks)).toMatch(
      /bellhop\.yaml:\d+:1: freez: is not a valid key here\. Did you mean “freeze”\?/u,
    );
    await stage.say('U0ALICE', '/cloud reboot web-1');
    const card = await stage.seen('U0ALICE', ({ text }) => text.includes('web-1: proposed'));
    await stage.press('U0ALICE', card, 'Cancel');
  });
});

describe('a guard', () => {
  it('reads who else runs, and has the last one approved', async () => {
    const guard = 'guard: [{ labels: { tier: web }, approvers: [leads] }]';
    const guarded = await setStage({ rulebook: `${exampleRulebook({})}\n${guard}\n` });
    try {
      const seen = (text: string) => guarded.seen('U0ALICE', (message) => message.text.includes(text));
      for (const name of ['web-1', 'web-2']) {
        await guarded.say('U0ALICE', `/cloud stop ${name}`);
        await guarded.press('U0ALICE', await seen(`${name}: proposed`), `Stop ${name}`);
        await seen(`${name}: succeeded`);
      }
      await guarded.say('U0ALICE', '/cloud stop web-3');
      const waiting = await seen('web-3: awaiting approval');
      expect(JSON.stringify(waiting.blocks)).toContain(
        'is the last tier=web instance known to be running, and 1 must stay up.',
      );
      await guarded.press('U0CAROL', waiting, 'Approve');
      await seen('web-3: succeeded');
    } finally {
      await guarded.close();
    }
  });
});

describe('a click that does nothing', () => {
  it('is not shown after a double click, but after a late click', async () => {
    const pressAtOnce = async (name: string, buttons: readonly string[]) => {
      await stage.say('U0ALICE', `/cloud reboot ${name}`);
      const card = await stage.seen('U0ALICE', ({ text }) => text.includes(`${name}: proposed`));
      await Promise.all(buttons.map((button) => stage.press('U0ALICE', card, button)));
      await stage.seen('U0ALICE', ({ text }) =>
        new RegExp(`${name}: (?:succeeded|cancelled)`, 'u').test(text),
      );
    };
    await pressAtOnce('web-2', ['Reboot web-2', 'Reboot web-2']);
    await pressAtOnce('web-3', ['Reboot web-3', 'Cancel']);
    await stage.seen('U0ALICE', didNothing);
    const [late, ...others] = (await stage.messages('U0ALICE')).filter(didNothing);
    expect(late?.text).toContain('web-3');
    expect(others).toEqual([]);
  });
});

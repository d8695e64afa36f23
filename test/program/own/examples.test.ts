import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { standIns } from '../../examples/endings.ts';
import { until } from '../../until.ts';
import { buttonsOf, setStage } from '../stage.ts';

const folders = new Map(standIns.toReversed().map((one) => [one.folder, one]));

// One change of each example, by the bot as a process.
describe.each([...folders.values()])('$name', ({ open, marked }) => {
  const after = marked ? 'succeeded' : 'unknown';

  it(`is made once and is ${after} after a kill -9 of the bot`, async () => {
    const { service, options, line, effects } = await open();
    const folder = join(import.meta.dirname, '../../../examples', options.folder);
    const files = readdirSync(join(folder, 'operations')).map((file) => `operations/${file}`);
    const stage = await setStage({
      rulebook: options.addressed(readFileSync(join(folder, 'bellhop.yaml'), 'utf8')),
      files: Object.fromEntries(files.map((file) => [file, readFileSync(join(folder, file), 'utf8')])),
      env: { LOG_LEVEL: 'warn', ...options.secrets },
    });
    onTestFinished(() => stage.close());
    service.fault = { effect: true, end: 'hangs' };
    await stage.say('U0ALICE', line);
    const card = await stage.seen('U0CAROL', ({ text }) => /proposed|awaiting approval/u.test(text));
    const who = card.text.includes('awaiting') ? 'U0CAROL' : 'U0ALICE';
    await stage.recorded(card);
    await stage.press(who, card, buttonsOf(card)[0] ?? '');
    await until(() => service.hangs);
    await stage.bot.end('SIGKILL');
    await stage.restart();
    const ended = await stage.seen('U0ALICE', ({ ts, text }) => ts === card.ts && text.includes(after));
    expect(buttonsOf(ended).includes('Check now')).toBe(!marked);
    expect([await effects(), service.changes.length]).toEqual([1, 1]);
  });
});

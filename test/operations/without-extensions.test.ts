import { expect, test } from 'vitest';

import { offered } from '../../src/policy/authorize.ts';
import { completionsFor } from '../../src/run/completions.ts';
import { operations } from '../../src/operations/index.ts';
import { reportText } from './report-text.ts';
import { openStage } from './stage.ts';
import { alice } from '../people.ts';

/** `/cloud start`, and the options of other commands, that come with an extension. */
const commands = operations.flatMap(({ name, extension }) =>
  extension === undefined ? [] : [`/${name.replace('.', ' ')}`],
);
const options = ['/cloud reboot web-1 --hard', '/cloud ips --all'];
const caller = { actor: alice, place: { team: 'T0LOCAL', channel: 'C0OPS' }, correlationId: 'c' };

test('without an extension none of their commands and options is offered', async () => {
  const stage = await openStage({ extensions: [] });
  expect(commands).toHaveLength(10);
  const entries = await offered(stage.context, caller.actor, caller.place);
  const commandsHere = entries.map(({ area, verb }) => `/${area} ${verb}`);
  expect(commands.filter((command) => commandsHere.includes(command))).toEqual([]);
  expect(commandsHere).toContain('/cloud reboot');
  const fields = entries.flatMap((entry) => entry.fields);
  expect(fields.filter(({ extension }) => extension !== undefined)).toEqual([]);
  const help = reportText(await stage.report('/bellhop help'));
  expect(help).toContain('/cloud reboot');
  expect(commands.filter((command) => new RegExp(`${command}(?![\\w-])`, 'u').test(help))).toEqual([]);
  expect(help).not.toMatch(/--hard|--all\b/u);
});

test.each([...commands, ...options])('%s is refused, and sends nothing', async (line) => {
  const stage = await openStage({ extensions: [] });
  expect(await stage.refusal(line)).toMatch(/is disabled|--hard|--all/u);
  expect(await stage.sent()).toBe(0);
});

test('forms complete names of the inventory alone, and a refusal asks the service for none', async () => {
  const stage = await openStage({ extensions: [] });
  const suggested = await completionsFor(stage.context, caller, stage.entry('cloud.reboot'), 'instance', '');
  expect(suggested.map(({ name }) => name).toSorted()).toEqual(
    Object.keys(stage.rulebook.inventory.instances).toSorted(),
  );
  expect(await stage.refusal('/cloud reboot wbe-1')).toContain('Did you mean “web-1”?');
  expect(await stage.sent()).toBe(0);
});

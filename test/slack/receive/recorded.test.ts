import { expect, onTestFinished, test } from 'vitest';

import * as samples from './payload-samples.ts';
import { receivingApp } from './receiving-app.ts';

test('a payload is recorded before it is acknowledged, and its work is begun once', async () => {
  const seen: string[] = [];
  const keys = new Set<string>();
  const recorded = Promise.withResolvers<void>();
  const bot = await receivingApp({
    inbox: {
      accept: async ({ key, kind }) => {
        await recorded.promise;
        const first = !keys.has(key);
        keys.add(key);
        seen.push(`${kind} recorded`);
        return { first, done: () => void seen.push('done') };
      },
    },
  });
  onTestFinished(() => bot.receiver.close());
  bot.app.command(/^\//u, () => Promise.resolve(void seen.push('worked on')));
  const posted = bot.post(samples.commandBody()).then(({ status }) => void seen.push(`answered ${status}`));
  expect(seen).toEqual([]);
  recorded.resolve();
  await posted;
  await bot.drained();
  expect(seen[0]).toBe('command recorded');
  expect(seen.toSorted()).toEqual(['answered 200', 'command recorded', 'done', 'worked on']);
  expect((await bot.post(samples.commandBody())).status).toBe(200);
  await bot.drained();
  expect(seen.slice(4)).toEqual(['command recorded']);
});

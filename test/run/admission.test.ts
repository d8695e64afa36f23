import { describe, expect, it } from 'vitest';

import { createCommandsInProgress } from '../../src/run/admission.ts';

const person = (user: string, team = 'T0LOCAL') => ({ team, user });

describe('commands in progress', () => {
  it('is at most twenty of one person, of whom nothing more is begun', async () => {
    const inProgress = createCommandsInProgress();
    const ended = Promise.withResolvers<void>();
    let begun = 0;
    const work = () => {
      begun += 1;
      return ended.promise;
    };
    const under = Array.from({ length: 20 }, () => inProgress.run(person('U1'), work));
    await expect(inProgress.run(person('U1'), work)).rejects.toThrow(
      'You already have 20 commands in progress. Try again in a moment. Nothing was done.',
    );
    const others = [inProgress.run(person('U2'), work), inProgress.run(person('U1', 'T0OTHER'), work)];
    expect(begun).toBe(22);
    ended.resolve();
    await Promise.all([...under, ...others]);
  });

  it('is at most two hundred of all', async () => {
    const inProgress = createCommandsInProgress();
    const ended = Promise.withResolvers<void>();
    const under = Array.from({ length: 200 }, (_, index) =>
      inProgress.run(person(`U${index % 10}`), () => ended.promise),
    );
    await expect(inProgress.run(person('U10'), () => ended.promise)).rejects.toThrow(
      'Bellhop is overloaded. Try again in a moment. Nothing was done.',
    );
    ended.resolve();
    await Promise.all(under);
  });

  it('makes room again, also where work fails', async () => {
    const inProgress = createCommandsInProgress();
    for (let turn = 0; turn < 60; turn += 1) {
      const failing = inProgress.run(person('U1'), () => Promise.reject(new Error('odd')));
      await expect(failing).rejects.toThrow('odd');
    }
    expect(await inProgress.run(person('U1'), () => Promise.resolve('done'))).toBe('done');
  });
});

import { describe, expect, it } from 'vitest';

import { didYouMean, nearest } from '../../src/text/nearest.ts';

describe('the nearest known word', () => {
  it.each<[typed: string, known: readonly string[], guess: string | undefined]>([
    ['rebot', ['reboot', 'stop'], 'reboot'],
    ['REBOOT', ['reboot', 'stop'], 'reboot'],
    ['wbe-1', ['db-1', 'web-2', 'web-1'], 'web-1'],
    ['isp', ['ips', 'stop'], 'ips'],
    ['stp', ['reboot', 'stop'], 'stop'],
    ['restart', ['reboot', 'stop'], undefined],
    ['', ['ab', 'reboot'], undefined],
    ['x', ['y', 'yz'], undefined],
    ['reboot'.repeat(1000), ['reboot'], undefined],
    ['reboot', [], undefined],
  ])('to “%s” among %j is %s', (typed, known, guess) => {
    expect(nearest(typed, known)).toBe(guess);
  });

  it('is offered as a question, with all that are equally near', () => {
    expect(didYouMean('web-3', ['web-1', 'db-1', 'web-2'])).toBe(' Did you mean “web-1” or “web-2”?');
    expect(didYouMean('web', ['web-1', 'web-2', 'web-3', 'web-4'])).toBe(
      ' Did you mean “web-1”, “web-2” or “web-3”?',
    );
    expect(didYouMean('database', ['web-1'])).toBe('');
  });
});

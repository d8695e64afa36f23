import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { checkBlocks } from '../../playground/workspace/blocks/check-blocks.ts';
import { renderCard } from '../../src/slack/cards/render-card.ts';
import { renderReport } from '../../src/slack/render/report.ts';
import { runs } from './limits-hold.ts';
import { hostileText, hostileReport, hostileRequest } from './hostile.ts';

/** The errors that the simulated Slack, with its own rules, finds in the blocks of a message. */
function findings(blocks: readonly object[]): unknown {
  let ids = 0;
  const checked = checkBlocks(structuredClone(blocks), {
    surface: 'message',
    at: '/blocks',
    newBlockId: () => `b${(ids += 1)}`,
    hasFile: () => false,
  });
  return checked.ok ? [] : [checked.error, ...checked.messages.slice(0, 3)];
}

describe('the local workspace takes', () => {
  test('any answer, on any page, with and without the newer blocks', () => {
    fc.assert(
      fc.property(hostileReport, hostileText, fc.boolean(), fc.nat(5), (report, words, modern, page) => {
        const options = { words, modern, page, shareable: true, now: 0, disclaimers: [words] };
        expect(findings(renderReport(report, options).blocks)).toEqual([]);
      }),
      runs(200),
    );
  });

  test('any card', () => {
    fc.assert(
      fc.property(hostileRequest, hostileText, (request, text) => {
        const operation = { name: 'cloud.reboot', summary: text, risk: 'destructive' as const };
        expect(
          findings(renderCard(request, { operation, verb: text, done: text, disclaimers: [text] }).blocks),
        ).toEqual([]);
      }),
      runs(200),
    );
  });
});

import { findingLines } from '../../../src/config/yaml/findings.ts';
import { readSampleRulebook } from '../../../src/config/rulebook/read-rulebook.ts';
import { operations } from '../../../src/operations/index.ts';
import type { Role } from '../../../src/model/rulebook/rulebook.ts';
import type { Request } from '../../../src/model/records/request.ts';
import type { CardOptions } from '../../../src/slack/cards/card-lead.ts';
import { renderCard } from '../../../src/slack/cards/render-card.ts';
import { outlineMessage } from '../outline.ts';
import { carol } from '../../people.ts';

export const options: CardOptions = {
  operation: { name: 'cloud.reboot', summary: 'Reboot an instance.', risk: 'destructive' },
  verb: 'reboot',
  done: 'rebooted',
  mayApprove: [carol],
  disclaimers: ['Local service: nothing real is touched'],
};

/** The text of a card, with one line for each block. */
export const card = (request: Request): string => outlineMessage(renderCard(request, options));

/** The sample rules, with these leads. */
export const rulebookOf = (leads: Role) => {
  const result = readSampleRulebook(operations);
  if (!result.ok) throw new Error(findingLines(result.findings).join('\n'));
  const { rulebook } = result;
  return { ...rulebook, policy: { ...rulebook.policy, roles: { leads } } };
};

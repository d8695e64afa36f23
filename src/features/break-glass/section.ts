import { channel } from '../../model/rulebook/schema-parts.ts';
import { ownSection, type SkipKey } from '../../model/section.ts';

/** A rule without this key never lets its approval be skipped. */
export const skipKey: SkipKey = {
  key: 'break_glass',
  description: 'roles that may skip the approval with `--break-glass "reason"`',
};

/** Default: the request's channel. */
export const glassSection = ownSection('break-glass', {
  within: 'announce',
  after: 'broken_rules',
  keys: {
    break_glass: channel
      .optional()
      .describe('channel, `C…`, that announces each `--break-glass`; default: the channel of the command'),
  },
  value: ({ break_glass: told }) => told,
});

import type { Finding } from '../../../model/rulebook/finding.ts';
import type { FittingFile } from '../../../model/rulebook/schema.ts';
import { abridged } from '../../../text/words.ts';

export function* accountFindings({
  accounts = {},
  instances = {},
  containers = {},
}: FittingFile): Generator<Finding> {
  const known = new Set(Object.keys(accounts));
  for (const [section, listed] of Object.entries({ instances, containers }))
    for (const [name, { account: typed } = {}] of Object.entries(listed))
      if (typed !== undefined && !known.has(typed))
        yield {
          path: [section, name, 'account'],
          text: `the account “${abridged(typed)}” is not defined under accounts.`,
          misspelt: { typed, known },
        };
}

import type { AuditCommand, CommandPorts } from '../../host/feature.ts';
import { requestStub } from './forward.ts';
import { publicationSection } from './section.ts';
import { command, UsageError } from '../../program/run-program.ts';
import { openDatabaseBeside, storeOfEnvironment } from '../../store/open-store.ts';
import { createStore } from '../../store/store.ts';
import { closing } from '../../text/words.ts';

const oneEntry = 'Give the number of the rejected entry, such as 1042. /bellhop status shows it.';

/** Reads the bellhop.yaml that a start would use. */
export const sendStub = ({ clock, usualRulebook }: CommandPorts): AuditCommand => ({
  changes: true,
  ...command({
    summary: 'send a stub to the SIEM in place of an entry that it rejects, so that later entries follow',
    help: `Usage: npm run audit -- send-stub <number>
If the collector of audit.forward rejects an entry, later entries wait for up to a day. Then Bellhop sends a stub with the
entry's number, time, event and hash, and the reason. This command makes Bellhop do so at once, after it has tried the
entry once more. Bellhop may be running. The log itself does not change.
Exit code: 0, or 2 if the collector does not reject that entry.`,
    options: {},
    words: { least: 1, most: 1, otherwise: oneEntry },
    async run(_, [typed = '']) {
      if (!/^[1-9]\d{0,14}$/u.test(typed)) throw new UsageError(oneEntry);
      const rules = await usualRulebook();
      const to = rules && publicationSection.of(rules).forward;
      if (!to) throw new UsageError('bellhop.yaml has no audit.forward, so no entry is sent.');
      await using store = closing(createStore(await openDatabaseBeside(storeOfEnvironment())));
      const other = await requestStub(store, to, Number(typed), clock.now());
      if (!other) {
        process.stdout.write(
          `Bellhop sends entry ${typed} once more and, if it is rejected again, a stub.\n`,
        );
        return 0;
      }
      const { rejected } = other;
      throw new UsageError(
        rejected === undefined
          ? 'The collector is not rejecting any entry.'
          : `The collector rejects entry ${rejected}, not ${typed}.`,
      );
    },
  }),
});

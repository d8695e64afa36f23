import { type Feature, withMetrics } from '../../host/feature.ts';
import { renderCheckpoint } from './checkpoint-message.ts';
import { createForwarder } from './forward.ts';
import { createHandOut } from './hand-out.ts';
import { observeForwarding, publicationMetrics } from './observe.ts';
import { ocsfLine } from './ocsf.ts';
import { recallSealed } from './recall.ts';
import { publicationSection } from './section.ts';

const second = 1000;
const minute = 60 * second;

/** Publishes the sealed log: checkpoints to a channel, folders, URLs and witnesses, entries to a SIEM. */
export const publication: Feature = {
  section: publicationSection,
  recall: ({ rulebook, ...found }) =>
    recallSealed({ ...found, published: publicationSection.of(rulebook).publish }),
  witnessKeys: (rulebook) => publicationSection.of(rulebook).witnesses.map(({ key }) => key),
  async auditCommands(outside) {
    const { sendStub } = await import('./send-stub.ts');
    return { 'send-stub': sendStub(outside) };
  },
  exportFormats: {
    ocsf: {
      line: ocsfLine,
      sealedOnly: true,
      help: '--format ocsf     events of OCSF 1.2.0 for a SIEM; sealed entries only',
    },
  },
  ...withMetrics(publicationMetrics, ({ disclaimers, background, ...host }, metrics) => {
    const observed = observeForwarding({ ...host, metrics });
    const forwarder = createForwarder({
      ...host,
      onSeen: (seen) => observed.seen(seen),
      onBatch: (result) => metrics.forwardBatches.inc({ result }),
    });
    const handOut = createHandOut({
      ...host,
      postCheckpoint: (channel, checkpoint) =>
        background.postMessage(channel, renderCheckpoint(checkpoint, disclaimers)),
      onHandedOut: (to, outcome) => metrics.handOuts.inc({ to, outcome }),
    });
    return {
      handlers: [forwarder.handler, handOut.handler],
      jobs: [
        { name: 'audit forwarding', everyMs: 5 * second, round: () => forwarder.look() },
        { name: 'audit checkpoints', everyMs: minute, round: handOut.round },
      ],
      dueWhenSealed: forwarder.dueWhenSealed,
      facts: observed.facts,
      close: () => forwarder.close(),
    };
  }),
};

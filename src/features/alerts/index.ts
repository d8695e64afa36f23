import { type Feature, withMetrics } from '../../host/feature.ts';
import { changesUnder, createThreadHandler, isUnderWay, linksOf, threadRule } from './changes.ts';
import { alertFiring, alertResolved } from './group/events.ts';
import { createHeldHandler } from './group/receive.ts';
import { hookMetrics, observeHooks } from './observe.ts';
import { pressAlertButton } from './press.ts';
import { createReadsHandler, hookKey } from './reads.ts';
import { renderAlert } from './render.ts';
import { createTurnHandler, turnedLines } from './resolved.ts';
import { hookName, hooksSection } from './group/section.ts';
import { atHooks, createHooksRoute } from './sources/hooks-route.ts';

/** Receives alerts of other systems, and shows them with commands as buttons. */
export const alerts: Feature = {
  section: hooksSection,
  programKey: hookKey,
  events: [alertFiring, alertResolved],
  offers: {
    owns: (source) => hookName.safeParse(source).success,
    press: pressAlertButton,
    ownedForMs: (rulebook, source) => hooksSection.of(rulebook)[source]?.ownForMs,
    async render(ports, message) {
      const changes = await changesUnder(ports.store, ports.rulebook(), message);
      const drawn = renderAlert(ports, message, changes, await linksOf(ports, message, changes));
      return drawn && { ...drawn, isUnderWay: changes.some(isUnderWay) };
    },
  },
  channels: (rulebook) =>
    Object.entries(hooksSection.of(rulebook)).map(([name, { channel: id }]) => ({
      path: ['hooks', name, 'channel'],
      id,
      what: 'Alerts',
    })),
  // The hook of examples/bellhop.example.yaml, to which the alert drill posts.
  localDoor: { path: '/hooks/alertmanager', secret: 'alertmanager-hook', isOpen: () => true },
  after: [threadRule],
  cardLines: turnedLines,
  ...withMetrics(hookMetrics, (host, metrics) => {
    const { onDelivery, ...observed } = observeHooks(host, metrics);
    const reads = createReadsHandler(host, (hook) => metrics.skippedReads.inc({ hook }));
    return {
      ...observed,
      handlers: [reads, createThreadHandler(host), createTurnHandler(host), createHeldHandler(host)],
      routes: [{ ...atHooks, handle: createHooksRoute({ ...host, onDelivery }) }],
    };
  }),
};

import { html } from 'htm/preact';
import { useDirectory, useShell } from '../contexts.js';
import { fromServer } from '../from-server.js';

/** @typedef {import('../../gestures/gestures.ts').GestureInput<'alert'>['alertname']} AlertName */

const about = 'db-1';
const place = 'incident-42';

/** The steps after the alert has fired. @type {readonly { as: string, press?: string, type?: string, effect: string }[]} */
const steps = [
  { as: 'U0ALICE', press: 'I’m on it', effect: 'The alert names you.' },
  { as: 'U0CAROL', press: 'Take over', effect: 'Alice is mentioned in the thread.' },
  {
    as: 'U0CAROL',
    type: `/bellhop hold ${about} --reason drill`,
    effect: `Only you can change ${about} now.`,
  },
  {
    as: 'U0ALICE',
    type: `/cloud reboot ${about}`,
    effect: 'The reboot is denied. The answer names Carol and her reason.',
  },
  { as: 'U0CAROL', type: `/bellhop release ${about}`, effect: 'Alice can change it again.' },
];

/**
 * Leads through an alert that two people are on, and a hold.
 * @param {{ alerts: import('../../drill-protocol.ts').AlertDrill, onBecome: (as: string) => void }} props
 */
export function TwoPeopleDrill({ alerts, onBecome }) {
  const { session, say } = useShell();
  const { people, channels, as } = useDirectory();
  const channel = channels.find(({ name }) => name === place);
  if (!alerts.available || channel === undefined) return null;
  const fire = async () => {
    /** @type {AlertName} */
    const alertname = fromServer('InstanceDown');
    const outcome = await session.gesture('alert', { alertname, instance: about, status: 'firing' });
    if (outcome.ok) location.hash = channel.id;
    else say(outcome.message);
  };
  const go = (/** @type {string} */ person) => {
    location.hash = channel.id;
    if (person !== as) onBecome(person);
  };
  return html`<section aria-label="Two people on call">
    <h3>Two people on call</h3>
    <div class="presets">
      <button type="button" class="preset" onClick=${() => void fire()}>
        <b>Begin</b> <span class="quiet">fires InstanceDown for ${about} in #${place}</span>
      </button>
    </div>
    <ol class="faults drill-steps" aria-label="Steps for two people">
      ${steps.map(({ as: person, press, type, effect }, at) => {
        const name = people.find(({ id }) => id === person)?.real_name ?? person;
        return html`<li key=${at}>
          <span
            >${press === undefined ? html`Type <code>${type}</code>.` : html`Press <b>${press}</b> on the alert.`}
            <br /><span class="quiet">${effect}</span></span
          >
          <button
            type="button"
            class="button button-small"
            aria-label=${`Step ${String(at + 1)}: be ${name}`}
            aria-pressed=${person === as ? 'true' : 'false'}
            onClick=${() => go(person)}
          >
            As ${name}
          </button>
        </li>`;
      })}
    </ol>
  </section>`;
}

/**
 * @typedef {import('../../protocol.ts').ServiceFault} ServiceFault
 * @typedef {import('../../protocol.ts').Drills} Drills
 * @typedef {(typeof import('../../protocol.ts').FAULT_ROWS)[number]} FaultRow
 */

/** @type {readonly { row: FaultRow, name: string }[]} */
export const faultRows = [
  { row: 'all', name: 'Every call' },
  { row: '4', name: 'Instance reboot' },
  { row: '5', name: 'Instance stop' },
  { row: 'read', name: 'Instance read' },
  { row: '6', name: 'Container' },
  { row: '7', name: 'Floating IPs' },
  { row: '1', name: 'CDN metrics' },
  { row: '2', name: 'CDN capacity' },
  { row: '3', name: 'Raw-log settings' },
  { row: '8', name: 'Post storage event' },
  { row: '9', name: 'Storage event kinds' },
  { row: '10', name: 'List storage events' },
];

/** @type {readonly { name: string, effect: string, fault: ServiceFault }[]} */
export const faultPresets = [
  { name: 'Slow', effect: 'answers after 10 seconds', fault: { delay_ms: 10_000 } },
  { name: 'Failing', effect: 'answers 500', fault: { status: 500 } },
  { name: 'Dead', effect: 'drops the connection', fault: { reset: true } },
  { name: 'Hang after effect', effect: 'does it, then never answers', fault: { hang: true, after: true } },
];

/** A fault in words. @param {ServiceFault} fault */
export function faultWords(fault) {
  const { times: _, ...kind } = fault;
  const known = faultPresets.find((preset) => JSON.stringify(preset.fault) === JSON.stringify(kind));
  const own = Object.entries(kind).map(([name, value]) => `${name}: ${String(value)}`);
  const words = known === undefined ? own.join(', ') : `${known.name}: ${known.effect}`;
  return fault.times === undefined ? words : `${words} (${String(fault.times)}×)`;
}

/** How many drills are on. @param {Drills} drills */
export function drillsOn({ service, slack }) {
  const switches = [
    slack.redeliver > 0,
    slack.lose_ack > 0,
    slack.dispatch_delay_ms > 0,
    slack.rate_limit.length > 0,
    slack.web_api_down,
  ];
  return Object.keys(service.faults).length + switches.filter(Boolean).length;
}

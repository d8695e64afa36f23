/**
 * @typedef {import('../../drill-protocol.ts').ServiceFault} ServiceFault
 * @typedef {import('../../drill-protocol.ts').Drills} Drills
 */

/** The targets of faults. @type {readonly { endpoint: string, label: string }[]} */
export const faultTargets = [
  { endpoint: 'all', label: 'Every call' },
  { endpoint: 'rebootInstance', label: 'Instance reboot' },
  { endpoint: 'stopInstance', label: 'Instance stop' },
  { endpoint: 'readInstance', label: 'Instance read' },
  { endpoint: 'readTask', label: 'Task read' },
  { endpoint: 'listTasks', label: 'Task list' },
  { endpoint: 'listInstances', label: 'Instance list' },
  { endpoint: 'actOnInstance', label: 'Instance action' },
  { endpoint: 'getContainer', label: 'Container' },
  { endpoint: 'listFloatingIps', label: 'Floating IPs' },
  { endpoint: 'listHeldFloatingIps', label: 'Floating IPs with holders' },
  { endpoint: 'queryMetrics', label: 'CDN metrics' },
  { endpoint: 'listCapacity', label: 'CDN capacity' },
  { endpoint: 'updateRawLogSettings', label: 'Raw-log settings' },
  { endpoint: 'postStorageEvent', label: 'Post storage event' },
  { endpoint: 'describeStorageEvents', label: 'Storage event kinds' },
  { endpoint: 'listStorageEvents', label: 'List storage events' },
  { endpoint: 'changeStorageEvent', label: 'Change storage event' },
  { endpoint: 'deleteStorageEvent', label: 'Delete storage event' },
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
export function drillsOn({ service, slack, schedule }) {
  const switches = [
    slack.redeliver > 0,
    slack.lose_ack > 0,
    slack.dispatch_delay_ms > 0,
    slack.rate_limit.length > 0,
    slack.web_api_down,
    slack.withheld.length > 0,
    schedule.down,
  ];
  return Object.keys(service.faults).length + switches.filter(Boolean).length;
}

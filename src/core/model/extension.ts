/** What a service may offer beyond the interface. `extensions:` of bellhop.yaml names those that it has. */
export const extensions = [
  'instance-list',
  'instance-read',
  'instance-actions',
  'instance-metrics',
  'tasks',
  'floating-ip-list',
  'event-changes',
  'cdn-purge',
] as const;

export type Extension = (typeof extensions)[number];

import { operation, z } from 'bellhop';

import { connect, isAutomatic, lastOf, shortRevision } from './api.ts';

const most = 100;

export const apps = operation({
  name: 'argo.apps',
  summary: 'Show the applications that bellhop.yaml lists.',
  risk: 'read',
  synonyms: ['list', 'status'],
  input: z.strictObject({}),
  run: async (_input, { inventory, http, secret }) => {
    const targets = Object.entries(inventory.targets['application'] ?? {}).slice(0, most);
    const read = await Promise.allSettled(
      targets.map(([name, { settings }]) => connect({ target: { name, settings }, http, secret }).read()),
    );
    return read.map((one, index) => ({ name: targets[index]?.[0] ?? '', one }));
  },
  report: (found) => {
    const rows = found.map(({ name, one }) => {
      if (one.status === 'rejected') return [name, 'cannot be read', '', '', '', '', ''];
      const { sync, health, operationState } = one.value.status;
      const last = lastOf(one.value);
      return [
        name,
        sync.status,
        shortRevision(sync.revision),
        health.status,
        isAutomatic(one.value) ? 'on' : 'off',
        operationState?.phase ?? '',
        last === undefined ? '' : String(last.id),
      ];
    });
    const well = rows.filter(([, sync, , health]) => sync === 'Synced' && health === 'Healthy').length;
    return {
      title: 'Applications',
      tone: well < rows.length ? 'bad' : 'good',
      headline: `${well} of ${rows.length} synced and healthy`,
      tables: [
        {
          caption: 'Applications',
          columns: [
            'Application',
            'Sync',
            'Revision',
            'Health',
            'Autosync',
            'Last operation',
            'Deployment',
          ].map((label) => ({ label })),
          rows,
        },
      ],
      notes: ['/argo rollback <application> <id> returns to an earlier deployment.'],
    };
  },
});

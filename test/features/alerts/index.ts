import type { FeatureTests } from '../feature-tests.ts';
import { earlierAlerts } from './earlier.ts';
import { alertsContract } from './store-contract.ts';

export const alertsTests: FeatureTests = {
  name: 'alerts',
  beside: ['bench/month'],
  sample: 'hooks: { grafana: { secret: secret:grafana-hook, channel: C0INC42, kind: alertmanager } }\n',
  storeContracts: [alertsContract],
  earlier: earlierAlerts,
};

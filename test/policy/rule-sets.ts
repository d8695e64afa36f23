import type { Effect, Freeze, Rule } from '../../src/model/rulebook/rulebook.ts';

const rule = (effect: Effect, conditions: Partial<Rule>): Rule => ({
  approvers: effect === 'approve' ? ['leads'] : [],
  approvals: 1,
  typeName: false,
  breakGlass: [],
  ...conditions,
  effect,
});

export const dbId = '0d9c0a3a-52a5-4a1b-8f0e-0d5f4c1b7a11';

/** During `frozen`, for production, only leads may make changes. For its period, see the times of the rows. */
const frozen: Freeze = {
  labels: { env: 'production' },
  from: 1000,
  to: 2000,
  except: ['leads'],
  reason: 'holidays',
};

export const ruleSets = {
  none: { rules: [], freeze: [] },
  sample: {
    rules: [
      rule('allow', { risk: ['read'], roles: ['anyone'] }),
      rule('approve', { operations: ['cloud.*'], labels: { env: 'production' }, roles: ['responders'] }),
      rule('confirm', { operations: ['cloud.*', 'cdn.*'], channels: ['C0OPS'], roles: ['responders'] }),
    ],
    freeze: [],
  },
  // The denial names what helps in this channel, not what would help the same people in another one.
  'two channels': {
    rules: [
      rule('confirm', { operations: ['cloud.reboot'], channels: ['C0GENERAL'], roles: ['on call'] }),
      rule('confirm', { operations: ['cloud.*'], channels: ['C0OPS'], roles: ['responders'] }),
    ],
    freeze: [],
  },
  'first match': {
    rules: [
      rule('deny', { operations: ['cloud.stop'] }),
      rule('confirm', { operations: ['cloud.stop', 'cloud.reboot'], roles: ['anyone'] }),
      rule('deny', { operations: ['cloud.reboot'] }),
    ],
    freeze: [],
  },
  'deny some': {
    rules: [
      rule('deny', { roles: ['leads'], channels: ['C0OPS'] }),
      rule('confirm', { operations: ['*'], roles: ['leads', 'responders'] }),
    ],
    freeze: [],
  },
  'no roles said': { rules: [rule('confirm', { operations: ['*'] })], freeze: [] },
  teams: {
    rules: [
      rule('deny', { teams: ['T0OTHER'], risk: ['change', 'destructive'] }),
      rule('confirm', { roles: ['responders'] }),
    ],
    freeze: [],
  },
  labels: {
    rules: [rule('confirm', { labels: { env: 'staging', tier: 'web' }, roles: ['anyone'] })],
    freeze: [],
  },
  arguments: {
    rules: [
      rule('deny', { operations: ['cdn.metrics'], arguments: { names: 'secret' } }),
      rule('deny', { operations: ['cdn.metrics'], arguments: { total: 'false' } }),
      rule('allow', { operations: ['cdn.metrics'], arguments: { by: 'cname' }, roles: ['anyone'] }),
      rule('allow', { operations: ['cloud.container'], arguments: { brief: 'false' }, roles: ['anyone'] }),
      rule('confirm', { operations: ['cloud.reboot'], arguments: { region: '9' }, roles: ['anyone'] }),
    ],
    freeze: [],
  },
  'effective arguments': {
    rules: [
      rule('deny', { operations: ['cloud.reboot'], arguments: { instance: 'db-1' } }),
      rule('deny', { operations: ['cloud.stop'], arguments: { instance: dbId } }),
      rule('approve', { arguments: { region: '180' }, roles: ['anyone'] }),
      rule('confirm', { arguments: { project: '1186668', region: '76' }, roles: ['anyone'] }),
    ],
    freeze: [],
  },
  globs: {
    rules: [rule('allow', { operations: ['cloud.i*', 'cd.*', 'cdn', 'cloud.container'], roles: ['anyone'] })],
    freeze: [],
  },
  'break-glass': {
    rules: [
      rule('approve', {
        labels: { env: 'production' },
        roles: ['responders', 'leads'],
        approvals: 2,
        typeName: true,
        breakGlass: ['leads'],
      }),
      rule('deny', { operations: ['cloud.stop'], breakGlass: ['leads'] }),
      rule('confirm', { roles: ['anyone'] }),
    ],
    freeze: [],
  },
  frozen: {
    rules: [rule('confirm', { roles: ['anyone'] })],
    freeze: [frozen, { ...frozen, labels: {}, from: 5000, to: 6000, except: [] }],
  },
  'cannot be looked up': {
    rules: [
      rule('deny', { operations: ['cloud.stop'], roles: ['night'] }),
      rule('approve', { labels: { env: 'production' }, roles: ['night'] }),
      rule('approve', { channels: ['C0GENERAL'], roles: ['anyone'], breakGlass: ['night'] }),
      rule('confirm', { operations: ['cloud.*'], roles: ['anyone', 'responders'] }),
    ],
    freeze: [{ ...frozen, except: ['night'] }],
  },
  'at once': {
    rules: [
      rule('allow', { name: 'free', operations: ['cdn.*'], roles: ['responders'], confirmNever: true }),
      rule('allow', { name: 'most of it', roles: ['responders'] }),
      rule('deny', { name: 'nothing else' }),
    ],
    freeze: [],
  },
  'deny visitors': {
    rules: [
      rule('deny', { operations: ['cloud.stop'], roles: ['on call'] }),
      rule('deny', { operations: ['cloud.reboot'], roles: ['anyone'] }),
      rule('confirm', { roles: ['visitors', 'responders'] }),
    ],
    freeze: [],
  },
} as const satisfies Record<string, { readonly rules: readonly Rule[]; readonly freeze: readonly Freeze[] }>;

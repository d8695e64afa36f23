import { z } from 'zod';
import { integer, text } from '../../../src/service/schemas/fields.ts';
import * as floatingIp from '../../../src/areas/cloud/client/floating-ip.ts';
import * as known from '../../../src/areas/cloud/client/instance.ts';
import { ddosProfile } from './ddos-profile.ts';

const alarmStates = [
  'ACK_REQ',
  'ALARM',
  'ALARM_FAIL',
  'ARCHIVED',
  'CLEAR',
  'CLEARING',
  'CLEARING_FAIL',
  'CLEAR_FAIL',
  'END_GRACE',
  'END_WAIT',
  'MANUAL_CLEAR',
  'MANUAL_CLEARING',
  'MANUAL_CLEARING_FAIL',
  'MANUAL_CLEAR_FAIL',
  'MANUAL_MITIGATING',
  'MANUAL_START',
  'MANUAL_STARTING',
  'MANUAL_STARTING_FAIL',
  'MANUAL_START_FAIL',
  'MITIGATING',
  'STARTING',
  'STARTING_FAIL',
  'START_WAIT',
] as const;

const blackholePort = z.strictObject({
  AlarmStart: text('when the attack was detected'),
  AlarmEnd: text('when it ended'),
  AlarmState: z.enum(alarmStates).describe('state of the alarm'),
  AlertDuration: text('how long it lasted'),
  DestinationIP: text('address attacked'),
  ID: integer('identifier of the alarm'),
});

/** Has also the fields that Bellhop does not read. */
export const instance = known.instance.extend({
  blackhole_ports: z.array(blackholePort).describe('alarms of DDoS detection'),
  ddos_profile: ddosProfile.describe('DDoS protection, not read'),
});

export type Instance = z.output<typeof instance>;

export const instanceList = known.instanceList.extend({
  results: z.array(instance).describe('the instances'),
});

const heldFloatingIp = floatingIp.heldFloatingIpList.shape.results.element.extend({
  instance: instance.nullable().describe('instance behind the floating IP'),
});

export type HeldFloatingIp = z.output<typeof heldFloatingIp>;

export const heldFloatingIpList = floatingIp.heldFloatingIpList.extend({
  results: z.array(heldFloatingIp).describe('the items on this page'),
});

import type { Area } from '../../host/area.ts';
import { resume, startInstance, stop, suspend } from './actions.ts';
import { showContainer } from './container.ts';
import { importCommand } from './client/import-instances.ts';
import { ips } from './ips.ts';
import { listInstances } from './list.ts';
import { reboot } from './reboot.ts';
import { show } from './show.ts';
import { whois } from './whois.ts';
import { cloudCalls, tryOut } from './client/calls.ts';

export const cloud = {
  name: 'cloud',
  calls: cloudCalls,
  operations: [reboot, stop, startInstance, suspend, resume, listInstances, show, showContainer, ips, whois],
  tryOut,
  configCommands: (outside) => ({ import: importCommand(outside) }),
} satisfies Area;

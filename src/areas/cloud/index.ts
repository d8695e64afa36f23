import type { Area } from '../../host/area.ts';
import { itemCount } from '../../bellhop/parts/report-parts.ts';
import { resume, startInstance, stop, suspend } from './actions.ts';
import { showContainer } from './container.ts';
import { importCommand } from './import-instances.ts';
import { ips } from './ips.ts';
import { listInstances } from './list.ts';
import { reboot } from './reboot.ts';
import { show } from './show.ts';
import { whois } from './whois.ts';
import { cloudCalls } from './client/calls.ts';
import { createServiceClient } from '../../service/client.ts';

export const cloud = {
  name: 'cloud',
  calls: cloudCalls,
  operations: [reboot, stop, startInstance, suspend, resume, listInstances, show, showContainer, ips, whois],
  /** The same read as `/cloud ips`. */
  async tryOut(options, { project, region }) {
    const service = createServiceClient([{ calls: cloudCalls }], options);
    try {
      const { value } = await service.listFloatingIps({ project, region }, { correlationId: 'setup' });
      return itemCount(value.results.length, 'available floating IP');
    } finally {
      await service.close();
    }
  },
  configCommands: (outside) => ({ import: importCommand(outside) }),
} satisfies Area;

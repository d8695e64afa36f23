// Operations as a team writes them for the Docker Engine API 1.51 (docs.docker.com/reference/api/engine/v1.51).
import { operation, z } from 'bellhop';

const box = z.string().max(60).describe('The machine.').meta({ positional: true, target: 'box' });
const container = z.string().max(60).describe('The container.').meta({ positional: true });
const at = (name: string): string => `/containers/${encodeURIComponent(name)}`;

export const show = operation({
  name: 'containers.show',
  summary: 'Show a container.',
  risk: 'read',
  input: z.strictObject({ box, container }),
  run: (input, { target, http }) =>
    http(String(target.settings['socket'])).get(
      `${at(input.container)}/json`,
      z.object({ Name: z.string(), State: z.object({ Status: z.string() }) }),
    ),
  report: ({ Name, State }) => ({ title: `${Name.slice(1)} is ${State.Status}` }),
});

export const restart = operation({
  name: 'containers.restart',
  summary: 'Restart a container.',
  risk: 'destructive',
  input: z.strictObject({ box, container }),
  run: (input, { target, http }) =>
    http(String(target.settings['socket'])).send('POST', `${at(input.container)}/restart?t=10`),
});

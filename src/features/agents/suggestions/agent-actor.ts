import type { ProgramKey } from '../../../model/section.ts';
import { type Actor, programActor, programOf } from '../../../model/values/actor.ts';

export const agentKey: ProgramKey = { key: 'agents', kind: 'agent' };

export const agentActor = (team: string, name: string): Actor => programActor(team, agentKey.kind, name);

export function agentNamed(actor: Pick<Actor, 'user'>): string | undefined {
  const program = programOf(actor);
  return program?.kind === agentKey.kind ? program.name : undefined;
}

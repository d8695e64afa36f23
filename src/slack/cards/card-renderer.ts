import { listedActor, samePerson, type Actor } from '../../core/model/actor.ts';
import type { Registry } from '../../core/registry.ts';
import type { Request } from '../../core/request/request.ts';
import type { Rulebook } from '../../core/model/rulebook.ts';
import type { Message } from '../render/blocks.ts';
import { renderCard } from './render-card.ts';

interface CardRendererOptions {
  readonly registry: Registry;
  readonly rulebook: () => Rulebook;
  readonly notices: readonly string[];
}

/** Cards of requests, with what the registry and the rules of this moment know of them. */
export function cardRenderer({ registry, rulebook, notices }: CardRendererOptions) {
  return (request: Request): Message => {
    const entry = registry.find(request.operation);
    return renderCard(request, {
      operation: entry?.operation ?? { name: request.operation, summary: '', risk: 'destructive' },
      verb: entry?.actionLabel ?? request.operation,
      mayApprove: approvers(rulebook(), request),
      notices,
    });
  };
}

/** The people whom the approving roles list by id, without the requester. */
function approvers(rulebook: Rulebook, request: Request): readonly Actor[] {
  const users = request.decision.approvers.flatMap((role) => rulebook.policy.roles[role]?.users ?? []);
  return [...new Set(users)]
    .map((listed) => listedActor(listed, request.place.team))
    .filter((person) => !samePerson(person, request.requester));
}

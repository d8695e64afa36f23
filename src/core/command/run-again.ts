import { sameActor, type Caller } from '../model/actor.ts';
import { runCommand, type CommandResult } from './run-command.ts';
import { beginForm } from '../form/begin-form.ts';
import type { Context } from '../context.ts';
import { BellhopError } from '../model/errors.ts';
import type { CommandOptions } from '../grammar/option-tokens.ts';
import { auditRejected } from './audit-rejected.ts';
import type { Request } from '../request/request.ts';

/**
 * What was asked for once, asked for anew by whoever presses the button: judged anew, or the form with all that was
 * entered where there is no other way in. A reason and a broken glass are somebody's own word: nobody else's are taken
 * over. @throws BellhopError
 */
export async function runAgain(context: Context, caller: Caller, requestId: string): Promise<CommandResult> {
  const request = await context.store.find(requestId);
  const entry = request && context.registry.find(request.operation);
  if (!request || !entry) {
    return auditRejected(context, caller, 'ask again', () => {
      throw new BellhopError('bad-input', 'That request is no longer kept: type it anew. Nothing was done.');
    });
  }
  const options = sameActor(request.requester, caller.actor) ? optionsOf(request) : {};
  return entry.operation.formOnly === true
    ? beginForm(context, caller, { entry, values: {}, options }, request)
    : runCommand(context, caller, entry, request.input, options);
}

const optionsOf = ({ reason, breakGlass }: Request): CommandOptions => ({
  ...(reason === undefined ? {} : { reason }),
  ...(breakGlass === undefined ? {} : { breakGlass }),
});

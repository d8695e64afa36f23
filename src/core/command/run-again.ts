import { sameActor, type Asker } from '../model/actor.ts';
import { ask, type Answer } from './run-command.ts';
import { beginForm } from '../form/begin-form.ts';
import type { Environment } from '../context.ts';
import { BellhopError } from '../model/errors.ts';
import type { AskOptions } from '../grammar/option-tokens.ts';
import { recordedAsk } from '../audit/audit-rejected.ts';
import type { Request } from '../request/request.ts';

/**
 * What was asked for once, asked for anew by whoever presses the button: judged anew, or the form with all that was
 * entered where there is no other way in. A reason and a broken glass are somebody's own word: nobody else's are taken
 * over. @throws BellhopError
 */
export async function askAgain(environment: Environment, asker: Asker, requestId: string): Promise<Answer> {
  const request = await environment.store.find(requestId);
  const entry = request && environment.catalogue.find(request.operation);
  if (!request || !entry) {
    return recordedAsk(environment, asker, 'ask again', () => {
      throw new BellhopError('bad-input', 'That request is no longer kept: type it anew. Nothing was done.');
    });
  }
  const options = sameActor(request.requester, asker.actor) ? optionsOf(request) : {};
  return entry.operation.formOnly === true
    ? beginForm(environment, asker, { entry, values: {}, options }, request)
    : ask(environment, asker, entry, request.input, options);
}

const optionsOf = ({ reason, breakGlass }: Request): AskOptions => ({
  ...(reason === undefined ? {} : { reason }),
  ...(breakGlass === undefined ? {} : { breakGlass }),
});

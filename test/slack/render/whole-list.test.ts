import { expect, test } from 'vitest';
import { z } from 'zod';

import { fieldsOf } from '../../../src/command/grammar/registry.ts';
import { formInput } from '../../../src/slack/forms/form-input.ts';
import { parseForm } from '../../../src/slack/forms/parse-form.ts';

const [where] = fieldsOf(z.object({ where: z.array(z.string()).meta({ itemsMayContainCommas: true }) }));
if (!where) throw new Error('no field');

test('items that hold commas are entered one a line, and read back alike', () => {
  const items = ['cname in a.example,b.example', 'isp eq Claro\\, S.A.'];
  const { element } = formInput(where, { blockId: 'where', value: items, suggested: false, dispatch: false });
  expect(element).toMatchObject({ multiline: true, initial_value: items.join('\n') });
  const value = `\n${items.join('\n')}\n `;
  const state = { values: { where: { value: { type: 'plain_text_input', value } } } };
  expect(parseForm(state, [where]).values).toEqual({ where: items });
});

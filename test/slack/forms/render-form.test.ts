import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';

import { fieldsOf } from '../../../src/command/grammar/registry.ts';
import { changedRows, fieldOfBlock } from '../../../src/slack/forms/form-rows.ts';
import { formErrors, type FormState, parseForm } from '../../../src/slack/forms/parse-form.ts';
import { type FormOptions, operationMetadata, renderForm } from '../../../src/slack/forms/render-form.ts';
import { runs } from '../limits-hold.ts';
import { hostileText } from '../hostile.ts';
import { outline } from '../outline.ts';
import { beyondLimits } from '../within-limits.ts';

const fields = fieldsOf(
  z.object({
    bucket: z.string().describe('Destination of the logs.').meta({ placeholder: 'my-logs' }),
    storage: z.enum(['s3', 'ftp']).meta({ choiceLabels: { s3: 'S3 or alike' } }),
    secret: z.string().optional().meta({ secret: true, label: 'Secret key' }),
    size: z.number().int().optional(),
    share: z.number().default(0.5),
    enabled: z.boolean().default(true),
    names: z.array(z.string()).optional(),
    kinds: z
      .array(z.enum(['2xx', '5xx']))
      .optional()
      .meta({ choiceLabels: { '5xx': 'Errors' } }),
    notes: z.string().optional().meta({ multiline: true }),
    folders: z
      .array(z.object({ bucket: z.string(), folder: z.string().optional() }))
      .optional()
      .describe('One row a resource.'),
  }),
);

const metadata = { operation: 'cdn.raw-logs', place: { team: 'T0LOCAL', channel: 'C0OPS' } };
const options: FormOptions = {
  operation: { name: 'cdn.raw-logs', summary: 'Change the raw log export.', risk: 'change' },
  fields,
  values: {},
  metadata,
  disclaimers: [],
};

const metadataIn = (text: string) => operationMetadata.read({ private_metadata: text });

/** The values that Slack would return if no input were changed. */
function untouched(view: ReturnType<typeof renderForm>): FormState {
  const values: Record<string, Record<string, unknown>> = {};
  for (const block of view.blocks) {
    if (block.type !== 'input' || !('element' in block)) continue;
    const element = { ...block.element } as Readonly<Record<string, unknown>>;
    const type = String(element['type']);
    values[String(block.block_id)] = {
      value: {
        type,
        value: element['initial_value'] ?? null,
        selected_option: element['initial_option'] ?? null,
        ...(/checkboxes|multi/u.test(type) && { selected_options: element['initial_options'] ?? [] }),
      },
    };
  }
  return { values } as FormState;
}

/** The type of the element for a field with this many choices. */
function typeFor(count: number): string | undefined {
  const choices = Array.from({ length: count }, (_, index) => `c${index}`);
  const many = fieldsOf(z.object({ kind: z.enum(choices) }));
  const input = renderForm({ ...options, fields: many }).blocks.find(({ type }) => type === 'input');
  return input && 'element' in input ? input.element?.type : undefined;
}

const entered = {
  bucket: 'logs',
  storage: 'ftp',
  secret: 'secret:log-key',
  size: 12,
  share: 0.25,
  enabled: false,
  names: ['a', 'b,c'],
  kinds: ['5xx'],
  notes: 'one\ntwo',
  folders: [{ bucket: 'one', folder: 'f' }, { bucket: 'two' }],
};

describe('a form', () => {
  test('is derived from the fields of its operation', () => {
    expect(outline(renderForm(options).blocks)).toMatchInlineSnapshot(`
      "section: Change the raw log export.
      input bucket (required): Bucket [plain_text_input] value=undefined
      input storage (required): Storage [static_select] value=undefined
      input secret: Secret key [plain_text_input] value=undefined
      input size: Size [number_input] value=undefined
      input share: Share [number_input] value=0.5
      input enabled: Enabled [checkboxes] value=[{"text":{"type":"plain_text","text":"Yes","emoji":false},"value":"true"}]
      input names: Names [plain_text_input] value=undefined
      input kinds: Kinds [multi_static_select] value=undefined
      input notes: Notes [plain_text_input] value=undefined
      section: *Folders* ⏎ One row a resource.
      input folders/0/bucket: Bucket [plain_text_input] value=undefined
      input folders/0/folder: Folder [plain_text_input] value=undefined
      button: [Remove row 1] row:remove=folders/0
      button: [Add a row] row:add=folders
      input ask:reason: Reason [plain_text_input] value=undefined"
    `);
  });

  test('shows choices in words, and returns their values', () => {
    const view = renderForm({ ...options, values: { storage: 's3', kinds: ['5xx'] } });
    const shown = JSON.stringify(view.blocks);
    for (const text of ['S3 or alike', 'ftp', '2xx', 'Errors']) expect(shown).toContain(`"text":"${text}"`);
    expect(shown).not.toMatch(/"text":"(?:s3|5xx)"/u);
    expect(parseForm(untouched(view), fields).values).toMatchObject({ storage: 's3', kinds: ['5xx'] });
  });

  test('shows what its plan names, in that order, and draws anew where it says', () => {
    const plan = { fields: ['storage', 'bucket'], redraw: ['storage'], note: 'Choose the storage first.' };
    const view = renderForm({ ...options, plan });
    const inputs = view.blocks.filter(({ type }) => type === 'input');
    expect(inputs.map(({ block_id }) => block_id)).toEqual(['storage', 'bucket', 'ask:reason']);
    expect(inputs.map((input) => 'dispatch_action' in input)).toEqual([true, false, false]);
    expect(outline(view.blocks)).toContain('Choose the storage first.');
  });

  test('suggests while one types where names are known', () => {
    const view = renderForm({ ...options, suggested: ['bucket'], values: { bucket: 'logs' } });
    expect(view.blocks).toContainEqual(
      expect.objectContaining({
        block_id: 'bucket',
        element: expect.objectContaining({ type: 'external_select', min_query_length: 0 }) as unknown,
      }),
    );
  });

  test('calls an example one, and nothing where a choice is to be made', () => {
    const view = renderForm({ ...options, suggested: ['notes'] });
    const texts = [...JSON.stringify(view.blocks).matchAll(/"placeholder":\{[^}]*?"text":"([^"]*)"/gu)];
    expect(texts.map(([, text]) => text)).toEqual([
      'For example: my-logs',
      'For example: secret:log-bucket',
      'Pick one, or type to search',
    ]);
  });

  test('offers choices as a select, and as text where Slack takes no more options', () => {
    expect([typeFor(100), typeFor(101)]).toEqual(['static_select', 'plain_text_input']);
  });

  test('asks no reason for a look', () => {
    const read = renderForm({ ...options, operation: { ...options.operation, risk: 'read' } });
    expect(outline(read.blocks)).not.toContain('ask:reason');
    expect(read.submit?.text).toBe('Show');
  });

  test('names a command that takes effect at once by its verb', () => {
    const operation = { ...options.operation, name: 'bellhop.hold', risk: 'read', atOnce: true } as const;
    expect(renderForm({ ...options, operation }).submit?.text).toBe('Hold');
  });

  test('says on top what was wrong, escaped', () => {
    const view = renderForm({ ...options, errors: [{ field: 'bucket', text: 'No bucket <!channel>' }] });
    expect(outline(view.blocks)).toContain('⛔ No bucket &lt;!channel&gt;');
  });

  test('says which earlier request it is filled in from', () => {
    const source = { id: 'r-<1>', createdAt: 1_763_700_000_000 };
    expect(outline(renderForm({ ...options, source }).blocks)).toContain(
      '*Filled in from r-&lt;1&gt;* (<!date^1763700000^{date_short} {time}|2025-11-21 04:40 UTC>',
    );
  });

  test('gives back what it was given, if nothing is touched', () => {
    const view = renderForm({ ...options, values: entered, reason: 'rotation' });
    const form = parseForm(untouched(view), fields);
    expect(form.values).toEqual(entered);
    expect(form.reason).toBe('rotation');
  });

  test('gives back its defaults and nothing else where nothing is entered', () => {
    const form = parseForm(untouched(renderForm(options)), fields);
    expect(form.values).toEqual({ share: 0.5, enabled: true });
    expect(form.reason).toBeUndefined();
  });

  test('fits into a view whatever it is filled with', () => {
    fc.assert(
      fc.property(hostileText, fc.array(hostileText, { maxLength: 30 }), (text, list) => {
        const view = renderForm({
          ...options,
          operation: { ...options.operation, name: `cdn.${text}`, summary: text },
          suggested: ['notes'],
          values: {
            bucket: text,
            storage: text,
            size: text,
            names: list,
            notes: text,
            folders: list.map((bucket) => ({ bucket, folder: text })),
          },
          source: { id: text, createdAt: 0 },
          reason: text,
          plan: { fields: fields.map(({ name }) => name), redraw: [], note: text },
          errors: list.map((error) => ({ field: 'bucket', text: error })),
          disclaimers: list,
        });
        expect(beyondLimits(view)).toEqual([]);
      }),
      runs(100),
    );
  });
});

describe('the rows of a form', () => {
  const two = parseForm(untouched(renderForm({ ...options, values: entered })), fields).rows;

  test('keep their number when another is taken away, so that Slack keeps their input', () => {
    const rows = changedRows(two, 'row:remove', 'folders/0');
    expect(rows['folders']).toEqual([{ number: 1, cells: { bucket: 'two' } }]);
    const added = changedRows(rows, 'row:add', 'folders');
    expect(added['folders']?.map(({ number }) => number)).toEqual([1, 2]);
    const view = renderForm({ ...options, values: entered, rows: added });
    const cells = view.blocks.map(({ block_id }) => block_id ?? '').filter((id) => /^folders\/\d/u.test(id));
    expect(cells).toEqual(['folders/1/bucket', 'folders/1/folder', 'folders/2/bucket', 'folders/2/folder']);
  });

  test('are recognized by any of their blocks, so that removed ones stay removed', () => {
    const none = renderForm({ ...options, values: entered, rows: { folders: [] } }).blocks;
    const shownFields = new Set(none.map(({ block_id: id = '' }) => fieldOfBlock(id)));
    expect(fields.map(({ name }) => name).filter((name) => !shownFields.has(name))).toEqual([]);
    expect([fieldOfBlock('folders/0/bucket'), fieldOfBlock('row:remove/folders/0')]).toEqual([
      'folders',
      'folders',
    ]);
  });

  test('are ten at most', () => {
    let rows = two;
    for (let count = 0; count < 20; count += 1) rows = changedRows(rows, 'row:add', 'folders');
    expect(rows['folders']?.length).toBe(10);
    expect(outline(renderForm({ ...options, rows }).blocks)).not.toContain('row:add');
  });

  test.each([
    ['value', 'x'],
    ['row:remove', 'folders'],
    ['row:remove', 'folders/99'],
    ['row:remove', ''],
  ])('are not changed by %s %s', (action, value) => {
    expect(changedRows(two, action, value)['folders']).toEqual(two['folders']);
  });
});

describe('a problem with a form', () => {
  test('is shown at its field, or else at the first field', () => {
    const problems = [
      { field: 'bucket', text: 'Too short.' },
      { field: 'bucket', text: 'Not known.' },
      { field: 'folders', text: 'One is needed.' },
      { field: 'hidden', text: 'Missing.' },
    ];
    expect(formErrors(problems, ['storage', 'bucket', 'folders/3/bucket'])).toEqual({
      bucket: 'Too short. Not known.',
      'folders/3/bucket': 'One is needed.',
      storage: 'Missing.',
    });
  });

  test('is shown at its cell of a row, whatever empty rows are in between', () => {
    const rows = {
      folders: [
        { number: 2, cells: { bucket: 'one' } },
        { number: 5, cells: {} },
        { number: 6, cells: { folder: 'f' } },
      ],
    };
    const blocks = ['folders/2/bucket', 'folders/5/bucket', 'folders/6/bucket', 'folders/6/folder'];
    const fault = { field: 'folders', text: 'Bucket: is required.', cell: { row: 1, column: 'bucket' } };
    expect(formErrors([fault], blocks, rows)).toEqual({ 'folders/6/bucket': 'Bucket: is required.' });
  });

  test('marks the fields that the plan needs now, columns too, and repeats only names of secrets', () => {
    const plan = {
      fields: ['size', 'secret', 'folders'],
      redraw: [],
      required: ['size', 'folders', 'folders/bucket'],
      columns: { folders: ['bucket'] },
    };
    const view = renderForm({ ...options, plan, values: { secret: 'hunter2' } });
    expect(outline(view.blocks)).not.toContain('hunter2');
    expect(outline(view.blocks)).not.toContain('folders/0/folder');
    const optional = view.blocks.flatMap((block) =>
      block.type === 'input' && 'optional' in block && block.optional ? [block.block_id] : [],
    );
    expect(optional).toEqual(['secret', 'ask:reason']);
  });
});

describe('the memory of a form', () => {
  test('comes back as it was', () => {
    const whole = {
      ...metadata,
      source: 'r-1',
      breakGlass: 'fire',
      responseUrl: 'https://hooks.slack.com/1',
    };
    expect(metadataIn(operationMetadata.write(whole))).toEqual(whole);
  });

  test.each(['', 'x', '{}', '[]', 'null', '{"operation":1}', `{"operation":"${'x'.repeat(200)}"}`])(
    'is empty if it is forged: %s',
    (text) => expect(metadataIn(text)).toBeUndefined(),
  );
});

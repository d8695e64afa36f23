import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { until } from '../../../../../test/until.ts';
import { readPayload, type Pages, openPagesForEach } from './open-pages.ts';
import { option, plain, view } from './form-view.ts';

let slack: Pages;
let page: Page;
openPagesForEach(async (opened) => {
  slack = opened;
  page = await slack.open();
});

/** Answers submissions with `answer`, and acknowledges everything else. */
function answerSubmissions(answer: (nth: number) => object | undefined): void {
  let nth = 0;
  slack.app.answer = (received, response) => {
    const { type } = readPayload(received.payload);
    const body = type === 'view_submission' ? answer((nth += 1)) : undefined;
    response
      .setHeader('content-type', 'application/json')
      .end(body === undefined ? '' : JSON.stringify(body));
  };
}

const dialog = () => page.getByRole('dialog');
const text = { type: 'plain_text_input' };

async function submitted(): Promise<unknown> {
  return (await slack.payload('view_submission')).view?.state.values;
}

/** An input, what a person enters, and what the app gets for it. */
const INPUTS: [string, object, () => Promise<unknown>, object][] = [
  ['text', text, () => page.getByLabel('field').fill('hello'), { value: 'hello' }],
  [
    'text of several lines',
    { ...text, multiline: true },
    async () => {
      await page.getByLabel('field').fill('one');
      await page.keyboard.press('Enter');
      await page.keyboard.type('two');
    },
    { value: 'one\ntwo' },
  ],
  ['existing text', { ...text, initial_value: 'as it was' }, async () => undefined, { value: 'as it was' }],
  [
    'a number',
    { type: 'number_input', is_decimal_allowed: false },
    () => page.getByLabel('field').fill('42'),
    { value: '42' },
  ],
  [
    'an address',
    { type: 'url_text_input' },
    () => page.getByLabel('field').fill('https://example.org'),
    { value: 'https://example.org' },
  ],
  [
    'an e-mail address',
    { type: 'email_text_input' },
    () => page.getByLabel('field').fill('a@example.org'),
    { value: 'a@example.org' },
  ],
  [
    'a choice',
    { type: 'static_select', options: [option('s3'), option('ftp')] },
    async () => {
      await page.getByLabel('field').press('ArrowDown');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
    },
    { selected_option: option('ftp') },
  ],
  [
    'checkboxes',
    { type: 'checkboxes', options: [option('one'), option('two')] },
    () => page.getByRole('group', { name: 'field' }).getByLabel('two').check(),
    { selected_options: [option('two')] },
  ],
  [
    'radio buttons',
    { type: 'radio_buttons', options: [option('one'), option('two')] },
    () => page.getByRole('radiogroup', { name: 'field' }).getByLabel('one').check(),
    { selected_option: option('one') },
  ],
  [
    'a date',
    { type: 'datepicker' },
    () => page.getByLabel('field').fill('2026-11-21'),
    { selected_date: '2026-11-21' },
  ],
  [
    'rich text',
    { type: 'rich_text_input' },
    () => page.getByLabel('field').fill('rich'),
    { rich_text_value: { type: 'rich_text' } },
  ],
  [
    'a file',
    { type: 'file_input', max_files: 1 },
    async () => {
      await page
        .getByLabel('field')
        .setInputFiles({ name: 'log.txt', mimeType: 'text/plain', buffer: Buffer.from('lines') });
      await page.getByRole('button', { name: 'Remove log.txt' }).waitFor();
    },
    { files: [{ name: 'log.txt' }] },
  ],
];

describe('a form hands over', () => {
  it.each(INPUTS)('%s', async (_name, element, enter, value) => {
    await slack.openModal(page, view({ field: element }));
    await enter();
    await page.getByRole('button', { name: 'Save' }).click();
    expect(await submitted()).toMatchObject({ field: { a: value } });
    await dialog().waitFor({ state: 'detached' });
  });

  it('what was chosen after the options were loaded', async () => {
    slack.app.answer = (received, response) => {
      const asked = readPayload(received.payload).type === 'block_suggestion';
      const group = { label: plain('Metrics'), options: [option('edge_5xx'), option('edge_4xx')] };
      response
        .setHeader('content-type', 'application/json')
        .end(asked ? JSON.stringify({ option_groups: [group] }) : '');
    };
    await slack.openModal(page, view({ field: { type: 'multi_external_select', min_query_length: 0 } }));
    await page.getByLabel('field').click();
    await page.getByRole('option', { name: 'edge_4xx' }).click();
    await page.getByRole('option', { name: 'edge_5xx' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Save' }).click();
    expect(await submitted()).toMatchObject({
      field: { a: { selected_options: [option('edge_4xx'), option('edge_5xx')] } },
    });
  });
});

describe('a form', () => {
  it('is filled and sent by keyboard alone, from its first field on', async () => {
    await slack.openModal(page, view({ name: text, note: text }));
    await dialog().waitFor();
    await page.keyboard.type('log-bucket');
    await page.keyboard.press('Tab');
    await page.keyboard.type('nightly');
    await page.keyboard.press('Enter');
    expect(await submitted()).toMatchObject({
      name: { a: { value: 'log-bucket' } },
      note: { a: { value: 'nightly' } },
    });
  });

  it('keeps the keyboard within, and gives it back', async () => {
    await slack.openModal(page, view({ name: text }));
    await dialog().waitFor();
    for (let step = 0; step < 8; step += 1) {
      await page.keyboard.press('Tab');
      expect(await page.locator('.app :focus').count()).toBe(0);
    }
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    expect(await page.locator('textarea:focus').getAttribute('aria-label')).toBe('Message #ops');
  });

  it('says at the field what is missing, and goes there', async () => {
    await slack.openModal(page, view({ first: text, second: text }, {}, ['first']));
    await page.getByRole('button', { name: 'Save' }).click();
    await page
      .getByRole('alert')
      .getByText(/required/)
      .waitFor();
    const field = page.getByLabel('second');
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    expect(await page.locator('[aria-invalid]:focus').count()).toBe(1);
    expect(await page.getByLabel('first').getAttribute('aria-invalid')).toBeNull();
    expect(slack.app.received.filter(({ form }) => form['payload'])).toEqual([]);
  });

  it('shows the errors of the app at their fields, and is sent again', async () => {
    answerSubmissions((nth) =>
      nth === 1 ? { response_action: 'errors', errors: { bucket: 'No such bucket.' } } : undefined,
    );
    await slack.openModal(page, view({ bucket: text }));
    await page.getByLabel('bucket').fill('nope');
    await page.keyboard.press('Enter');
    await page.getByText('No such bucket.').waitFor();
    const described = await page.getByLabel('bucket').getAttribute('aria-describedby');
    expect(await page.locator(`[id="${String(described)}"]`).textContent()).toBe('No such bucket.');
    await page.getByLabel('bucket').fill('logs');
    await page.keyboard.press('Enter');
    await dialog().waitFor({ state: 'detached' });
  });

  it('says that there was trouble when no one acknowledges, and keeps what was entered', async () => {
    await slack.openModal(page, view({ bucket: text }));
    slack.app.answer = (_received, response) => response.writeHead(500).end();
    await page.getByLabel('bucket').fill('logs');
    await page.keyboard.press('Enter');
    await dialog()
      .getByRole('alert')
      .getByText(/trouble connecting/)
      .waitFor();
    expect(await page.getByLabel('bucket').inputValue()).toBe('logs');
    answerSubmissions(() => undefined);
    await page.getByRole('button', { name: 'Save' }).click();
    await dialog().waitFor({ state: 'detached' });
  });
});

describe('a stack of modals', () => {
  const second = view({ other: text }, { title: plain('Second') });

  it('is pushed upon, gone back from, and keeps what was entered below', async () => {
    answerSubmissions(() => ({ response_action: 'push', view: second }));
    await slack.openModal(page, view({ name: text }, { notify_on_close: true }));
    await page.getByLabel('name').fill('kept');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Second' }).waitFor();
    await page.getByRole('button', { name: 'Back' }).click();
    await page.getByRole('heading', { name: 'Form' }).waitFor();
    expect(await page.getByLabel('name').inputValue()).toBe('kept');
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect(await slack.payload('view_closed')).toMatchObject({ is_cleared: false });
  });

  it('is left altogether by its cross', async () => {
    answerSubmissions(() => ({ response_action: 'push', view: second }));
    await slack.openModal(page, view({ name: text }));
    await page.getByLabel('name').fill('x');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Second' }).waitFor();
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    await dialog().waitFor({ state: 'detached' });
    expect(await page.getByRole('heading', { name: 'Form' }).count()).toBe(0);
  });

  it('is updated in place; fields that stay keep what was entered', async () => {
    answerSubmissions(() => ({
      response_action: 'update',
      view: view({ name: text, more: text }, { title: plain('Updated') }),
    }));
    await slack.openModal(page, view({ name: text }));
    await page.getByLabel('name').fill('kept');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Updated' }).waitFor();
    expect(await page.getByLabel('name').inputValue()).toBe('kept');
    expect(await page.getByLabel('more').inputValue()).toBe('');
  });

  it('is cleared by the app', async () => {
    answerSubmissions((nth) =>
      nth === 1 ? { response_action: 'push', view: second } : { response_action: 'clear' },
    );
    await slack.openModal(page, view({ name: text }));
    await page.getByLabel('name').fill('x');
    await page.keyboard.press('Enter');
    await page.getByLabel('other').fill('y');
    await page.keyboard.press('Enter');
    await dialog().waitFor({ state: 'detached' });
    expect(slack.app.received.filter(({ form }) => form['payload'])).toHaveLength(2);
  });
});

describe('an input that dispatches', () => {
  it('notifies the app at Enter, with the values of the form', async () => {
    const block = {
      type: 'input',
      block_id: 'kind',
      label: plain('kind'),
      dispatch_action: true,
      element: { ...text, action_id: 'a' },
    };
    await slack.openModal(page, view({}, { blocks: [block] }));
    await page.getByLabel('kind').fill('s3');
    await page.keyboard.press('Enter');
    expect(await slack.action()).toMatchObject({ action_id: 'a', value: 's3' });
    await until(() =>
      slack.app.received.every(({ payload }) => readPayload(payload).type !== 'view_submission'),
    );
    expect((await slack.payload('block_actions')).view?.state.values).toMatchObject({
      kind: { a: { value: 's3' } },
    });
  });
});

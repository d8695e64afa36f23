import { expect } from 'vitest';
import { z } from 'zod';

/** The response to a browser. */
export interface Visit {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly url: string;
}

/** A browser without a screen: it keeps the cookies of each host, and follows redirects one by one. */
export interface Visitor {
  /** Follows no redirect. */
  get(url: string, init?: RequestInit): Promise<Visit>;
  /** Follows all redirects. */
  open(url: string): Promise<Visit>;
  /**
   * Submits the only form of a page with a button (default: the first), as a browser does, from a page without a
   * referrer.
   */
  submit(page: Visit, init?: RequestInit, button?: string): Promise<Visit>;
  readonly cookies: Map<string, string>;
}

export function createVisitor(): Visitor {
  const cookies = new Map<string, string>();
  const get = async (url: string, init: RequestInit = {}): Promise<Visit> => {
    const { hostname: host } = new URL(url);
    const headers = new Headers(init.headers);
    const cookie = cookies.get(host);
    if (cookie !== undefined && !headers.has('cookie')) headers.set('cookie', cookie);
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    for (const set of response.headers.getSetCookie()) cookies.set(host, set.split(';')[0] ?? '');
    return { status: response.status, headers: response.headers, text: await response.text(), url };
  };
  const open = async (url: string): Promise<Visit> => {
    const visit = await get(url);
    const location = visit.headers.get('location');
    return location === null ? visit : open(new URL(location, url).href);
  };
  return {
    cookies,
    get,
    open,
    submit: ({ text, url }, init, button = formOf(text).buttons[0]) =>
      get(new URL(formOf(text).action, url).href, {
        method: 'POST',
        body: new URLSearchParams({ csrf: formOf(text).csrf, decision: button ?? '' }),
        headers: { origin: 'null', 'sec-fetch-site': 'same-origin' },
        ...init,
      }),
  };
}

const form = z.object({ action: z.string(), csrf: z.string(), buttons: z.array(z.string()) });

/** The one form of a page. @throws ZodError if there is none */
export function formOf(text: string): z.output<typeof form> {
  const [, action] = /<form method="post" action="([^"]+)">/u.exec(text) ?? [];
  const [, csrf] = /name="csrf" value="([^"]+)"/u.exec(text) ?? [];
  const buttons = [...text.matchAll(/<button name="decision" value="([^"]+)"/gu)].map(([, value]) => value);
  return form.parse({ action, csrf, buttons });
}

/** Checks that the page loads nothing from elsewhere, is not stored, and can't be framed. */
export function expectSafe({ headers, text }: Visit): void {
  const policy = headers.get('content-security-policy') ?? '';
  expect(policy).toMatch(/default-src 'none'.*form-action 'self'.*frame-ancestors 'none'/u);
  expect(policy).not.toMatch(/unsafe-inline|script-src|https?:/u);
  expect(headers.get('referrer-policy')).toBe('no-referrer');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(text).not.toMatch(/<script|https?:\/\//u);
  for (const part of ['<html lang="en">', 'name="viewport"', 'color-scheme']) expect(text).toContain(part);
}

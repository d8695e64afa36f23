import { z } from 'bellhop';

/** A condition on a label, as Alertmanager has it. */
const matcher = z.object({
  name: z.string(),
  value: z.string(),
  isRegex: z.boolean(),
  // Alertmanager 0.21 and older have no negative matchers.
  isEqual: z.boolean().default(true),
});
export type Matcher = z.infer<typeof matcher>;

export const silence = z.object({
  id: z.string(),
  status: z.object({ state: z.enum(['active', 'pending', 'expired']) }),
  comment: z.string(),
  createdBy: z.string(),
  endsAt: z.string(),
  matchers: z.array(matcher),
});
export type Silence = z.infer<typeof silence>;
export const silenceList = z.array(silence);

export const isOn = ({ status }: Silence): boolean => status.state !== 'expired';

export const alert = z.object({
  labels: z.record(z.string(), z.string()),
  annotations: z.record(z.string(), z.string()).default({}),
  startsAt: z.string(),
  status: z.object({ state: z.string(), silencedBy: z.array(z.string()) }),
});
export type Alert = z.infer<typeof alert>;

export const alertmanager = z
  .string()
  .max(60)
  .optional()
  .describe('The Alertmanager, if bellhop.yaml lists several.')
  .meta({ positional: true, target: 'alertmanager', placeholder: 'main' });

const settings = z.object({ url: z.string(), token: z.string().optional() });

interface Context<Http> {
  readonly target: { readonly settings: unknown };
  readonly http: (base: string, options?: { headers?: Record<string, string> }) => Http;
  readonly secret: (name: string) => string;
}

/** Connects to the target's Alertmanager, whose `url` may end in a path. */
export function connect<Http>({ target, http, secret }: Context<Http>): Http {
  const { url, token } = settings.parse(target.settings);
  return http(url, { headers: token === undefined ? {} : { authorization: `Bearer ${secret(token)}` } });
}

/** Reads `label=value`, `!=`, `=~` or `!~`, with or without quotes. Any other word is the name of an alert, literally. */
export function matcherOf(word: string): Matcher {
  const [, name = 'alertname', operator = '=', typed = word] =
    /^([a-zA-Z_][a-zA-Z0-9_]*)(=~|!~|!=|=)(.*)$/su.exec(word) ?? [];
  const value = operator !== '' && typed !== word ? typed.replace(/^"(.*)"$/su, '$1') : word;
  return { name, value, isRegex: operator.endsWith('~'), isEqual: !operator.startsWith('!') };
}

const operatorOf = ({ isRegex, isEqual }: Matcher): string =>
  isEqual ? (isRegex ? '=~' : '=') : isRegex ? '!~' : '!=';

/** For example `alertname="HighLatency"`, which Alertmanager's filter reads back. */
export const textOf = (one: Matcher): string => one.name + operatorOf(one) + JSON.stringify(one.value);

/** The same for all lists with the same matchers, in any order. */
export const keyOf = (matchers: readonly Matcher[]): string => matchers.map(textOf).toSorted().join(', ');

/** A short name for a title. */
export const titleOf = (matchers: readonly Matcher[]): string => {
  const [first] = matchers;
  const isName = first && matchers.length === 1 && first.name === 'alertname' && operatorOf(first) === '=';
  return isName ? first.value : matchers.map(textOf).join(', ');
};

export const filterOf = (matchers: readonly Matcher[]): string =>
  matchers.map((one) => `&filter=${encodeURIComponent(textOf(one))}`).join('');

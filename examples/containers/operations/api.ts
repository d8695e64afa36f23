import { z } from 'bellhop';

export const listed = z.object({
  Id: z.string(),
  Names: z.array(z.string()).default([]),
  Image: z.string(),
  State: z.string(),
  Status: z.string(),
});

export const container = z.object({
  Id: z.string(),
  Name: z.string(),
  Config: z.object({ Image: z.string(), Tty: z.boolean().default(false) }),
  State: z.object({
    Status: z.string(),
    StartedAt: z.string().default(''),
    ExitCode: z.number().default(0),
    Health: z.object({ Status: z.string() }).optional(),
  }),
});
export type Container = z.infer<typeof container>;

const settings = z.object({ socket: z.string().startsWith('/') });

interface Api {
  get<S extends z.ZodType>(path: string, schema: S): Promise<z.output<S>>;
}

export interface Context<Http = Api> {
  readonly target: { readonly settings: unknown };
  readonly http: (base: string) => Http;
}

/** Connects to the socket of Docker or Podman. */
export const connect = <Http>({ target, http }: Context<Http>): Http =>
  http(`unix:${encodeURI(settings.parse(target.settings).socket)}`);

export const pathOf = (name: string, what: string): string =>
  `/containers/${encodeURIComponent(name)}/${what}`;

export const nameOf = ({ Names, Id }: z.infer<typeof listed>): string =>
  Names[0]?.replace(/^\//u, '') ?? Id.slice(0, 12);

export const stateOf = ({ State: { Status, Health, ExitCode } }: Container): string => {
  // Without a health check, Docker has no such status, and Podman an empty one.
  const health = Health && !['none', ''].includes(Health.Status) ? `, ${Health.Status}` : '';
  return Status === 'exited' ? `exited with ${ExitCode}` : `${Status}${health}`;
};

/** The confirmation is bound to the container, its state, and when it started. */
export const factOf = (one: Container) => ({
  label: 'Container',
  value: `${one.Config.Image}, ${stateOf(one)}`,
  data: [one.Id, one.State.Status, one.State.StartedAt].join(' '),
});

/** Takes the text out of the frames in which Docker sends output and errors. A terminal's output has no frames. */
export function textOf(bytes: Uint8Array, { Config: { Tty } }: Container): string {
  if (Tty) return decoded(bytes);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const parts: Uint8Array[] = [];
  for (let at = 0; at + 8 <= bytes.length;) {
    const end = at + 8 + view.getUint32(at + 4);
    parts.push(bytes.subarray(at + 8, end));
    at = end;
  }
  return parts.map(decoded).join('');
}

const decoded = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

const hidden = '••••';

/** Hides what may be a secret: what follows such a word, credentials of HTTP, and passwords in URLs. */
export const masked = (line: string): string =>
  line
    .replaceAll(/\b(bearer|basic)\s+[\w+/=.~-]+/giu, `$1 ${hidden}`)
    .replaceAll(/([a-z][\w+.-]*:\/\/[^\s/:@]*):[^\s/]*@/giu, `$1:${hidden}@`)
    .replaceAll(
      /([\w-]*(?:password|passwd|pwd|token|secret|api[_-]?key)[\w-]*)(["']?\s*(?:[:=]\s*)?)("(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|[^\s,;&"'}\])]+)/giu,
      `$1$2${hidden}`,
    );

import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isIP } from 'node:net';

/** A certificate in PEM, for Node's `tls`. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

export interface Authority extends Certificate {
  /**
   * A certificate for hosts, valid for a year from now.
   * @param days the start and end of its validity, in days from now
   */
  issue(hosts: readonly string[], days?: readonly [from: number, until: number]): Certificate;
}

/** DER, as X.690 has it. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.of(tag, ...size), content]);
}
const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, ...parts);
const oid = (hex: string): Buffer => der(6, Buffer.from(hex, 'hex'));
const bits = (content: Buffer): Buffer => der(3, Buffer.of(0), content);
const pem = (label: string, content: Buffer): string =>
  `-----BEGIN ${label}-----\n${content.toString('base64').replaceAll(/.{1,64}/gu, '$&\n')}-----END ${label}-----\n`;

const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'));
const named = (name: string): Buffer =>
  sequence(der(0x31, sequence(oid('550403'), der(12, Buffer.from(name)))));
const extension = (id: string, value: Buffer): Buffer => sequence(oid(id), der(4, value));
const basicConstraints = extension('551d13', sequence(der(1, Buffer.of(255))));
const alternativeNames = (hosts: readonly string[]): Buffer =>
  extension(
    '551d11',
    sequence(
      ...hosts.map((host) =>
        isIP(host) === 4 ? der(0x87, Buffer.from(host.split('.').map(Number))) : der(0x82, Buffer.from(host)),
      ),
    ),
  );

const dayMs = 86_400_000;
const time = (days: number): Buffer => {
  const digits = new Date(Date.now() + days * dayMs).toISOString().replaceAll(/\D/gu, '');
  return der(23, Buffer.from(`${digits.slice(2, 14)}Z`));
};

interface Draft {
  readonly issuer: string;
  readonly subject: string;
  readonly days: readonly [from: number, until: number];
  readonly extension: Buffer;
}

/** X.509 version 3, RFC 5280. */
function signed(
  { issuer, subject, days, extension: own }: Draft,
  key: KeyObject,
  publicKey: KeyObject,
): string {
  const toSign = sequence(
    der(0xa0, der(2, Buffer.of(2))),
    der(2, Buffer.concat([Buffer.of(1), randomBytes(8)])),
    ecdsaWithSha256,
    named(issuer),
    sequence(time(days[0]), time(days[1])),
    named(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(own)),
  );
  return pem('CERTIFICATE', sequence(toSign, ecdsaWithSha256, bits(sign('sha256', toSign, key))));
}

const pair = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });
const pemOf = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' });

/** A newly made certificate authority, which no one else trusts. */
export function makeAuthority(name = 'Example CA'): Authority {
  const { privateKey, publicKey } = pair();
  const own = { issuer: name, subject: name, days: [-400, 400], extension: basicConstraints } as const;
  return {
    cert: signed(own, privateKey, publicKey),
    key: pemOf(privateKey),
    issue(hosts, days = [-1, 365]) {
      const keys = pair();
      const draft = { issuer: name, subject: hosts[0] ?? '', days, extension: alternativeNames(hosts) };
      return { cert: signed(draft, privateKey, keys.publicKey), key: pemOf(keys.privateKey) };
    },
  };
}

// The parts of Node's Buffer that verify a log, for browsers.

const encoder = new TextEncoder();
const decoder = new TextDecoder();

const latin1Of = (bytes: Uint8Array): string => {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
};

const fromLatin1 = (text: string): Bytes => {
  const bytes = new Bytes(text.length);
  for (let i = 0; i < text.length; i += 1) bytes[i] = text.charCodeAt(i);
  return bytes;
};

function fromBase64(text: string): Bytes {
  try {
    return fromLatin1(atob(text.replaceAll('-', '+').replaceAll('_', '/')));
  } catch {
    return new Bytes(0);
  }
}

const hexes = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

const digitOf = (code: number): number => (code > 57 ? (code | 32) - 87 : code - 48);

function fromHex(text: string): Bytes {
  const bytes = new Bytes(Math.floor(text.length / 2));
  for (let i = 0; i < bytes.length; i += 1)
    bytes[i] = (digitOf(text.charCodeAt(2 * i)) << 4) | digitOf(text.charCodeAt(2 * i + 1));
  return bytes;
}

export class Bytes extends Uint8Array {
  equals(other: Uint8Array): boolean {
    return this.length === other.length && this.every((byte, index) => byte === other[index]);
  }

  override toString(encoding = 'utf8', from = 0, to = this.length): string {
    const part = this.subarray(from, to);
    if (encoding === 'utf8') return decoder.decode(part);
    if (encoding === 'hex') {
      let text = '';
      for (const byte of part) text += hexes[byte] ?? '';
      return text;
    }
    const latin1 = latin1Of(part);
    if (encoding === 'latin1') return latin1;
    const base64 = btoa(latin1);
    return encoding === 'base64url'
      ? base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
      : base64;
  }

  readBigUInt64BE(): bigint {
    return new DataView(this.buffer, this.byteOffset).getBigUint64(0);
  }
}

export const Buffer = {
  alloc: (length: number): Bytes => new Bytes(length),
  of: (...bytes: readonly number[]): Bytes => new Bytes(bytes),
  from(text: string, encoding = 'utf8'): Bytes {
    if (encoding === 'latin1') return fromLatin1(text);
    if (encoding === 'hex') return fromHex(text);
    return encoding.startsWith('base64') ? fromBase64(text) : new Bytes(encoder.encode(text));
  },
  concat(parts: readonly Uint8Array[]): Bytes {
    const whole = new Bytes(parts.reduce((sum, { length }) => sum + length, 0));
    let end = 0;
    for (const part of parts) {
      whole.set(part, end);
      end += part.length;
    }
    return whole;
  },
};

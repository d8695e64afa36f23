import { Failure } from './failure.ts';

/** The maximum bytes of a body. */
const maxBodyBytes = 1024 * 1024;

const tooLarge = () => new Failure(413, `The body is larger than ${String(maxBodyBytes)} bytes`);

/**
 * The body of a request as text.
 *
 * @throws Failure 413 if it is larger than 1 MiB, whatever its declared length.
 */
export const readBody = async (request: Request): Promise<string> => {
  if (Number(request.headers.get('content-length') ?? 0) > maxBodyBytes) throw tooLarge();
  if (!request.body) return '';
  const chunks: Uint8Array[] = [];
  let size = 0;
  const body: AsyncIterable<Uint8Array> = request.body;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > maxBodyBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
};

/** @throws Failure 400 if the body is not JSON. */
export const parseJson = (body: string): unknown => {
  try {
    return JSON.parse(body);
  } catch {
    throw new Failure(400, body.trim() === '' ? 'A JSON body is required' : 'The body is not valid JSON');
  }
};

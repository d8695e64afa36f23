import type { ServiceChoice } from '../config.ts';
import { readHttpUrl, type Settings } from './settings.ts';

/** Which service is spoken to. Undefined where a problem was found. */
export function readServiceChoice(settings: Settings): ServiceChoice | undefined {
  const { production } = settings;
  const address = settings.value('API_BASE_URL');
  const local = address === 'local';
  if (settings.allLocal || (local && !production)) return 'local';
  if (local) {
    settings.problem(
      'API_BASE_URL',
      'is “local”, which production does not allow: set the address of the service.',
    );
  } else if (address === undefined) {
    const hint = production ? '' : ', or “local” to use the local service on purpose';
    settings.problem('API_BASE_URL', `is missing: set the address of the service${hint}.`);
  }
  const baseUrl = local ? undefined : readHttpUrl(settings, 'API_BASE_URL', 'https://api.example.com')?.href;
  const apiKey = readApiKey(settings);
  const clientId = readClientId(settings);
  return baseUrl && apiKey ? { baseUrl, apiKey, clientId } : undefined;
}

function readApiKey(settings: Settings): string | undefined {
  const key = settings.value('API_KEY');
  if (key === undefined) {
    settings.problem('API_KEY', 'is missing: set the API key of the service.');
    return undefined;
  }
  if (/^[\x21-\x7e]+$/u.test(key)) return key;
  settings.problem(
    'API_KEY',
    'has a space or a character that a header cannot carry: give the key alone, without the word “apikey”.',
  );
  return undefined;
}

function readClientId(settings: Settings): number | undefined {
  const text = settings.value('API_CLIENT_ID');
  if (text === undefined) return undefined;
  if (/^\d{1,15}$/u.test(text)) return Number(text);
  settings.problem('API_CLIENT_ID', 'is not a client id: give a whole number, or leave it unset.');
  return undefined;
}

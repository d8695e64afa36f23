import { describe } from 'vitest';

import { type Moments, read } from './calendar-files.ts';

/** Two shifts in July: Alice from 9:00 to 17:00, then Bob until 9:00. */
const shiftsAt = (offset: number): Moments => {
  const at = (hour: number, minute: number) =>
    new Date(Date.UTC(2026, 6, 14, hour - offset, minute)).toISOString();
  return {
    [at(8, 59)]: [],
    [at(9, 0)]: ['alice'],
    [at(16, 59)]: ['alice'],
    [at(17, 0)]: ['bob'],
    [at(32, 59)]: ['bob'],
    [at(33, 0)]: [],
  };
};
const title = 'Bereitschaft Plattform';
const bothReported = (why: string): Moments => ({
  '2026-07-14T10:00:00Z': [`${title}: ${why}`, `${title}: ${why}`],
});

describe('time zones', () => {
  read([
    [
      'a name with an offset, and its definition',
      'exchange-display-name.ics',
      'Exchange 2010 web services',
      shiftsAt(2),
    ],
    ['a name with digits, and its definition', 'name-with-digits.ics', 'a roster tool', shiftsAt(2)],
    ['a Windows name, and its definition', 'exchange-windows-name.ics', 'Exchange Online', shiftsAt(2)],
    [
      'a Windows name without a definition',
      'exchange-windows-name-undefined.ics',
      'Exchange Online',
      bothReported('unknown time zone “W. Europe Standard Time”'),
    ],
    [
      'a name with an offset, without a definition',
      'outlook-display-name-undefined.ics',
      'Outlook 16',
      bothReported('unknown time zone “(GMT+01:00) Amsterdam, Berlin”'),
    ],
    ['EST, defined with summer time', 'outlook-est.ics', 'Outlook 16', shiftsAt(-4)],
    ['GMT, defined with summer time', 'exchange-gmt.ics', 'Exchange Online', shiftsAt(1)],
    ['Etc/GMT+5, defined with summer time', 'lotus-etc-gmt.ics', 'Lotus Notes 9', shiftsAt(-4)],
    [
      'BST, which several zones are called',
      'bst-undefined.ics',
      'a roster tool',
      bothReported('unknown time zone “BST”'),
    ],
    ['a definition without TZOFFSETFROM', 'no-offset-from.ics', 'Calendar Server', shiftsAt(2)],
    [
      'a definition without TZOFFSETFROM, in the hour after its changes',
      'no-offset-from-at-change.ics',
      'Calendar Server',
      {
        '2026-03-29T01:29:00Z': [],
        '2026-03-29T01:30:00Z': ['alice'],
        '2026-10-25T02:29:00Z': [],
        '2026-10-25T02:30:00Z': ['bob'],
      },
    ],
    [
      'a definition whose halves have no beginning',
      'no-observance-start.ics',
      'Calendar Server',
      bothReported('its time zone “Office” is incomplete or unreadable'),
    ],
    [
      'a definition without offsets',
      'no-observances.ics',
      'Calendar Server',
      bothReported('its time zone “Office” is incomplete or unreadable'),
    ],
    [
      'an offset without a sign',
      'offset-without-sign.ics',
      'Calendar Server',
      bothReported('its time zone “Office” is incomplete or unreadable'),
    ],
    ['a definition with lists of dates', 'lotus-rdate-list.ics', 'Lotus Notes 9', shiftsAt(2)],
    ['a definition whose rules ended', 'apple-ended-rules.ics', 'Apple Calendar 15.5', shiftsAt(3)],
  ]);
});

import { BLACK, WHITE } from '@rogatka/contract/options.ts'
import { EMAIL, PHONE } from '@rogatka/contract/wanted.ts'
import { DAY_MS } from '@rogatka/domain/core/time.ts'
import { listedPlate } from '@rogatka/domain/wanted/entry.ts'
import type { Database } from '../core/database.ts'
import { type ContactValues, insertContact } from './contact-queries.ts'
import { insertPlate } from './queries.ts'

/* Listed vehicles of the demo, also simulated: fictitious plates, each assigned to every n-th vehicle of its kind. */
export const demoWanted = [
  {
    plate: 'WPR 8K47M',
    nationality: 'PL',
    kind: 'van',
    every: 200,
    typeOfList: BLACK,
    description: 'Kradzież pojazdu, KPP Wyszków. Nie zatrzymywać samodzielnie.',
    allowMisread: true,
  },
  {
    plate: 'PO 7XA93',
    nationality: 'PL',
    kind: 'articulated',
    every: 150,
    typeOfList: BLACK,
    description: 'Trzykrotne przeciążenie, WITD Poznań: skierować na wagę statyczną',
    allowMisread: false,
  },
  {
    plate: 'LZA 482',
    nationality: 'LT',
    kind: 'articulated',
    every: 150,
    typeOfList: BLACK,
    description: 'Nieopłacona grzywna, GITD',
    allowMisread: false,
  },
  {
    plate: 'BI 552JK',
    nationality: 'PL',
    kind: 'lorry',
    every: 150,
    typeOfList: BLACK,
    description: 'Cofnięte zezwolenie na przewóz odpadów',
    allowMisread: false,
  },
  {
    plate: 'WE 1P402',
    nationality: 'PL',
    kind: 'lorry',
    every: 100,
    typeOfList: WHITE,
    description: 'Pojazd utrzymania drogi, zezwolenie kat. V',
    allowMisread: false,
  },
  {
    plate: 'WX 34V07',
    nationality: 'PL',
    kind: 'bus',
    every: 40,
    typeOfList: WHITE,
    description: 'Linia zastępcza, uzgodniona z zarządcą drogi',
    allowMisread: false,
  },
] as const

const demoContacts: ContactValues[] = [
  { contact: 'dyzurny@kpp.example.org', typeOfContact: EMAIL, description: 'Dyżurny KPP Wyszków', quietHours: null },
  {
    contact: '+48600100200',
    typeOfContact: PHONE,
    description: 'Patrol ITD',
    quietHours: { from: '22:00', to: '06:00' },
  },
]

/** Inserts the demo's list entries and contacts of a user. */
export async function seedDemoWanted(db: Database, userId: number, now: Date): Promise<void> {
  // Added before the first vehicle of the backfill.
  const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS)
  for (const [at, { plate, typeOfList, description, allowMisread }] of demoWanted.entries()) {
    const plateLpr = listedPlate(plate) as string
    const entry = { plateLpr, typeOfList, description, allowMisread, userId, expiresAt: null }
    await insertPlate(db, entry, daysAgo(61 + 2.3 * at))
  }
  for (const contact of demoContacts) await insertContact(db, { ...contact, userId }, daysAgo(75))
}

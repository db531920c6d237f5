import { DAY_MS, HOUR_MS, MINUTE_MS } from '@rogatka/domain/core/time.ts'
import type { Pool } from '../core/database.ts'
import { insertTicket, newestReport } from './queries.ts'

/** Demo failures: days ago, and hours until removal; null: not yet. */
const FAILURES: [
  title: string,
  description: string,
  daysAgo: number,
  hours: number | null,
  handledBy: string | null,
][] = [
  [
    'S8 Wyszków: brak zdjęć bocznych',
    'Kamera boczna pasa 2 nie przekazuje zdjęć od godzin porannych. Restart zdalny bez skutku.',
    93,
    30.5,
    'Serwis kamer',
  ],
  [
    'DK50 Sochaczew: uszkodzona szafa sterownicza',
    'Ślady włamania, drzwi szafy otwarte. Powiadomiono policję, stacja pracuje na zasilaniu awaryjnym.',
    88,
    74.25,
    'Utrzymanie Mazowsze',
  ],
  [
    'S7 Płońsk: czujnik wagi pasa 4 zawyża',
    'Odchylenie pierwszej osi ponad 9 %. Po wymianie czujnika konieczna kalibracja.',
    79,
    141,
    'Serwis wag',
  ],
  [
    'DK92 Łowicz: brak łączności',
    'Stacja nie odpowiada po burzy. Operator sieci potwierdził awarię stacji bazowej.',
    64,
    5.75,
    'Operator sieci',
  ],
  [
    'DK92 Łowicz: uszkodzony zasilacz',
    'Po powrocie łączności zasilacz pętli indukcyjnych nie podaje napięcia.',
    64,
    27,
    'Utrzymanie Łódź',
  ],
  [
    'S61 Raczki: nieczytelne tablice nocą',
    'Odczyt tablic poniżej 60 % po zmroku, promiennik podczerwieni świeci słabiej.',
    51,
    52.5,
    'Serwis kamer',
  ],
  [
    'S8 Wyszków: znak VMS nie reaguje',
    'Znak przed stacją pokazuje ostatnią treść mimo polecenia wyłączenia.',
    45,
    8.25,
    'Utrzymanie Mazowsze',
  ],
  [
    'DK12 Chełm: pętla pasa 1',
    'Przerwa w pętli po frezowaniu nawierzchni, pas 1 nie liczy pojazdów.',
    33,
    215,
    'Utrzymanie Lublin',
  ],
  ['S7 Płońsk: zabrudzona kamera przednia', 'Zdjęcia przednie pasa 1 rozmyte. Umyto obudowę.', 24, 3.5, 'Serwis kamer'],
  [
    'DK50 Sochaczew: rozbieżność zegara',
    'Zegar stacji spóźniał się o 4 minuty, brak synchronizacji czasu.',
    17,
    1.25,
    'Administrator systemu',
  ],
  [
    'S61 Raczki: koleina przed wagą',
    'Koleina głębokości około 12 mm na dojeździe do wagi, rozrzut nacisków rośnie.',
    12,
    null,
    'Zarząd Dróg, Suwałki',
  ],
  [
    'DK12 Chełm: kamera poglądowa',
    'Obraz z kamery poglądowej zatrzymuje się co kilka minut.',
    6,
    18.75,
    'Serwis kamer',
  ],
  ['S8 Wyszków: światło ostrzegawcze znaku', 'Nie świeci prawy górny pulsator znaku przed stacją.', 3, null, null],
  ['DK92 Łowicz: brak zdjęć tyłu', 'Kamera tylna pasa 2 przekazuje czarny obraz.', 1, null, 'Serwis kamer'],
]

/** Inserts some months of tickets, the latest open or in progress, unless there are any. */
export async function seedDemoTickets(
  db: Pool,
  organization: string | null,
  userId: number | null,
  now: Date,
): Promise<void> {
  if ((await newestReport(db, organization)) !== null) return
  for (const [i, [title, description, daysAgo, hours, handleBy]] of FAILURES.entries()) {
    // At realistic times: between 6:00 and 14:00 UTC, never on the hour.
    const day = Math.floor(now.getTime() / DAY_MS) * DAY_MS - daysAgo * DAY_MS
    const createdAt = new Date(day + 6 * HOUR_MS + ((i * 97 + 23) % 480) * MINUTE_MS)
    const closedAt = hours === null ? null : new Date(createdAt.getTime() + hours * HOUR_MS)
    await db.transaction((db) =>
      insertTicket(db, organization, {
        title,
        description,
        status: closedAt ? 'closed' : handleBy ? 'in_progress' : 'open',
        createdAt,
        closedAt,
        handleBy,
        userId,
        reporterName: null,
        reporterEmail: null,
        about: null,
      }),
    )
  }
}

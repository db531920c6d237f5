import type { Database } from '../core/database.ts'
import { addCommands, addGroup, addSign, groups, signs, upsertContent } from './queries.ts'
import { injectFaults } from './simulated/queries.ts'

/*
 * Signs of the demo: before each station's exit to the scales one that warns, one with text that calls vehicles, and one
 * that slows the others down. At the first stations they speak NTCIP 1203 over the network, as real ones do.
 */
const OVER_THE_NETWORK = 3
const COMMUNITY = 'public'
const BEGIN_WITHIN_MS = 60_000

/** Stations whose preselection is on when the demo begins. */
const ENABLED = [1, 2, 4]
/** Two signs that are not well, so that the screen has something to show. */
const UNWELL = new Map<string, Parameters<typeof injectFaults>[2]>([
  ['5/3', { faults: ['pixel', 'door'] }],
  ['6/1', { offline: true }],
])

const CONTENTS = [
  { description: 'Kontrola – symbol', pictogram: 'control', graphic: 1, lines: [] },
  { description: 'Ciężarowe na wagę', pictogram: 'weigh', graphic: 2, lines: ['NA WAGĘ'] },
  { description: 'Zjazd do kontroli', pictogram: null, graphic: null, lines: ['KONTROLA', 'ZJAZD 1200 M'] },
  { description: 'Wszystkie ciężarowe', pictogram: null, graphic: null, lines: ['CIĘŻAROWE', 'ZJAZD DO KONTROLI'] },
  { description: 'Zakaz wyprzedzania', pictogram: 'overtaking-forbidden', graphic: 3, lines: [] },
  { description: 'Ograniczenie do 70', pictogram: 'speed-70', graphic: 4, lines: [] },
  { description: 'Ograniczenie do 50', pictogram: 'speed-50', graphic: 5, lines: [] },
  { description: 'Uwaga, kontrola', pictogram: 'danger', graphic: 6, lines: ['KONTROLA'] },
]
const VARIANTS = ['Preselekcja', 'Wszystkie ciężarowe do kontroli', 'Uwaga na kontrolę']
/** Of each sign in each variant, by place in CONTENTS. */
const OF_SIGNS = [
  [0, 1, 7],
  [2, 3, 2],
  [4, 6, 5],
]

type DemoStation = { id: number; shortName: string; roadNumber: string; chainage: string }

/** The chainage so many metres on. */
function further(chainage: string, metres: number): string {
  const [kilometre = 0, metre = 0] = chainage.split('+').map(Number)
  const all = kilometre * 1000 + metre + metres
  return `${Math.floor(all / 1000)}+${String(all % 1000).padStart(3, '0')}`
}

/** Puts up the demo's signs, once, in the name of an administrator. */
export async function addDemoSigns(
  db: Database,
  places: readonly DemoStation[],
  userId: number,
  now: Date,
): Promise<void> {
  if ((await groups(db, undefined)).length > 0) return
  const ids: number[] = []
  for (const content of CONTENTS) ids.push(await upsertContent(db, content))
  for (const [index, { id, shortName, roadNumber, chainage }] of places.entries()) {
    const description = `${shortName} – znaki przed punktem kontrolnym`
    const groupId = await addGroup(db, { locationId: id, description, variants: VARIANTS })
    const driver = index < OVER_THE_NETWORK ? 'ntcip1203' : 'simulated'
    for (const [place, own] of OF_SIGNS.entries()) {
      const signId = await addSign(db, {
        groupId,
        roadNumber,
        chainage: further(chainage, 900 + place * 250),
        driver,
        host: driver === 'ntcip1203' ? '127.0.0.1' : `10.20.${id}.${11 + place}`,
        port: 161,
        community: COMMUNITY,
        showsPlates: place === 1,
        contentIds: own.map((content) => ids[content] as number),
      })
      const unwell = UNWELL.get(`${id}/${place + 1}`)
      if (unwell) await injectFaults(db, signId, unwell)
      if (!ENABLED.includes(id)) continue
      const deadline = new Date(now.getTime() + BEGIN_WITHIN_MS)
      const order = { signId, userId, ip: null, askedAt: now, deadline }
      await addCommands(db, [{ ...order, kind: 'variant', variant: 1 }])
    }
  }
}

/** Signs of the demo that speak over the network: the simulator gives each its place there. */
export const networkSigns = async (db: Database) =>
  (await signs(db)).filter(({ driver, host }) => driver === 'ntcip1203' && host === '127.0.0.1')

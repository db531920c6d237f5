import type { Database } from '../core/database.ts'
import { groups, insertCommands, insertGroup, insertSign, signs, upsertContent } from './queries.ts'
import { injectFaults } from './simulated/queries.ts'

/*
 * Signs of the demo: before the exit of each station one with a warning, one with text that directs vehicles, and one
 * with a speed limit. Those of the first stations use NTCIP 1203 over the network, as real ones do.
 */
const NETWORK_STATIONS = 3
const COMMUNITY = 'public'
const COMMAND_DEADLINE_MS = 60_000

/** Stations with preselection enabled at the start of the demo. */
const ENABLED = [1, 2, 4]
/** Two signs with faults, to show on the screen. */
const FAULTY = new Map<string, Parameters<typeof injectFaults>[2]>([
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
/** Indexes in CONTENTS by sign and variant. */
const CONTENTS_BY_SIGN = [
  [0, 1, 7],
  [2, 3, 2],
  [4, 6, 5],
]

type DemoStation = { id: number; shortName: string; roadNumber: string; chainage: string }

/** The chainage a number of metres further. */
function addMetres(chainage: string, metres: number): string {
  const [kilometre = 0, metre = 0] = chainage.split('+').map(Number)
  const total = kilometre * 1000 + metre + metres
  return `${Math.floor(total / 1000)}+${String(total % 1000).padStart(3, '0')}`
}

/** Inserts the demo's signs once, for an administrator. */
export async function insertDemoSigns(
  db: Database,
  stations: readonly DemoStation[],
  userId: number,
  now: Date,
): Promise<void> {
  if ((await groups(db, undefined)).length > 0) return
  const ids: number[] = []
  for (const content of CONTENTS) ids.push(await upsertContent(db, content))
  for (const [index, { id, shortName, roadNumber, chainage }] of stations.entries()) {
    const description = `${shortName} – znaki przed punktem kontrolnym`
    const groupId = await insertGroup(db, { locationId: id, description, variants: VARIANTS })
    const driver = index < NETWORK_STATIONS ? 'ntcip1203' : 'simulated'
    for (const [position, own] of CONTENTS_BY_SIGN.entries()) {
      const signId = await insertSign(db, {
        groupId,
        roadNumber,
        chainage: addMetres(chainage, 900 + position * 250),
        driver,
        host: driver === 'ntcip1203' ? '127.0.0.1' : `10.20.${id}.${11 + position}`,
        port: 161,
        community: COMMUNITY,
        showsPlates: position === 1,
        contentIds: own.map((content) => ids[content] as number),
      })
      const faults = FAULTY.get(`${id}/${position + 1}`)
      if (faults) await injectFaults(db, signId, faults)
      if (!ENABLED.includes(id)) continue
      const deadline = new Date(now.getTime() + COMMAND_DEADLINE_MS)
      const command = { signId, userId, ip: null, askedAt: now, deadline }
      await insertCommands(db, [{ ...command, kind: 'variant', variant: 1 }])
    }
  }
}

/** Signs of the demo on the network, run by the simulator. */
export const networkSigns = async (db: Database) =>
  (await signs(db)).filter(({ driver, host }) => driver === 'ntcip1203' && host === '127.0.0.1')

import type { TestApi } from '../testing/test-api.ts'
import { testStation } from '../testing/test-api.ts'
import { insertGroup, insertSign, type NewSign, upsertContent } from './queries.ts'

/**
 * Polls until the function returns a value.
 * @throws after the timeout
 */
export async function until<T>(poll: () => Promise<T | undefined | false>, timeoutMs = 15_000): Promise<T> {
  const end = performance.now() + timeoutMs
  for (;;) {
    const found = await poll()
    if (found) return found
    if (performance.now() > end) throw new Error('it did not happen')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

const simulated = { driver: 'simulated', host: '10.1.1.1', port: 161, community: 'public' } as const

/** A group at the test station with a sign for pictograms and one for plates, and two variants. */
export async function testSigns(
  api: TestApi,
  addresses: Pick<NewSign, 'driver' | 'host' | 'port' | 'community'>[] = [],
) {
  const { db } = api
  await api.station()
  const group = { locationId: testStation.id, description: 'Preselekcja', variants: ['Kontrola', 'Ograniczenie'] }
  const groupId = await insertGroup(db, group)
  const weigh = await upsertContent(db, { description: 'Waga', pictogram: 'weigh', graphic: 1, lines: ['KONTROLA'] })
  const slow = await upsertContent(db, { description: '50', pictogram: 'speed-50', graphic: 2, lines: [] })
  const text = await upsertContent(db, {
    description: 'Na wagę',
    pictogram: null,
    graphic: null,
    lines: ['ZJAZD', 'NA WAGĘ'],
  })
  const place = { groupId, roadNumber: 'S8', chainage: '1+900' }
  const first = { ...place, ...(addresses[0] ?? simulated), showsPlates: false, contentIds: [weigh, slow] }
  const second = {
    ...place,
    ...(addresses[1] ?? simulated),
    chainage: '2+000',
    showsPlates: true,
    contentIds: [text, text],
  }
  const signIds = [await insertSign(db, first), await insertSign(db, second)] as const
  return { groupId, signIds, contents: { weigh, slow, text } }
}

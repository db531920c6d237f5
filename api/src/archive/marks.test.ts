import { search } from '@rogatka/contract/archive.ts'
import { vehicleId } from '@rogatka/contract/ingest.ts'
import { addPlate, markHit } from '@rogatka/contract/wanted.ts'
import { expect, test } from 'vitest'
import { car, send } from '../ingest/testing.ts'
import { type Client, testApi } from '../testing/test-api.ts'

const DAY = { dateTimeStart: '2026-10-20T00:00:00Z', dateTimeEnd: '2026-10-21T00:00:00Z', locations: 7 }

const marksFor = async (user: Client) =>
  (await user.call(search, { query: { ...DAY, orderDirection1: 'asc' } })).body.content.map(({ wanted }) => wanted)

test('marks wanted and white-listed vehicles only for users who may see the entries', async () => {
  const api = await testApi()
  const owner = await api.as('ArchiveMeasurements', 'WantedList')
  const manager = await api.as('ArchiveMeasurements', 'WantedList', 'UserManagement')
  const restricted = await api.as('ArchiveMeasurements', 'WantedList', 'UserManagement', 'Anonymization')
  const stranger = await api.as('ArchiveMeasurements', 'WantedList')
  const withoutLists = await api.as('ArchiveMeasurements', 'UserManagement')
  const add = async (plateLpr: string, typeOfList: 0 | 1, description: string) => {
    const { status, body } = await owner.call(addPlate, { body: { plateLpr, typeOfList, description } })
    expect(status).toBe(200)
    return body.id
  }
  const black = await add('WX 1', 0, 'Kradzież, WX1')
  await add('WX 2', 1, 'Służba drogowa')
  const at = (minute: number) => `2026-10-20T07:5${minute}:00.000Z`
  const passages = [1, 2, 3].map((sequence) => car(sequence, { plateLpr: `WX ${sequence}`, createdAt: at(sequence) }))
  expect((await send(await api.station(), passages)).body.accepted).toBe(3)

  const wanted = { typeOfList: 0, description: 'Kradzież, WX1' }
  const white = { typeOfList: 1, description: 'Służba drogowa' }
  for (const user of [owner, manager]) expect(await marksFor(user)).toEqual([wanted, white, undefined])
  for (const user of [stranger, withoutLists]) expect(await marksFor(user)).toEqual([undefined, undefined, undefined])
  const [masked] = await marksFor(restricted)
  expect(masked?.typeOfList).toBe(0)
  expect(masked?.description).not.toContain('WX1')

  const hit = { params: { id: black, vehicleId: vehicleId(7, 1) }, query: { createdAt: at(1) } }
  expect((await owner.call(markHit, { ...hit, body: { falseHit: true } })).status).toBe(204)
  expect(await marksFor(owner)).toEqual([undefined, white, undefined])
})

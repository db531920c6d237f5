import { list } from '@rogatka/contract/locations.ts'
import { expect, test, vi } from 'vitest'
import { sql } from '../core/statement.ts'
import { testApi } from '../testing/test-api.ts'
import { stationCommands } from './manage.ts'

test('commands set coordinates, direction of chainage and the limit of silence of a station, and show them', async () => {
  const api = await testApi()
  await api.station()
  const user = await api.as('Stat')
  const said = vi.spyOn(console, 'log').mockImplementation(() => {})
  const run = async (command: string, options: Record<string, string>) => {
    said.mockClear()
    await stationCommands[command]?.(api.db, options, api.clock.now)
    return said.mock.calls.map(([line]) => line)
  }
  const shown = async () => {
    const [found] = (await user.call(list)).body
    return [found?.latitude, found?.longitude, found?.silentAfterMinutes, found?.chainageAscends]
  }
  expect(await shown()).toEqual([null, null, 30, null])
  const place = { latitude: '52.3421', longitude: '21.1873' }
  expect(await run('location set', { id: '7', ...place, 'silent-after': '45', 'chainage-grows': 'no' })).toEqual([
    '7\tS8 Test\t1+000 falls\t52.3421 N, 21.1873 E\tsilent after 45 min',
  ])
  expect(await shown()).toEqual([52.3421, 21.1873, 45, false])
  for (const wrong of [
    { latitude: '52.3' },
    { latitude: '-', longitude: '21' },
    { latitude: '90.01', longitude: '21' },
    { latitude: '52', longitude: '180.5' },
    { latitude: '52,3', longitude: '21' },
    { 'silent-after': '0' },
    { 'silent-after': '1441' },
    { 'chainage-grows': 'up' },
    {},
  ])
    await expect(run('location set', { id: '7', ...wrong }), JSON.stringify(wrong)).rejects.toThrow()
  await expect(run('location set', { id: '8', ...place })).rejects.toThrow('location-not-found')
  expect(await shown()).toEqual([52.3421, 21.1873, 45, false])

  await run('location set', { id: '7', latitude: '-', longitude: '-' })
  expect(await shown()).toEqual([null, null, 45, false])
  await run('location set', { id: '7', 'silent-after': '-', 'chainage-grows': '-' })
  expect(await run('location show', { id: '7' })).toEqual(['7\tS8 Test\t1+000\tno coordinates\tsilent after 30 min'])

  const added = { id: '8', 'short-name': 'S8 Nowa', name: 'Nowa', road: 'S8', chainage: '2+000', direction: 'Warszawa' }
  await run('station add', {
    ...added,
    lanes: 'B+(7)',
    latitude: '-33.9',
    longitude: '+151.2',
    'chainage-grows': 'yes',
  })
  expect(await shown()).toEqual([-33.9, 151.2, 30, true])
  // The same rules as those of the API.
  await expect(run('station add', { ...added, id: '8192', lanes: '-' })).rejects.toThrow('value-too-large')
  await expect(run('location set', { id: '8', lanes: 'B+(7),X' })).rejects.toThrow()
  await run('location set', { id: '8', lanes: 'B(10),-', 'short-name': 'S8 Druga', 'speed-limit': '90' })
  await run('station close', { id: '8', reason: 'Przebudowa' })
  expect((await run('station list', {})).at(-1)).toMatch(/^8\tS8 Druga\t2 lanes.*1 keys\tclosed 2026-10-20T08/)
  await run('station reopen', { id: '8' })
  expect(await run('station revoke-key', { id: '8', key: '2' })).toEqual(['Key 2 of station 8 is revoked'])
  expect((await run('station keys', { id: '8' }))[0]).toMatch(/^2\trevoked/)
  const audited = await api.db.query<{ action: string; user: number | null }>(
    sql`select action, user_id as user from audit where subject = 'S8 Druga' order by id`,
  )
  const actions = ['station-changed', 'station-closed', 'station-reopened', 'station-key-revoked']
  expect(audited).toEqual(actions.map((action) => ({ action, user: null })))
})

import { list } from '@rogatka/contract/locations.ts'
import { expect, test, vi } from 'vitest'
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
  await expect(run('location set', { id: '8', ...place })).rejects.toThrow('Station 8 not found')
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
})

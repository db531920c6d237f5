import * as vms from '@rogatka/contract/vms.ts'
import { expect, test, vi } from 'vitest'
import { testApi, testStation } from '../testing/test-api.ts'
import { signCommands } from './manage.ts'

test('commands create groups, contents and signs, but change none while the group is enabled', async () => {
  const api = await testApi()
  await api.station()
  const operator = await api.as('Vms')
  const said = vi.spyOn(console, 'log').mockImplementation(() => {})
  const run = async (command: string, options: Record<string, string> = {}) => {
    said.mockClear()
    await signCommands[command]?.(api.db, options, api.clock.now)
    return said.mock.calls.map(([line]) => String(line))
  }

  const station = String(testStation.id)
  const [group = ''] = await run('sign group', { station, description: 'Preselekcja', variants: 'Kontrola, Objazd' })
  const groupId = Number(group.replace('group ', ''))
  const contents = []
  for (const lines of ['KONTROLA|ZJAZD', 'OBJAZD'])
    contents.push((await run('sign content', { description: lines, lines }))[0]?.replace('content ', ''))
  const place = { group: String(groupId), road: 'S8', chainage: '1+900', driver: 'simulated', host: '10.0.0.5' }
  const sign = { ...place, plates: 'yes', contents: contents.join(',') }
  await expect(run('sign add', { ...sign, contents: '1' })).rejects.toThrow('contents-by-variant')
  const [added = ''] = await run('sign add', sign)
  await expect(run('sign add', sign)).rejects.toThrow('plate-sign-exists')
  await expect(run('sign content', { description: 'leer' })).rejects.toThrow('content-empty')
  await expect(run('sign content', { description: 'dunkel', pictogram: 'weigh' })).rejects.toThrow('graphic-missing')
  expect((await run('sign list')).join('\n')).toMatch(
    /Preselekcja[\s\S]*10\.0\.0\.5:161[\s\S]*shows plates[\s\S]*\[nl\]ZJAZD/,
  )

  const { body } = await operator.call(vms.enableVariant, { params: { groupId, variantId: 2 } })
  expect(body.group.vms[0]?.shows?.text).toBe('OBJAZD')
  const change = { sign: added.replace('sign ', ''), variant: '1', content: contents[1] as string }
  await expect(run('sign set-content', change)).rejects.toThrow('sign-group-enabled')
  await operator.call(vms.disableVariant, { params: { groupId } })
  await run('sign set-content', change)
  await run('sign behave', { sign: change.sign, faults: 'lamp,door', mode: 'local' })
  await run('sign remove', { sign: change.sign })
  expect((await operator.call(vms.groups)).body[0]?.vms).toEqual([])
})

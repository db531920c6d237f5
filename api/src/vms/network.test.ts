import { vehicleId } from '@rogatka/contract/ingest.ts'
import * as vms from '@rogatka/contract/vms.ts'
import { expect, test } from 'vitest'
import { car, send } from '../ingest/testing.ts'
import { testApi, testStation } from '../testing/test-api.ts'
import { startSimulatedSigns } from './ntcip1203/testing.ts'
import { testSigns, until } from './testing.ts'

const PLATE = '[jp3][jl3]KONTROLA[nl]WX 10001'
const CONTENT = '[jp3][jl3]ZJAZD[nl]NA WAGE'

test('a sign that does not answer does not block others, and content is restored after a power loss', async () => {
  const { addresses, tell } = await startSimulatedSigns(2)
  const api = await testApi()
  const { groupId } = await testSigns(api, addresses)
  const operator = await api.as('Vms')
  const statuses = async () => (await operator.call(vms.groups)).body[0]?.vms.map(({ vmsStatus }) => vmsStatus) ?? []
  await operator.call(vms.enableVariant, { params: { groupId, variantId: 1 } })
  expect((await tell({ ask: 2 })).shows).toBe(CONTENT)

  await tell({ restart: 2 })
  await until(async () => (await tell({ ask: 2 })).shows === CONTENT)

  await tell({ trouble: { id: 1, silent: true } })
  await until(async () => (await statuses())[0]?.available === false)
  expect((await statuses())[1]).toMatchObject({ status: 'OK', circuit: 'closed' })
  await tell({ trouble: { id: 1 } })
  await until(async () => (await statuses())[0]?.available)
})

test('clears an overdue plate as soon as the sign answers', async () => {
  const { addresses, tell } = await startSimulatedSigns(2)
  const api = await testApi()
  const { groupId } = await testSigns(api, addresses)
  const station = await api.station()
  const operator = await api.as('CurrentMeasurements', 'Vms')
  await operator.call(vms.enableVariant, { params: { groupId, variantId: 1 } })
  await send(station, [car(1)])
  const about = { params: { id: vehicleId(testStation.id, 1) } }
  const { body } = await operator.call(vms.showPlate, about)
  expect((await tell({ ask: 2 })).shows).toBe(PLATE)

  await tell({ trouble: { id: 2, silent: true } })
  await until(async () => (await operator.call(vms.plateStatus, about)).body.plateVms.available === false)
  api.clock.now = new Date(Date.parse(body.until as string) + 1_000)
  await tell({ trouble: { id: 2 } })
  await until(async () => (await tell({ ask: 2 })).shows === CONTENT)
  await until(async () => !(await operator.call(vms.plateStatus, about)).body.plateVms.contentDisplayed)
})

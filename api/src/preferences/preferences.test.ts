import * as endpoints from '@rogatka/contract/preferences.ts'
import { readSettings } from '@rogatka/contract/preferences.ts'
import { readSelf } from '@rogatka/contract/preferences-self.ts'
import { login, ping } from '@rogatka/contract/session.ts'
import { expect, test } from 'vitest'
import { sql } from '../core/statement.ts'
import { PASSWORD, testApi } from '../testing/test-api.ts'

const data = { firstName: 'Maria', lastName: 'Zawadzka', email: 'maria@example.org', phoneNumber: '600-100-200' }

test('changing account data needs the current password', async () => {
  const api = await testApi()
  const user = await api.as('SelfPersonal')
  const wrong = await user.call(endpoints.updateSelf, { body: { ...data, password: 'wrong' } })
  expect([wrong.status, wrong.errors[0]?.path]).toEqual([422, 'password'])
  expect((await user.call(ping)).status).toBe(204)

  expect((await user.call(endpoints.updateSelf, { body: { ...data, password: PASSWORD } })).status).toBe(204)
  expect((await user.call(readSelf)).body).toMatchObject({ ...data, phoneNumber: '+48600100200' })
})

test('the additional time is an integer from 0 to 600 s', async () => {
  const api = await testApi()
  const user = await api.as('SelfPersonal')
  const save = (checkpointAdditionalTime: number) =>
    user.call(endpoints.saveSettings, { body: { checkpointAdditionalTime } })
  expect((await save(600)).status).toBe(204)
  expect((await user.call(readSettings)).body).toEqual({ checkpointAdditionalTime: 600 })
  for (const wrong of [601, -1, 1.5]) expect((await save(wrong)).status).toBe(400)
})

test('audits own changes with values before and after, without the password', async () => {
  const api = await testApi()
  const user = await api.as('SelfPersonal')
  await user.call(endpoints.updateSelf, { body: { ...data, password: PASSWORD } })
  await user.call(endpoints.saveSettings, { body: { checkpointAdditionalTime: 30 } })
  await user.call(endpoints.endOtherSessions)
  const lines = await api.db.query(
    sql`select action, before, after from audit where user_id = ${user.userId} order by id`,
  )
  expect(lines.map(({ action, before, after }) => [action, before, after])).toEqual([
    [
      'account-changed',
      { firstName: 'Test', lastName: 'Test', email: null, phoneNumber: null },
      { ...data, phoneNumber: '+48600100200' },
    ],
    ['settings-changed', { checkpointAdditionalTime: 60 }, { checkpointAdditionalTime: 30 }],
    ['sessions-ended', null, null],
  ])
  expect(JSON.stringify(lines)).not.toContain(PASSWORD)
})

test('lists own sessions, and ends all but the current one', async () => {
  const api = await testApi()
  const user = await api.as('SelfPersonal')
  const elsewhere = await api.anyone.call(login, { body: { username: user.username, password: PASSWORD } })
  await api.as('SelfPersonal')

  const { body } = await user.call(endpoints.ownSessions)
  expect(body.map(({ current }) => current).sort()).toEqual([false, true])
  expect((await user.call(endpoints.endOtherSessions)).status).toBe(204)
  expect((await api.client(elsewhere.body.token).call(ping)).status).toBe(401)
  const left = await user.call(endpoints.ownSessions)
  expect(left.status).toBe(200)
  expect(left.body).toMatchObject([{ current: true }])
})

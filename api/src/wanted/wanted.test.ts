import { audit } from '@rogatka/contract/activity.ts'
import { rateClasses } from '@rogatka/contract/endpoint.ts'
import {
  addContact,
  addPlate,
  changeContact,
  changePlate,
  contacts,
  hits,
  markHit,
  plates,
  removeContact,
  removePlate,
  removePlates,
  testContact,
} from '@rogatka/contract/wanted.ts'
import { describe, expect, test } from 'vitest'
import { type Client, type TestApi, testApi } from '../testing/test-api.ts'

const add = (user: Client, plateLpr: string, more: Record<string, unknown> = {}) =>
  user.call(addPlate, { body: { plateLpr, typeOfList: 0, description: 'Kradzież', ...more } })

const addEmail = (user: Client, contact: string) =>
  user.call(addContact, { body: { contact, typeOfContact: 0, description: 'Dyżurny' } })

test('normalises an entry, lists newest first, and deletes it', async () => {
  const api = await testApi()
  const user = await api.as('BlackList')
  const first = await add(user, 'wpr 8k-47m')
  expect(first).toMatchObject({
    status: 200,
    body: { plateLpr: 'WPR8K47M', typeOfList: 0, hits: 0, expiresAt: null, user: { username: user.username } },
  })
  api.clock.now = new Date('2026-10-20T08:00:01Z')
  await add(user, 'PO 1')

  for (const typesOfLists of ['[0]', '0', ['0', '1']]) {
    const asked = typesOfLists === '0' || typesOfLists === '[0]'
    const listed = await user.call(plates, { query: { typesOfLists } })
    if (!asked) expect(listed.status).toBe(403)
    else expect(listed.body.content.map(({ plateLpr }) => plateLpr)).toEqual(['PO1', 'WPR8K47M'])
  }
  const { body } = await user.call(plates, { query: { page: 2, limit: 1, orderDirection: 'asc' } })
  expect(body).toMatchObject({ content: [{ plateLpr: 'PO1' }], totalCount: 2 })

  expect((await user.call(removePlate, { params: { id: first.body.id } })).status).toBe(204)
  expect((await user.call(removePlate, { params: { id: first.body.id } })).errors[0]?.code).toBe(
    'wanted-plate-not-found',
  )
  expect((await user.call(plates)).body.totalCount).toBe(1)
})

test('names every invalid field of an entry', async () => {
  const api = await testApi()
  const user = await api.as('WantedList')
  const faults = async (body: unknown) =>
    (await user.call(addPlate, { body: body as never })).errors.map(({ path, code }) => [path, code])
  expect(await faults({ typeOfList: 0 })).toEqual([
    ['plateLpr', 'required-parameter-missing'],
    ['description', 'required-parameter-missing'],
  ])
  const good = { plateLpr: 'WX 1', typeOfList: 0, description: 'x' }
  expect(await faults({ ...good, description: 'x'.repeat(101) })).toEqual([['description', 'text-too-long']])
  expect(await faults({ ...good, description: '  ' })).toEqual([['description', 'required-parameter-missing']])
  expect(await faults({ ...good, plateLpr: 'WX*' })).toEqual([['plateLpr', 'incorrect-plate']])
  expect(await faults({ ...good, typeOfList: 2 })).toEqual([['typeOfList', 'unknown-option']])
  expect(await faults({ ...good, expiresAt: '2026-10-20T07:59:00Z' })).toEqual([['expiresAt', 'expiry-in-the-past']])
  expect(await faults({ ...good, description: 'x'.repeat(100) })).toEqual([])
})

test('a plate is unique on a list of one user until it expires, also under concurrency', async () => {
  const api = await testApi()
  const [user, other] = [await api.as('WantedList'), await api.as('WantedList')]
  const tried = await Promise.all(Array.from({ length: 8 }, () => add(user, 'WX 12345')))
  expect(tried.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(409)])
  expect(tried.flatMap(({ errors }) => errors).map(({ path, code }) => `${path} ${code}`)).toEqual(
    Array(7).fill('plateLpr plate-already-listed'),
  )
  expect((await add(user, 'WX12345', { typeOfList: 1 })).status).toBe(200)
  expect((await add(other, 'WX12345')).status).toBe(200)

  const expiring = await add(user, 'PO 1', { expiresAt: '2026-10-20T08:05:00Z' })
  api.clock.now = new Date('2026-10-20T08:05:00Z')
  const again = await add(user, 'PO 1', { description: 'Znowu' })
  expect(again).toMatchObject({
    status: 200,
    body: { id: expiring.body.id, description: 'Znowu', expiresAt: null },
  })
})

test('each list needs WantedList or its own right, and entries of others need UserManagement', async () => {
  const api = await testApi()
  const [black, white, wanted] = [await api.as('BlackList'), await api.as('WhiteList'), await api.as('WantedList')]
  expect((await add(white, 'WX1')).errors[0]).toMatchObject({ path: 'typeOfList', code: 'forbidden' })
  expect((await add(black, 'WX1', { typeOfList: 1 })).status).toBe(403)
  const mine = (await add(black, 'WX1')).body
  expect((await add(wanted, 'WX2', { typeOfList: 1 })).status).toBe(200)

  // Other users get 404.
  for (const stranger of [white, wanted]) {
    expect((await stranger.call(plates)).body.content.map(({ id }) => id)).not.toContain(mine.id)
    expect((await stranger.call(plates, { query: { userId: black.userId } })).status).toBe(403)
    expect((await stranger.call(hits, { params: { id: mine.id } })).status).toBe(404)
    expect((await stranger.call(removePlate, { params: { id: mine.id } })).status).toBe(404)
    expect((await add(stranger, 'WX3', { typeOfList: 1, userId: black.userId })).errors[0]?.path).toBe('userId')
  }

  const manager = await api.as('WantedList', 'BlackList', 'UserManagement')
  expect((await manager.call(plates)).body.totalCount).toBe(2)
  expect((await manager.call(plates, { query: { userId: black.userId } })).body.content).toMatchObject([
    { id: mine.id },
  ])
  const assigned = await add(manager, 'WX9', { userId: black.userId })
  expect(assigned.body.user).toEqual({ id: black.userId, username: black.username })
  expect((await black.call(plates)).body.totalCount).toBe(2)
  expect((await add(manager, 'WX9', { userId: 999_999 })).errors[0]).toMatchObject({
    path: 'userId',
    code: 'user-not-found',
  })
  expect((await manager.call(removePlate, { params: { id: mine.id } })).status).toBe(204)
})

describe("another user's entries and contacts", () => {
  /** An owner with an entry and a contact, and requests of another user about them. */
  const ownedBy = async (owner: Awaited<ReturnType<TestApi['as']>>) => {
    const entry = (await add(owner, 'WPR 8K47M')).body
    const contact = (await addEmail(owner, `${owner.username}@example.org`)).body
    const address = { contact: 'else@example.org', typeOfContact: 0 as const, description: 'Dyżurny' }
    const [plate, list] = [
      { plateLpr: 'WX 1', description: 'x' },
      { typeOfList: 0 as const, userId: owner.userId },
    ]
    return {
      entry,
      contact,
      attempts: (user: Client) => [
        () => user.call(changeContact, { params: { id: contact.id }, body: address }),
        () => user.call(testContact, { params: { id: contact.id } }),
        () => user.call(changePlate, { params: { id: entry.id }, body: plate }),
        () =>
          user.call(markHit, {
            params: { id: entry.id, vehicleId: 1 },
            query: { createdAt: '2026-10-20T08:00:00Z' },
            body: { falseHit: true },
          }),
        () => user.call(removePlates, { body: { ids: [entry.id] } }),
        () => user.call(removePlates, { body: { found: { ...list, count: 1 } } }),
        () => user.call(removePlate, { params: { id: entry.id } }),
        () => user.call(removeContact, { params: { id: contact.id } }),
      ],
    }
  }
  const outcomesOf = async (attempts: (() => ReturnType<Client['call']>)[]) => {
    const outcomes: unknown[] = []
    for (const attempt of attempts) {
      const { status, errors } = await attempt()
      outcomes.push(errors[0] ? `${status} ${errors[0].code}` : status)
    }
    return outcomes
  }

  test('are read-only for a user manager who lacks a right of their owner', async () => {
    const api = await testApi()
    const administrator = await ownedBy(await api.as('WantedList', 'UsersAdmin'))
    const operator = await ownedBy(await api.as('WantedList', 'ArchiveMeasurements'))
    const manager = await api.as('WantedList', 'UserManagement')
    const refused = (code: string) => Array(8).fill(`403 ${code}`)
    expect(await outcomesOf(administrator.attempts(manager))).toEqual(refused('administrator-needed'))
    expect(await outcomesOf(operator.attempts(manager))).toEqual(refused('account-has-more-rights'))

    const mine = (await addEmail(manager, 'me@example.org')).body
    const listed = (await manager.call(contacts)).body.content
    expect(listed.map(({ id, manageable }) => [id, manageable]).sort()).toEqual(
      [
        [administrator.contact.id, false],
        [operator.contact.id, false],
        [mine.id, true],
      ].sort(),
    )
    const entries = (await manager.call(plates)).body.content
    expect(entries.map(({ manageable }) => manageable)).toEqual([false, false])
  })

  test('are read-only for an anonymised user manager unless their owner is anonymised too', async () => {
    const api = await testApi()
    const operator = await ownedBy(await api.as('WantedList'))
    const manager = await api.as('WantedList', 'UserManagement', 'Anonymization')
    expect(await outcomesOf(operator.attempts(manager))).toEqual(Array(8).fill('403 account-has-more-rights'))
    const masked = await api.as('Contacts', 'Anonymization')
    const known = (await addEmail(masked, 'masked@example.org')).body
    const trusted = await api.as('WantedList', 'Contacts', 'UserManagement', 'Anonymization')
    expect((await trusted.call(testContact, { params: { id: known.id } })).status).toBe(200)
    expect((await trusted.call(removeContact, { params: { id: known.id } })).status).toBe(204)
  })

  test('can be changed by a user manager with all rights of their owner', async () => {
    const api = await testApi()
    const operator = await ownedBy(await api.as('WantedList'))
    const manager = await api.as('WantedList', 'UserManagement')
    const [listed] = (await manager.call(plates)).body.content
    expect(listed?.manageable).toBe(true)
    expect(await outcomesOf(operator.attempts(manager))).toEqual([
      200,
      200,
      200,
      '404 hit-not-found',
      200,
      '409 changed-meanwhile',
      '404 wanted-plate-not-found',
      204,
    ])
  })
})

test('contacts are unique e-mail addresses or phones with all fields', async () => {
  const api = await testApi()
  const user = await api.as('Contacts')
  for (const body of [
    {},
    { contact: 'a@example.org', typeOfContact: 0 },
    { contact: ' ', typeOfContact: 0, description: 'x' },
  ]) {
    const { status, errors } = await user.call(addContact, { body: body as never })
    const userMessage = 'Contact, typeOfContact, and description are required.'
    expect([status, errors]).toEqual([400, [{ path: null, code: 'contact-fields-required', userMessage }]])
  }
  const wrong = (contact: string, typeOfContact: 0 | 1) =>
    user.call(addContact, { body: { contact, typeOfContact, description: 'x' } })
  expect((await wrong('nobody', 0)).errors[0]).toMatchObject({ path: 'contact', code: 'incorrect-email-address' })
  expect((await wrong('a@example.org', 1)).errors[0]?.code).toBe('incorrect-phone-number')

  const phone = await user.call(addContact, {
    body: { contact: '600 100-200', typeOfContact: 1, description: 'x', quietHours: { from: '22:00', to: '06:30' } },
  })
  expect(phone.body).toMatchObject({ contact: '+48600100200', quietHours: { from: '22:00', to: '06:30' } })
  expect((await addEmail(user, 'a@example.org')).body.quietHours).toBeNull()
  expect((await addEmail(user, 'A@Example.org')).errors[0]).toMatchObject({
    path: 'contact',
    code: 'contact-already-listed',
  })
  expect((await (await api.as('WantedList')).call(contacts)).body.totalCount).toBe(0)
  expect((await user.call(contacts)).body.totalCount).toBe(2)
  expect((await user.call(removeContact, { params: { id: phone.body.id } })).status).toBe(204)
  expect((await user.call(removeContact, { params: { id: phone.body.id } })).errors[0]?.code).toBe('contact-not-found')
})

test('audits every change', async () => {
  const api = await testApi()
  const user = await api.as('WantedList')
  const plate = await add(user, 'WX 12345')
  const contact = await addEmail(user, 'a@example.org')
  await user.call(removePlate, { params: { id: plate.body.id } })
  await user.call(removeContact, { params: { id: contact.body.id } })
  const range = { dateTimeStart: '2026-10-20T00:00:00Z', dateTimeEnd: '2026-10-21T00:00:00Z' }
  const ask = async (reader: Client) =>
    (await reader.call(audit, { query: { ...range, orderDirection: 'asc' } })).body.content

  const entries = await ask(await api.as('UserManagement'))
  expect(entries.map(({ action, subject }) => [action, subject])).toEqual([
    ['wanted-plate-added', 'WX12345'],
    ['wanted-contact-added', 'a@example.org'],
    ['wanted-plate-deleted', 'WX12345'],
    ['wanted-contact-deleted', 'a@example.org'],
  ])
  expect(entries[0]).toMatchObject({ user: { username: user.username }, after: { description: 'Kradzież' } })
  // Nor does the audit log show plates to anonymised roles.
  expect(JSON.stringify(await ask(await api.as('UserManagement', 'Anonymization')))).not.toContain('WX12345')
})

test('limits the rate of rows per user', async () => {
  const api = await testApi()
  const [user, other] = [await api.as('WantedList'), await api.as('WantedList')]
  const sent = await Promise.all(Array.from({ length: 3 * rateClasses.row.max }, (_, at) => add(user, `WX${at}`)))
  const refused = sent.filter(({ status }) => status === 429)
  expect(refused.length).toBeGreaterThan(0)
  expect(refused[0]?.headers['retry-after']).toBe('1')
  expect((await add(other, 'WX1')).status).toBe(200)
  expect((await user.call(plates)).status).toBe(200)
})

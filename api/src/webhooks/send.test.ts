import { lookup } from 'node:dns/promises'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createTcp } from 'node:net'
import { nextAttemptAt, RETRY_DELAYS } from '@rogatka/domain/webhooks/schedule.ts'
import { expect, onTestFinished, test } from 'vitest'
import { createAddressCheck, isPublicAddress } from './addresses.ts'
import { createWebhookSender } from './send.ts'
import { newWebhookSecret, signedHeaders } from './signature.ts'
import { startNameServer, startReceiver } from './testing.ts'

const BODY = '{"type":"vehicle.overloaded","timestamp":"2026-10-20T08:00:00.000Z","data":{}}'
const HEADERS = { 'webhook-id': 'evt_000000000001', 'webhook-timestamp': '1792483200', 'webhook-signature': 'v1,x' }

test('signs as the worked example of Standard Webhooks, with each secret', () => {
  // docs/webhooks.md: bytes 00 to 1f.
  const secret = `whsec_${Buffer.from(Array.from({ length: 32 }, (_, i) => i)).toString('base64')}`
  const body = '{"type":"vehicle.overloaded","id":4398046511105}'
  const at = new Date(1_792_483_200_999)
  expect(signedHeaders([secret], 'evt_000000000001', at, body)).toEqual({
    'webhook-id': 'evt_000000000001',
    'webhook-timestamp': '1792483200',
    'webhook-signature': 'v1,P+BKz7K6MisFYALELNFwsUSVvTfq2vOgPd5XvIhzN+s=',
  })
  const both = signedHeaders([newWebhookSecret(), secret], 'evt_000000000001', at, body)['webhook-signature'].split(' ')
  expect(both).toHaveLength(2)
  expect(both[1]).toBe('v1,P+BKz7K6MisFYALELNFwsUSVvTfq2vOgPd5XvIhzN+s=')
})

test('tries again after 5 s, 1, 5, 30 min, 2, 6, 12 and 24 h, then gives up', () => {
  const at = new Date('2026-10-20T08:00:00Z')
  const seconds = [1, 2, 3, 4, 5, 6, 7, 8].map((attempts) => (+(nextAttemptAt(attempts, at) as Date) - +at) / 1_000)
  expect(seconds).toEqual([5, 60, 300, 1_800, 7_200, 21_600, 43_200, 86_400])
  expect(nextAttemptAt(RETRY_DELAYS.length + 1, at)).toBeNull()
})

test.each([
  ['93.184.216.34', true],
  ['2606:2800:220:1:248:1893:25c8:1946', true],
  ['0.0.0.0', false],
  ['10.1.2.3', false],
  ['100.64.0.1', false],
  ['127.0.0.1', false],
  ['127.255.255.254', false],
  ['169.254.169.254', false],
  ['172.16.0.1', false],
  ['172.31.255.255', false],
  ['172.32.0.1', true],
  ['192.168.1.1', false],
  ['198.18.0.1', false],
  ['224.0.0.1', false],
  ['255.255.255.255', false],
  ['::', false],
  ['::1', false],
  ['::ffff:10.0.0.1', false],
  ['::ffff:93.184.216.34', false],
  ['::10.0.0.1', false],
  ['64:ff9b::a00:1', false],
  ['fe80::1', false],
  ['fe80::1%eth0', false],
  ['fc00::1', false],
  ['fd00:ec2::254', false],
  ['ff02::1', false],
  ['2002:a00:1::', false],
  ['2001::1', false],
  ['2001:db8::1', false],
  ['localhost', false],
  ['', false],
])('%s is public: %s', (address, expected) => {
  expect(isPublicAddress(address)).toBe(expected)
})

test('addresses that are not public are allowed one by one or by network, and never as IPv4-mapped ones', () => {
  const isAllowed = createAddressCheck(['10.1.0.0/16', '192.168.1.7', 'fd00:1::/32'])
  for (const address of ['10.1.255.1', '192.168.1.7', 'fd00:1::5', '93.184.216.34'])
    expect(isAllowed(address)).toBe(true)
  for (const address of ['10.2.0.1', '192.168.1.8', 'fd00:2::5', '::ffff:10.1.0.1', '127.0.0.1'])
    expect(isAllowed(address)).toBe(false)
})

test('resolves the name again for each attempt, refuses any internal address, and connects to the checked one', async () => {
  const { received, cert, port } = await startReceiver()
  const answers = [['93.184.216.34', '10.0.0.1'], ['127.0.0.1'], [], ['169.254.169.254']]
  const names: string[] = []
  const resolve = async (host: string) => {
    names.push(host)
    return answers.shift() ?? []
  }
  const isAllowed = (address: string) => address === '127.0.0.1' || isPublicAddress(address)
  const sender = createWebhookSender({ isAllowed, authorities: [cert], resolve })
  const post = () => sender.post(`https://receiver.test:${port}/x?y=1`, HEADERS, BODY, new AbortController().signal)
  await expect(post()).rejects.toThrow('The address is not public')
  expect(received).toEqual([])
  expect(await post()).toBe(204)
  expect(received[0]).toMatchObject({ body: BODY, headers: { host: `receiver.test:${port}` } })
  await expect(post()).rejects.toThrow('no address')
  await expect(post()).rejects.toThrow('The address is not public')
  expect(names).toEqual(Array(4).fill('receiver.test'))
})

test('asks name servers without the threads of others, beside many that are silent, and tries every address', async () => {
  const { received, cert, port } = await startReceiver()
  const addresses: Record<string, string[]> = {
    // Nobody listens at the first.
    'receiver.test': ['127.0.0.2', '127.0.0.1'],
    'mixed.test': ['127.0.0.1', '10.0.0.1'],
    'empty.test': [],
  }
  const nameServer = await startNameServer((name) => addresses[name] ?? null)
  const isAllowed = (address: string) => address.startsWith('127.')
  const sender = createWebhookSender({ isAllowed, authorities: [cert], nameServers: [nameServer] })
  const stopping = new AbortController()
  const post = (host: string) => sender.post(`https://${host}:${port}/`, HEADERS, BODY, stopping.signal)
  const silent = Array.from({ length: 20 }, (_, index) => post(`silent-${index}.test`))
  const outcomes = Promise.allSettled(silent)
  expect(await post('receiver.test')).toBe(204)
  for (const host of ['mixed.test', 'empty.test'])
    await expect(post(host)).rejects.toMatchObject({ code: 'name-not-found' })
  await lookup('localhost')
  stopping.abort()
  for (const outcome of await outcomes) expect(outcome).toMatchObject({ reason: { code: 'timeout' } })
  expect(received).toHaveLength(1)
})

test('refuses an internal address written in any way, without a lookup or a connection', async () => {
  let connections = 0
  const inside = createServer(() => {}).on('connection', () => {
    connections += 1
  })
  await new Promise<void>((resolve) => inside.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void inside.close())
  const { port } = inside.address() as AddressInfo
  const sender = createWebhookSender({ isAllowed: isPublicAddress })
  for (const host of [
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '0177.0.0.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '0',
    'localhost',
  ])
    await expect(sender.post(`https://${host}:${port}/`, HEADERS, BODY, new AbortController().signal)).rejects.toThrow(
      'The address is not public',
    )
  expect(connections).toBe(0)
})

test('verifies the certificate of the name, follows no redirect, and ends what is slow, endless or broken', async () => {
  const elsewhere = await startReceiver()
  const { received, cert, port } = await startReceiver(({ headers }) => {
    if (headers['x-case'] === 'redirect') return { redirect: elsewhere.url }
    if (headers['x-case'] === 'silent') return 'silent'
    if (headers['x-case'] === 'upgrade') return 'upgrade'
    return headers['x-case'] === 'close' ? 'close' : { endless: true }
  })
  const isAllowed = (address: string) => address === '127.0.0.1'
  const options = { isAllowed, authorities: [cert], resolve: async () => ['127.0.0.1'], timeoutMs: 2_000 }
  const sender = createWebhookSender(options)
  const post = (name: string, host = 'receiver.test', by = sender) =>
    by.post(`https://${host}:${port}/`, { ...HEADERS, 'x-case': name }, BODY, new AbortController().signal)
  expect(await post('redirect')).toBe(302)
  expect(await post('endless')).toBe(200)
  await expect(post('close')).rejects.toThrow()
  await expect(post('upgrade')).rejects.toThrow('closed the connection')
  await expect(post('silent', undefined, createWebhookSender({ ...options, timeoutMs: 200 }))).rejects.toThrow(
    'in time',
  )
  await expect(post('other', 'other.test')).rejects.toMatchObject({ code: 'certificate' })
  await expect(
    post('untrusted', undefined, createWebhookSender({ ...options, authorities: [] })),
  ).rejects.toMatchObject({
    code: 'certificate',
  })
  const hanging = createWebhookSender({ ...options, resolve: () => new Promise(() => {}), timeoutMs: 100 })
  await expect(post('lookup', undefined, hanging)).rejects.toThrow('in time')
  const cases = received.map(({ headers }) => headers['x-case'])
  expect(cases).toEqual(expect.arrayContaining(['redirect', 'endless', 'close']))
  expect(cases).not.toContain('other')
  expect(cases).not.toContain('untrusted')
  expect(elsewhere.received).toEqual([])
})

test('does not wait for a TLS handshake that never ends', async () => {
  const mute = createTcp(() => {})
  await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void mute.close())
  const { port } = mute.address() as AddressInfo
  const sender = createWebhookSender({ isAllowed: () => true, timeoutMs: 200 })
  const attempt = sender.post(`https://127.0.0.1:${port}/`, HEADERS, BODY, new AbortController().signal)
  await expect(attempt).rejects.toThrow('in time')
})

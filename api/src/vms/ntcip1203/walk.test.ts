import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { startSimulatedSigns } from './testing.ts'
import { type Binding, decode, encode, type Message, openSocket } from './testing-packets.ts'

const DMS = '1.3.6.1.4.1.1206.4.2.3'
/** The NTCIP 1203 objects of a sign in walk order: nine columns of two messages, and five more. */
const OBJECTS = [
  ...[1, 2, 3, 4, 5, 6, 7, 8, 9].flatMap((column) => [3, 5].map((memory) => `${DMS}.5.8.1.${column}.${memory}.1`)),
  ...['6.1.0', '6.3.0', '6.5.0', '6.17.0', '9.7.1.0'].map((of) => `${DMS}.${of}`),
]
const NO_SUCH_NAME = 2

const RESEND_MS = 1_000

/** A third-party SNMP manager: one request at a time, repeated until the agent has bound its port. */
async function openManager({ host, port, community }: { host: string; port: number; community: string }) {
  let onPacket: (packet: Buffer) => void = () => {}
  const socket = await openSocket((packet) => onPacket(packet))
  onTestFinished(() => void socket.close())
  let id = 0
  return async (type: Message['type'], ...bindings: Binding[]): Promise<Message> => {
    const request = { community, type, id: ++id, error: 0, index: 0, bindings }
    const answered = new Promise<Message>((resolve) => {
      onPacket = (packet) => {
        const message = decode(packet)
        if (message.id === request.id) resolve(message)
      }
    })
    const send = () => socket.send(encode(request), port, host)
    send()
    const timer = setInterval(send, RESEND_MS)
    try {
      return await answered
    } finally {
      clearInterval(timer)
    }
  }
}

async function oneSign() {
  const { addresses } = await startSimulatedSigns(1)
  const address = addresses[0] as (typeof addresses)[number]
  return { address, ask: await openManager(address) }
}

test('a walk of a simulated sign reaches its end, with SNMPv1 errors for missing objects', async () => {
  const { ask } = await oneSign()
  const walked: Binding[] = []
  for (let oid = DMS; ; ) {
    const { error, index, bindings } = await ask('next', { oid, value: null })
    if (error !== 0) {
      expect({ error, index, bindings }).toEqual({ error: NO_SUCH_NAME, index: 1, bindings: [{ oid, value: null }] })
      break
    }
    const [found] = bindings as [Binding]
    walked.push(found)
    oid = found.oid
  }
  expect(walked.map(({ oid }) => oid)).toEqual(OBJECTS)
  // Memory types 3 and 5, each with its message 1.
  expect(walked.slice(0, 4).map(({ value }) => value)).toEqual([3, 5, 1, 1])

  const known = { oid: `${DMS}.6.1.0`, value: null }
  const unknown = { oid: `${DMS}.5.8.1.10.3.1`, value: null }
  expect(await ask('get', known, unknown)).toMatchObject({ error: NO_SUCH_NAME, index: 2, bindings: [known, unknown] })
})

test('beacon and pixel service of a simulated sign can be set while its message is modified', async () => {
  const { ask } = await oneSign()
  const row = (column: number) => `${DMS}.5.8.1.${column}.3.1`
  const set = async (oid: string, value: number) => (await ask('set', { oid, value })).error
  expect(await set(row(6), 1)).not.toBe(0)
  expect([await set(row(9), 6), await set(row(6), 1), await set(row(7), 1), await set(row(9), 7)]).toEqual([0, 0, 0, 0])
  const { bindings } = await ask('get', { oid: row(6), value: null }, { oid: row(7), value: null })
  expect(bindings.map(({ value }) => value)).toEqual([1, 1])
})

const { SNMPWALK } = process.env

/** With the tool of net-snmp.org: SNMPWALK=/usr/bin/snmpwalk npx vitest run api/src/vms/ntcip1203/walk.test.ts */
test('snmpwalk reaches the end of a simulated sign', async () => {
  if (!SNMPWALK) return console.info('snmpwalk did not run: SNMPWALK does not name it')
  const { address } = await oneSign()
  const { host, port, community } = address
  const args = ['-v1', '-c', community, '-On', `${host}:${port}`, '1.3.6.1.4.1.1206']
  const { stdout } = await promisify(execFile)(SNMPWALK, args)
  const lines = stdout.trim().split('\n')
  expect(lines.at(-1)).toBe('End of MIB')
  expect(lines.slice(0, -1).map((line) => line.slice(1).split(' ')[0])).toEqual(OBJECTS)
})

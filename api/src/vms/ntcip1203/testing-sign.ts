import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { type Binding, decode, encode, type Message, openSocket, type Value } from './testing-packets.ts'

/*
 * An independent sign: implemented from NTCIP 1203 v03 and RFC 1157 only, without code of the portal or its simulator.
 */

const DMS = '1.3.6.1.4.1.1206.4.2.3'
const OBJECT = {
  mode: `${DMS}.6.1.0`,
  activate: `${DMS}.6.3.0`,
  source: `${DMS}.6.5.0`,
  activateError: `${DMS}.6.17.0`,
  shortError: `${DMS}.9.7.1.0`,
} as const
const message = (column: number, memory: number) => `${DMS}.5.8.1.${column}.${memory}.1`
const [MULTI, OWNER, CRC, BEACON, PIXELS, PRIORITY, STATUS] = [3, 4, 5, 6, 7, 8, 9] as const
const [CHANGEABLE, CURRENT, BLANK] = [3, 5, 7] as const
export const LOCAL = 2
const CENTRAL = 4
const FOREVER = 65_535

/** How a request is handled: `lose` executes it without an answer, `ignore` does neither. */
type Handling = 'answer' | 'lose' | 'ignore' | 'twice' | { lateMs: number }
type Kind = 'get' | 'set' | 'activate'

/** CRC-16/X-25, bits in order of transmission: least significant first. */
function crc(bytes: Buffer): number {
  let register = 0xffff
  for (const byte of bytes)
    for (let bit = 0; bit < 8; bit++) {
      const top = ((register >> 15) & 1) ^ ((byte >> bit) & 1)
      register = (register << 1) & 0xffff
      if (top) register ^= 0x1021
    }
  let reversed = 0
  for (let bit = 0; bit < 16; bit++) if (register & (1 << bit)) reversed |= 0x8000 >> bit
  const value = reversed ^ 0xffff
  return ((value & 0xff) << 8) | (value >> 8)
}

type Row = { multi: Buffer; owner: Buffer; beacon: number; pixels: number; priority: number; status: number }
const emptyRow = (): Row => ({
  multi: Buffer.alloc(0),
  owner: Buffer.alloc(0),
  beacon: 0,
  pixels: 0,
  priority: 1,
  status: 1,
})

/** A sign on loopback. Its state can be changed as by another centre or at its cabinet. */
export async function createForeignSign() {
  const state = {
    row: emptyRow(),
    mode: CENTRAL,
    activateError: 2,
    shown: null as { multi: Buffer; crc: number } | null,
    minutes: 0,
    /** Whether the beacon and pixel service columns are writable, read-only or missing. */
    options: 'writable' as 'writable' | 'read-only' | 'missing',
    /** In local control every set is refused. */
    locksWhenLocal: false,
    /** The message source object is missing. */
    lacksSource: false,
    /** Requests in order, as `get`, `set` or `activate`. */
    requests: [] as Kind[],
    /** Activated texts; empty for blank. */
    activated: [] as string[],
    fate: (_kind: Kind): Handling => 'answer',
    /** Runs before a request is executed. */
    before: (_kind: Kind): void => {},
  }

  const rowCrc = () => {
    const { multi, beacon, pixels } = state.row
    const hasOptions = state.options !== 'missing'
    return crc(Buffer.concat([multi, Buffer.from(hasOptions ? [beacon, pixels] : [0, 0])]))
  }

  function read(oid: string): Value | undefined {
    const { row, shown } = state
    switch (oid) {
      case OBJECT.mode:
        return state.mode
      case OBJECT.source:
        if (state.lacksSource) return undefined
        return shown
          ? Buffer.from([CHANGEABLE, 0, 1, shown.crc >> 8, shown.crc & 0xff])
          : Buffer.from([BLANK, 0, 1, 0, 0])
      case OBJECT.activateError:
        return state.activateError
      case OBJECT.shortError:
        return 0
      case message(MULTI, CHANGEABLE):
        return row.multi
      case message(MULTI, CURRENT):
        return shown?.multi ?? Buffer.alloc(0)
      case message(OWNER, CHANGEABLE):
        return row.owner
      case message(CRC, CHANGEABLE):
        return rowCrc()
      case message(BEACON, CHANGEABLE):
        return state.options === 'missing' ? undefined : row.beacon
      case message(PIXELS, CHANGEABLE):
        return state.options === 'missing' ? undefined : row.pixels
      case message(PRIORITY, CHANGEABLE):
        return row.priority
      case message(STATUS, CHANGEABLE):
        return row.status
      default:
        return undefined
    }
  }

  /** The error status of a set: 0 if accepted. */
  function write(oid: string, value: Value): number {
    const { row } = state
    if (oid === OBJECT.activate) return activate(value as Buffer)
    if (state.locksWhenLocal && state.mode === LOCAL) return 5
    if (oid === OBJECT.mode) {
      if (state.mode === LOCAL) return 5
      state.mode = value as number
      return 0
    }
    if (oid === message(STATUS, CHANGEABLE)) {
      if (value === 6) row.status = 2
      else if (value === 7 && row.status === 2) row.status = 4
      else return 5
      return 0
    }
    const columns: Record<string, keyof Row> = {
      [message(MULTI, CHANGEABLE)]: 'multi',
      [message(OWNER, CHANGEABLE)]: 'owner',
      [message(PRIORITY, CHANGEABLE)]: 'priority',
      ...(state.options !== 'missing' && {
        [message(BEACON, CHANGEABLE)]: 'beacon',
        [message(PIXELS, CHANGEABLE)]: 'pixels',
      }),
    }
    const column = columns[oid]
    if (!column) return 2
    if (state.options === 'read-only' && (column === 'beacon' || column === 'pixels')) return 4
    if (row.status !== 2) return 5
    Object.assign(row, { [column]: value })
    return 0
  }

  function activate(code: Buffer): number {
    const { row } = state
    const [memory, namedCrc] = [code[3], code.readUInt16BE(6)]
    const refuse = (error: number) => {
      state.activateError = error
      return 5
    }
    if (state.mode === LOCAL) return refuse(9)
    if (memory === BLANK) state.shown = null
    else if (memory !== CHANGEABLE) return refuse(5)
    else if (row.status !== 4) return refuse(4)
    else if (namedCrc !== rowCrc()) return refuse(7)
    else state.shown = { multi: row.multi, crc: rowCrc() }
    state.activateError = 2
    state.minutes = code.readUInt16BE(0)
    state.activated.push(state.shown?.multi.toString('latin1') ?? '')
    return 0
  }

  /** By RFC 1157: all bindings, or none and the index of the first faulty one. */
  function respond({ type, bindings }: Message): Pick<Message, 'error' | 'index' | 'bindings'> {
    if (type === 'get') {
      const values = bindings.map(({ oid }) => ({ oid, value: read(oid) }))
      const missing = values.findIndex(({ value }) => value === undefined)
      return missing >= 0
        ? { error: 2, index: missing + 1, bindings }
        : { error: 0, index: 0, bindings: values as Binding[] }
    }
    const old = { ...state.row }
    for (const [at, { oid, value }] of bindings.entries()) {
      const error = write(oid, value)
      if (error === 0) continue
      state.row = old
      return { error, index: at + 1, bindings }
    }
    return { error: 0, index: 0, bindings }
  }

  const socket = await openSocket((packet, from) => {
    const request = decode(packet)
    if (request.community !== 'obcy') return
    const isActivation = request.bindings.some(({ oid }) => oid === OBJECT.activate)
    const kind: Kind = request.type === 'set' ? (isActivation ? 'activate' : 'set') : 'get'
    state.requests.push(kind)
    const fate = state.fate(kind)
    if (fate === 'ignore') return
    state.before(kind)
    const answer = encode({ ...request, type: 'response', ...respond(request) })
    if (fate === 'lose') return
    const send = () => socket.send(answer, from.port, from.address)
    if (typeof fate === 'object') void sleep(fate.lateMs).then(() => isOpen && send())
    else send()
    if (fate === 'twice') send()
  })
  let isOpen = true
  onTestFinished(() => {
    isOpen = false
    socket.close()
  })

  return {
    state,
    address: {
      driver: 'ntcip1203' as const,
      host: '127.0.0.1',
      port: socket.address().port,
      community: 'obcy',
    },
    shows: () => state.shown?.multi.toString('latin1') ?? '',
    /** Power loss: the written and shown messages are lost. */
    restart: () => {
      state.row = emptyRow()
      state.shown = null
    },
    /** Another centre shows its own text. */
    showForeign: (text: string) => {
      state.shown = { multi: Buffer.from(text, 'latin1'), crc: crc(Buffer.from(`${text}\0\0`, 'latin1')) }
    },
  }
}

export const isForever = (minutes: number): boolean => minutes === FOREVER

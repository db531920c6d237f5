import { column, MESSAGE_ENTRY, memory, oid } from '@rogatka/domain/vms/ntcip.ts'
import snmp, { type MibRequest, type Provider } from 'net-snmp'
import type { Row, SimulatedSign } from './sign.ts'

const { Integer, OctetString, Null, NoSuchObject, NoSuchInstance, EndOfMibView } = snmp.ObjectType
const { Scalar, Table } = snmp.MibProviderType
const READ_WRITE = snmp.MaxAccess['read-write']
const READ_ONLY = snmp.MaxAccess['read-only']
/** Types that SNMPv2 returns for missing values. */
const NO_VALUE = [NoSuchObject, NoSuchInstance, EndOfMibView]

type Value = number | Buffer
/** Access to an object; `set` returns false to refuse a value. */
type Access = { get: () => Value; set?: (value: Value) => boolean }

const bytes = (value: Value | string) => (Buffer.isBuffer(value) ? value : Buffer.from(String(value), 'latin1'))

/** Starts an SNMP agent with the NTCIP 1203 objects that the portal uses. */
export function startAgent(sign: SimulatedSign, { port, community }: { port: number; community: string }) {
  const agent = snmp.createAgent({ port, address: '127.0.0.1', disableAuthorization: false }, () => {})
  agent.getAuthorizer().addCommunity(community)
  // net-snmp decodes values of set requests as UTF-8, which corrupts other bytes; Latin-1 strings are preserved.
  const set = agent.setRequest.bind(agent)
  agent.setRequest = (socket, message, from) => {
    for (const varbind of message.pdu.varbinds)
      if (Buffer.isBuffer(varbind.value)) varbind.value = varbind.value.toString('latin1')
    set(socket, message, from)
  }
  // net-snmp returns missing values as in SNMPv2. SNMPv1 requires noSuchName with the varbinds of the request.
  const send = agent.sendResponse.bind(agent)
  agent.sendResponse = (socket, from, request, response) => {
    const missing = response.varbinds.findIndex(({ type }) => type !== undefined && NO_VALUE.includes(type))
    if (missing < 0 || response.errorStatus) return send(socket, from, request, response)
    const varbinds = request.pdu.varbinds.map(({ oid }) => ({ oid, type: Null, value: null }))
    const { NoSuchName } = snmp.ErrorStatus
    send(socket, from, request, Object.assign(response, { errorStatus: NoSuchName, errorIndex: missing + 1, varbinds }))
  }

  const respond = (request: MibRequest, { get, set }: Access) => {
    const { commitSet, testSet, setValue } = request
    const isSet = setValue !== undefined
    if (isSet && testSet) return request.done()
    if (isSet && commitSet && !set?.(setValue as Value))
      return request.done({ errorStatus: snmp.ErrorStatus.GeneralError })
    if (isSet) request.setValue = typeof setValue === 'string' ? bytes(setValue) : setValue
    else request.instanceNode.value = get()
    request.done()
  }
  const createHandler = (access: (request: MibRequest) => Access | undefined) => (request: MibRequest) => {
    if (sign.isSilent()) return
    const found = access(request)
    if (!found) return request.done({ errorStatus: snmp.ErrorStatus.GeneralError })
    const lateMs = request.testSet ? 0 : sign.lateMs()
    if (lateMs > 0) setTimeout(() => respond(request, found), lateMs)
    else respond(request, found)
  }

  const scalar = (name: string, of: string, type: number, access: Access) => {
    const provider: Provider = {
      name,
      type: Scalar,
      oid: of.replace(/\.0$/, ''),
      scalarType: type,
      maxAccess: READ_WRITE,
      handler: createHandler(() => access),
    }
    agent.registerProvider(provider)
    agent.getMib().setScalarValue(name, type === Integer ? 0 : Buffer.alloc(0))
  }
  const refused = () => false
  scalar('dmsControlMode', oid.controlMode, Integer, {
    get: sign.controlMode,
    set: (value) => sign.setControlMode(Number(value)),
  })
  scalar('dmsActivateMessage', oid.activateMessage, OctetString, {
    get: () => Buffer.alloc(12),
    set: (value) => sign.activate(bytes(value)),
  })
  scalar('dmsMsgTableSource', oid.messageSource, OctetString, { get: sign.source, set: refused })
  scalar('dmsActivateMsgError', oid.activateError, Integer, { get: sign.activateError, set: refused })
  scalar('shortErrorStatus', oid.shortError, Integer, { get: sign.shortError, set: refused })

  const { multi, owner, crc, beacon, pixelService, priority, status } = column
  const columns: Record<number, { name: string; type: number; get: (row: Row) => Value; set?: Access['set'] }> = {
    [multi]: {
      name: 'dmsMessageMultiString',
      type: OctetString,
      get: (row) => row.multi,
      set: (value) => sign.write({ multi: bytes(value) }),
    },
    [owner]: {
      name: 'dmsMessageOwner',
      type: OctetString,
      get: (row) => row.owner,
      set: (value) => sign.write({ owner: bytes(value) }),
    },
    [crc]: { name: 'dmsMessageCRC', type: Integer, get: (row) => row.crc },
    [beacon]: {
      name: 'dmsMessageBeacon',
      type: Integer,
      get: (row) => row.beacon,
      set: (value) => sign.write({ beacon: Number(value) }),
    },
    [pixelService]: {
      name: 'dmsMessagePixelService',
      type: Integer,
      get: (row) => row.pixelService,
      set: (value) => sign.write({ pixelService: Number(value) }),
    },
    [priority]: {
      name: 'dmsMessageRunTimePriority',
      type: Integer,
      get: (row) => row.priority,
      set: (value) => sign.write({ priority: Number(value) }),
    },
    [status]: {
      name: 'dmsMessageStatus',
      type: Integer,
      get: (row) => row.status,
      set: (value) => sign.setStatus(Number(value)),
    },
  }
  const accessTo = ({ oid: requestedOid }: MibRequest): Access | undefined => {
    const [of = 0, type, number] = requestedOid
      .slice(MESSAGE_ENTRY.length + 1)
      .split('.')
      .map(Number)
    if (number !== 1 || (type !== memory.changeable && type !== memory.current)) return undefined
    if (of === column.memoryType) return { get: () => type, set: refused }
    if (of === column.number) return { get: () => number, set: refused }
    const { get, set = refused } = columns[of] ?? {}
    if (!get) return undefined
    return type === memory.changeable
      ? { get: () => get(sign.row()), set }
      : { get: () => get(sign.current()), set: refused }
  }
  const numbers = Object.keys(columns).map(Number)
  agent.registerProvider({
    name: 'dmsMessageTable',
    type: Table,
    oid: MESSAGE_ENTRY,
    maxAccess: snmp.MaxAccess['not-accessible'],
    tableColumns: [
      { number: column.memoryType, name: 'dmsMessageMemoryType', type: Integer, maxAccess: READ_ONLY },
      { number: column.number, name: 'dmsMessageNumber', type: Integer, maxAccess: READ_ONLY },
      ...numbers.map((number) => ({
        number,
        name: columns[number]?.name as string,
        type: columns[number]?.type as number,
        maxAccess: READ_WRITE,
      })),
    ],
    tableIndex: [{ columnName: 'dmsMessageMemoryType' }, { columnName: 'dmsMessageNumber' }],
    handler: createHandler(accessTo),
  })
  for (const type of [memory.changeable, memory.current]) {
    const blanks = numbers.map((number) => (columns[number]?.type === Integer ? 0 : Buffer.alloc(0)))
    agent.getMib().addTableRow('dmsMessageTable', [type, 1, ...blanks])
  }

  return { stop: () => new Promise<void>((resolve) => agent.close(() => resolve())) }
}

import { column, MESSAGE_ENTRY, memory, oid } from '@rogatka/domain/vms/ntcip.ts'
import snmp, { type MibRequest, type Provider } from 'net-snmp'
import type { SimulatedSign } from './sign.ts'

const { Integer, OctetString } = snmp.ObjectType
const { Scalar, Table } = snmp.MibProviderType
const READ_WRITE = snmp.MaxAccess['read-write']

type Value = number | Buffer
/** Reads a value, and takes one where it may be set; false when it is refused. */
type Access = { get: () => Value; set?: (value: Value) => boolean }

const bytes = (value: Value | string) => (Buffer.isBuffer(value) ? value : Buffer.from(String(value), 'latin1'))

/** Puts a sign on the network: an SNMP agent that knows the objects of NTCIP 1203 which portals use. */
export function startAgent(sign: SimulatedSign, { port, community }: { port: number; community: string }) {
  const agent = snmp.createAgent({ port, address: '127.0.0.1', disableAuthorization: false }, () => {})
  agent.getAuthorizer().addCommunity(community)
  // The agent reads bytes that are set as UTF-8 and spoils those that are none; a text of one letter a byte it leaves.
  const set = agent.setRequest.bind(agent)
  agent.setRequest = (socket, message, from) => {
    for (const varbind of message.pdu.varbinds)
      if (Buffer.isBuffer(varbind.value)) varbind.value = varbind.value.toString('latin1')
    set(socket, message, from)
  }

  const answer = (request: MibRequest, { get, set }: Access) => {
    const { commitSet, testSet, setValue } = request
    const isSet = setValue !== undefined
    if (isSet && testSet) return request.done()
    if (isSet && commitSet && !set?.(setValue as Value))
      return request.done({ errorStatus: snmp.ErrorStatus.GeneralError })
    if (isSet) request.setValue = typeof setValue === 'string' ? bytes(setValue) : setValue
    else request.instanceNode.value = get()
    request.done()
  }
  const later = (access: (request: MibRequest) => Access | undefined) => (request: MibRequest) => {
    if (sign.isSilent()) return
    const found = access(request)
    if (!found) return request.done({ errorStatus: snmp.ErrorStatus.GeneralError })
    const lateMs = request.testSet ? 0 : sign.lateMs()
    if (lateMs > 0) setTimeout(() => answer(request, found), lateMs)
    else answer(request, found)
  }

  const scalar = (name: string, of: string, type: number, access: Access) => {
    const provider: Provider = {
      name,
      type: Scalar,
      oid: of.replace(/\.0$/, ''),
      scalarType: type,
      maxAccess: READ_WRITE,
      handler: later(() => access),
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

  const columns: Record<number, { name: string; type: number; access: Access }> = {
    [column.multi]: {
      name: 'dmsMessageMultiString',
      type: OctetString,
      access: { get: () => sign.row().multi, set: (value) => sign.write({ multi: bytes(value) }) },
    },
    [column.owner]: {
      name: 'dmsMessageOwner',
      type: OctetString,
      access: { get: () => sign.row().owner, set: (value) => sign.write({ owner: bytes(value) }) },
    },
    [column.crc]: { name: 'dmsMessageCRC', type: Integer, access: { get: () => sign.row().crc, set: refused } },
    [column.priority]: {
      name: 'dmsMessageRunTimePriority',
      type: Integer,
      access: { get: () => sign.row().priority, set: (value) => sign.write({ priority: Number(value) }) },
    },
    [column.status]: {
      name: 'dmsMessageStatus',
      type: Integer,
      access: { get: () => sign.row().status, set: (value) => sign.setStatus(Number(value)) },
    },
  }
  const current: Access = { get: sign.currentMulti, set: refused }
  const accessTo = ({ oid: asked }: MibRequest): Access | undefined => {
    const [of, type] = asked
      .slice(MESSAGE_ENTRY.length + 1)
      .split('.')
      .map(Number)
    if (type === memory.changeable) return columns[of as number]?.access
    return type === memory.current && of === column.multi ? current : undefined
  }
  const numbers = Object.keys(columns).map(Number)
  agent.registerProvider({
    name: 'dmsMessageTable',
    type: Table,
    oid: MESSAGE_ENTRY,
    maxAccess: snmp.MaxAccess['not-accessible'],
    tableColumns: [
      { number: 1, name: 'dmsMessageMemoryType', type: Integer, maxAccess: snmp.MaxAccess['read-only'] },
      { number: 2, name: 'dmsMessageNumber', type: Integer, maxAccess: snmp.MaxAccess['read-only'] },
      ...numbers.map((number) => ({
        number,
        name: columns[number]?.name as string,
        type: columns[number]?.type as number,
        maxAccess: READ_WRITE,
      })),
    ],
    tableIndex: [{ columnName: 'dmsMessageMemoryType' }, { columnName: 'dmsMessageNumber' }],
    handler: later(accessTo),
  })
  for (const type of [memory.changeable, memory.current]) {
    const blanks = numbers.map((number) => (columns[number]?.type === Integer ? 0 : Buffer.alloc(0)))
    agent.getMib().addTableRow('dmsMessageTable', [type, 1, ...blanks])
  }

  return { stop: () => new Promise<void>((resolve) => agent.close(() => resolve())) }
}

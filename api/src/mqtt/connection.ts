import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { MAX_BATCH_BYTES } from '@rogatka/contract/ingest.ts'
import { answersTopic } from '@rogatka/contract/mqtt.ts'
import type { FastifyBaseLogger } from 'fastify'
import {
  generate,
  type IConnectPacket,
  type IPublishPacket,
  type ISubscribePacket,
  type IUnsubscribePacket,
  type Packet,
} from 'mqtt-packet'
import type { authenticate, Sender } from './authenticate.ts'
import { createDecoder, UNSUPPORTED_VERSION } from './decoder.ts'
import { createFrames, ProtocolError, TOO_LARGE } from './frames.ts'
import type { Message, Outcome } from './receive.ts'
import { targetOf } from './topics.ts'

/** Type of a PUBLISH packet. */
const PUBLISH = 3
/** Limit of topic and properties of a message, and of any packet before its sender is known. */
const MAX_HEAD_BYTES = 4 * 1024
const MAX_PACKET_BYTES = MAX_BATCH_BYTES + MAX_HEAD_BYTES
/** Messages of a connection that are not acknowledged: at these limits no more is read. */
const MAX_PENDING = 64
const MAX_PENDING_BYTES = MAX_BATCH_BYTES
/** A client is given this time to read why its connection ends. */
const LINGER_MS = 2_000
/** When the server stops, messages are given this time to be stored. */
const FINISH_MS = 5_000

/** Reason codes of MQTT 5. */
const CODES = {
  protocol: 0x82,
  notAuthorised: 0x87,
  busy: 0x89,
  stopping: 0x8b,
  silent: 0x8d,
  takenOver: 0x8e,
  topicAlias: 0x94,
  administrative: 0x98,
  notAccepted: 0x99,
  retain: 0x9a,
  qos: 0x9b,
} as const

export type EndReason = 'takenOver' | 'administrative'

/** A connection whose sender is known. */
export type Connection = {
  sender: Sender
  /** Ends it; nothing more is acknowledged. */
  end: (reason: EndReason) => void
  /** Ends it once all received messages are acknowledged, or after 5 s. */
  finish: () => Promise<void>
}

type Context = {
  authenticate: (packet: IConnectPacket, ip: string) => ReturnType<typeof authenticate>
  /** Called for a connection whose sender is known; returns what to call at its end. */
  register: (connection: Connection) => () => void
  receive: (sender: Sender, ip: string, message: Message) => Promise<Outcome>
  /** A message that the protocol of the portal forbids ends the connection. */
  onForbidden: () => void
  log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>
  timeouts: { connectMs: number; packetMs: number }
}

type TimerName = 'connect' | 'packet' | 'keepAlive' | 'linger'
type Session = { sender: Sender; version: number; maxAnswerBytes: number; isSubscribed: boolean }

/** Serves one client until its connection is closed. Never rejects. */
export async function serveConnection(socket: Socket, context: Context): Promise<void> {
  const { log, timeouts } = context
  const ip = socket.remoteAddress ?? ''
  const decode = createDecoder()
  const timers = new Map<TimerName, NodeJS.Timeout>()
  let session: Session | undefined
  let unregister = () => {}
  let isEnding = false
  let isFinishing = false
  let isBlocked = false
  const frames = createFrames((type, length) => {
    if (length <= (session ? MAX_PACKET_BYTES : MAX_HEAD_BYTES)) return length
    if (session && type === PUBLISH) return MAX_HEAD_BYTES
    throw new ProtocolError('packet too large', TOO_LARGE)
  })

  const stopTimer = (name: TimerName) => {
    clearTimeout(timers.get(name))
    timers.delete(name)
  }
  const startTimer = (name: TimerName, ms: number, work: () => void) => timers.set(name, setTimeout(work, ms).unref())
  const encode = (packet: Packet) => generate(packet, { protocolVersion: session?.version ?? 4 })
  const write = (packet: Packet) => {
    if (socket.writable) socket.write(encode(packet))
  }
  const end = (last?: Buffer) => {
    if (isEnding) return
    isEnding = true
    if (socket.writable) socket.end(last ?? Buffer.alloc(0))
    startTimer('linger', LINGER_MS, () => socket.destroy())
  }
  const disconnect = (reasonCode: number) =>
    end(session?.version === 5 ? encode({ cmd: 'disconnect', reasonCode }) : undefined)

  /** Acknowledgements to come, in the order of their messages. */
  const pending = new Set<Promise<void>>()
  let pendingBytes = 0
  let lastAcknowledgement = Promise.resolve()
  const isFull = () => pending.size >= MAX_PENDING || (pending.size > 0 && pendingBytes >= MAX_PENDING_BYTES)
  /** Waits until another message may be read. */
  const waitForCapacity = async () => {
    isBlocked = true
    while (isFull() && !isEnding) await pending.values().next().value
    isBlocked = false
  }

  const connect = async (packet: IConnectPacket) => {
    stopTimer('connect')
    const result = await context.authenticate(packet, ip)
    const version = packet.protocolVersion ?? 4
    if ('returnCode' in result) {
      const { reason, returnCode, reasonCode } = result
      log.info({ ip, code: reason }, 'mqtt: refused')
      return end(
        generate({ cmd: 'connack', sessionPresent: false, returnCode, reasonCode }, { protocolVersion: version }),
      )
    }
    if (socket.destroyed) return
    const maxAnswerBytes = packet.properties?.maximumPacketSize ?? Number.POSITIVE_INFINITY
    session = { sender: result, version, maxAnswerBytes, isSubscribed: false }
    unregister = context.register({
      sender: result,
      end: (reason) => disconnect(CODES[reason]),
      finish: async () => {
        isFinishing = true
        await Promise.race([lastAcknowledgement, sleep(FINISH_MS, undefined, { ref: false })])
        disconnect(CODES.stopping)
      },
    })
    // One and a half times the interval (MQTT-3.1.2-24); nothing is read while the server waits for the database.
    if (packet.keepalive)
      startTimer('keepAlive', packet.keepalive * 1500, () => {
        if (isBlocked) timers.get('keepAlive')?.refresh()
        else disconnect(CODES.silent)
      })
    write({
      cmd: 'connack',
      // The portal keeps nothing of a client: answers are for its connection only.
      sessionPresent: false,
      returnCode: 0,
      reasonCode: 0,
      properties: {
        sessionExpiryInterval: 0,
        receiveMaximum: MAX_PENDING,
        maximumQoS: 1,
        retainAvailable: false,
        maximumPacketSize: MAX_PACKET_BYTES,
        wildcardSubscriptionAvailable: false,
        subscriptionIdentifiersAvailable: false,
        sharedSubscriptionAvailable: false,
        ...(result.isAssigned && { assignedClientIdentifier: result.clientId }),
      },
    })
  }

  const assertPermitted = ({ qos, retain, properties, topic }: IPublishPacket, { locationId }: Sender) => {
    const forbid = (message: string, code: number) => {
      context.onForbidden()
      throw new ProtocolError(message, code)
    }
    if (qos !== 1) return forbid('QoS is not 1', CODES.qos)
    if (retain) return forbid('retained message', CODES.retain)
    if (properties?.topicAlias !== undefined) return forbid('topic alias', CODES.topicAlias)
    return targetOf(topic, locationId) ?? forbid('topic of another station', CODES.notAuthorised)
  }

  const publish = async (packet: IPublishPacket, isTruncated: boolean, { sender }: Session) => {
    const { topic, payload } = packet
    const target = assertPermitted(packet, sender)
    await waitForCapacity()
    if (isEnding || isFinishing) return
    // Stored at once, as messages that arrive together share a transaction; acknowledged in their order (MQTT-4.6.0-2).
    const outcome = context.receive(sender, ip, { topic, target, payload: payload as Buffer, isTruncated })
    const acknowledgement = lastAcknowledgement
      .then(() => outcome)
      .then((outcome) => {
        if (!isEnding) acknowledge(packet, outcome)
      })
      .catch((error) => {
        log.error({ err: error }, 'mqtt: not acknowledged')
        disconnect(CODES.busy)
      })
      .finally(() => {
        pending.delete(acknowledgement)
        pendingBytes -= payload.length
      })
    lastAcknowledgement = acknowledgement
    pending.add(acknowledgement)
    pendingBytes += payload.length
  }

  const acknowledge = ({ messageId, properties }: IPublishPacket, outcome: Outcome) => {
    if (!session) return
    if (outcome.kind === 'failed') return disconnect(CODES.busy)
    if (session.isSubscribed) {
      const answer = encode({
        cmd: 'publish',
        topic: answersTopic(session.sender.locationId),
        payload: JSON.stringify(outcome.answer),
        qos: 0,
        dup: false,
        retain: false,
        ...(properties?.correlationData && { properties: { correlationData: properties.correlationData } }),
      })
      if (answer.length <= session.maxAnswerBytes && socket.writable) socket.write(answer)
    }
    const reasonCode = outcome.kind === 'refused' ? CODES.notAccepted : 0
    write({ cmd: 'puback', ...(messageId !== undefined && { messageId }), reasonCode })
  }

  const subscribe = ({ messageId, subscriptions }: ISubscribePacket, session: Session) => {
    const own = answersTopic(session.sender.locationId)
    const refused = session.version === 5 ? CODES.notAuthorised : 0x80
    if (subscriptions.some(({ topic }) => topic === own)) session.isSubscribed = true
    // Answers have QoS 0: a message without one is repeated, and answered then.
    const granted = subscriptions.map(({ topic }) => (topic === own ? 0 : refused))
    write({ cmd: 'suback', ...(messageId !== undefined && { messageId }), granted })
  }

  const unsubscribe = ({ messageId, unsubscriptions }: IUnsubscribePacket, session: Session) => {
    if (unsubscriptions.includes(answersTopic(session.sender.locationId))) session.isSubscribed = false
    write({ cmd: 'unsuback', ...(messageId !== undefined && { messageId }), granted: unsubscriptions.map(() => 0) })
  }

  const handle = async (packet: Packet, isTruncated: boolean) => {
    if (packet.cmd === 'connect' && !session) return connect(packet)
    if (!session) throw new ProtocolError('no CONNECT', CODES.protocol)
    if (packet.cmd === 'publish') return publish(packet, isTruncated, session)
    if (packet.cmd === 'subscribe') return subscribe(packet, session)
    if (packet.cmd === 'unsubscribe') return unsubscribe(packet, session)
    if (packet.cmd === 'pingreq') return write({ cmd: 'pingresp' })
    if (packet.cmd === 'disconnect') return end()
    throw new ProtocolError(`unexpected ${packet.cmd}`, CODES.protocol)
  }

  const waitForDrain = () =>
    new Promise<void>((resolve) => {
      const done = () => {
        socket.off('drain', done).off('close', done)
        resolve()
      }
      socket.on('drain', done).on('close', done)
    })

  /** Reads until the connection is closed; discards what arrives after its end, so that the client gets the last bytes. */
  const read = async () => {
    for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
      if (isEnding || isFinishing) continue
      timers.get('keepAlive')?.refresh()
      for (const { bytes, isTruncated } of frames.push(chunk)) {
        stopTimer('packet')
        await handle(decode(bytes), isTruncated)
        if (socket.writableNeedDrain) await waitForDrain()
        if (isEnding || isFinishing) break
      }
      if (frames.isPartial() && !timers.has('packet'))
        startTimer('packet', timeouts.packetMs, () => disconnect(CODES.busy))
    }
  }

  socket.on('error', () => {})
  startTimer('connect', timeouts.connectMs, () => socket.destroy())
  try {
    await read().catch((error: unknown) => {
      if (!(error instanceof ProtocolError)) throw error
      log.info({ ip, locationId: session?.sender.locationId, code: error.message }, 'mqtt: connection ended')
      if (!session && error.code === UNSUPPORTED_VERSION)
        end(encode({ cmd: 'connack', sessionPresent: false, returnCode: 1 }))
      disconnect(error.code)
      return read()
    })
  } catch (error) {
    // Socket errors are no failure of the portal: the client has gone, or was too slow.
    const isSocketError =
      error === socket.errored || (error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE'
    if (!isSocketError) log.error({ err: error }, 'mqtt: connection failed')
  } finally {
    for (const timer of timers.values()) clearTimeout(timer)
    unregister()
    socket.destroy()
  }
}

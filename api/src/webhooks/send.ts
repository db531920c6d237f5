import { Resolver } from 'node:dns/promises'
import { request } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { rootCertificates } from 'node:tls'
import type { DeliveryError } from '@rogatka/contract/webhooks.ts'
import { clientSpan } from '../core/spans.ts'

/** From the lookup of the name to the end of the response. */
const TIMEOUT_MS = 10_000
/** For an answer of a name server, which is asked twice. */
const NAME_SERVER_TIMEOUT_MS = 2_000
/** The addresses of a name are tried in turn, each after this time in milliseconds. */
const CONNECT_OPTIONS = { autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 2_000 }
/** A response is read no further: only its status counts. */
const MAX_RESPONSE_BYTES = 16 * 1024

/** Of the span of a request; its address may have secrets, so it is left out. */
const POST = { 'http.request.method': 'POST' }
const statusAttribute = (status: number) => ({ 'http.response.status_code': status })

/** The addresses of a host name; ends when the signal aborts. */
export type Resolve = (host: string, signal: AbortSignal) => Promise<string[]>

export type WebhookSender = {
  /** Posts a body; the status of the response. @throws DeliveryFailure without a response, or if an address is not allowed */
  post: (url: string, headers: Record<string, string>, body: string, signal: AbortSignal) => Promise<number>
}

type Options = {
  isAllowed: (address: string) => boolean
  /** Certificate authorities besides those of Node.js, in PEM. */
  authorities?: readonly string[]
  resolve?: Resolve
  nameServers?: readonly string[]
  timeoutMs?: number
}

/** The address that a host has without a lookup: itself, or that of `localhost`, of which no server is asked (RFC 6761). */
function addressWithoutLookup(host: string): string | null {
  if (isIP(host)) return host
  return /(^|\.)localhost\.?$/.test(host) ? '127.0.0.1' : null
}

const hostOf = (url: string) => new URL(url).hostname.replace(/^\[(.*)\]$/, '$1')

/** Whether a URL names an address that is not allowed. Names are looked up only when something is sent: they may change. */
export function hasRefusedAddress(url: string, isAllowed: (address: string) => boolean): boolean {
  const address = addressWithoutLookup(hostOf(url))
  return address !== null && !isAllowed(address)
}

/**
 * Looks names up by the name servers alone, without the file of hosts: a lookup by the system cannot be cancelled, and
 * holds a thread that others need. `servers` undefined: those of the system.
 */
const resolverOf =
  (servers: readonly string[] | undefined): Resolve =>
  async (host, signal) => {
    const resolver = new Resolver({ timeout: NAME_SERVER_TIMEOUT_MS, tries: 2 })
    if (servers) resolver.setServers(servers)
    const cancel = () => resolver.cancel()
    signal.addEventListener('abort', cancel)
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    signal.removeEventListener('abort', cancel)
    const addresses = [v4, v6].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    if (addresses.length === 0 && v4.status === 'rejected') throw v4.reason
    return addresses
  }

/** An attempt that failed. Its message and cause may disclose internal addresses; the code does not. */
export class DeliveryFailure extends Error {
  readonly code: DeliveryError

  constructor(code: DeliveryError, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/**
 * Sends webhooks: the name is looked up once for each attempt, every address of the answer has to be allowed, and the
 * connection goes to the first of these that accepts it, and to nothing else. Redirects are not followed, responses are not read.
 */
export function createWebhookSender({
  isAllowed,
  authorities = [],
  nameServers,
  resolve = resolverOf(nameServers),
  timeoutMs = TIMEOUT_MS,
}: Options): WebhookSender {
  const ca = authorities.length > 0 ? [...rootCertificates, ...authorities] : undefined
  return {
    post: async (url, headers, body, signal) => {
      const host = hostOf(url)
      const aborted = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
      const known = addressWithoutLookup(host)
      const addresses = known ? [known] : await lookUp(resolve, host, aborted)
      if (addresses.length === 0) throw new DeliveryFailure('name-not-found', 'The host name has no address')
      // A name with an internal address fails as one that does not exist, which would disclose internal names.
      if (!addresses.every(isAllowed))
        throw new DeliveryFailure(
          known ? 'address-refused' : 'name-not-found',
          'The address is not public, and WEBHOOK_ALLOW does not have it',
        )
      const options = { addresses, host, ca, body, signal: aborted }
      const send = (traced: Record<string, string>) =>
        untilAborted(postTo(new URL(url), { ...options, headers: { ...headers, ...traced } }), aborted)
      return clientSpan('POST', POST, send, statusAttribute).catch((error: Error) => {
        throw error instanceof DeliveryFailure
          ? error
          : new DeliveryFailure(codeOf(error), error.message, { cause: error })
      })
    },
  }
}

async function lookUp(resolve: Resolve, host: string, signal: AbortSignal): Promise<string[]> {
  try {
    return await untilAborted(resolve(host, signal), signal)
  } catch (error) {
    if (error instanceof DeliveryFailure) throw error
    throw new DeliveryFailure('name-not-found', (error as Error).message, { cause: error })
  }
}

/** Which failure an error of Node.js is. */
function codeOf({ code = '' }: NodeJS.ErrnoException): DeliveryError {
  if (/CERT|SIGNATURE|ISSUER|CRL|CA$/.test(code)) return 'certificate'
  return /^(ECONNRESET|EPIPE|HPE_)/.test(code) ? 'closed' : 'not-reachable'
}

type Post = {
  addresses: readonly string[]
  host: string
  ca: string[] | undefined
  headers: Record<string, string>
  body: string
  signal: AbortSignal
}

function postTo(url: URL, { addresses, host, ca, headers, body, signal }: Post): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const checked = addresses.map((address) => ({ address, family: isIP(address) }))
  const lookup: LookupFunction = (_host, _options, callback) => callback(null, checked)
  const outgoing = request({
    method: 'POST',
    // Connects to the checked addresses only, one after the other, and verifies the certificate of the name.
    hostname: host,
    lookup,
    ...CONNECT_OPTIONS,
    port: url.port || 443,
    path: url.pathname + url.search,
    ...(isIP(host) ? {} : { servername: host }),
    agent: false,
    ca,
    headers: { ...headers, host: url.host, 'content-length': Buffer.byteLength(body), connection: 'close' },
    signal,
  })
  outgoing.on('error', (error) => reject(signal.aborted ? timeoutError(signal) : error))
  // Without it Node.js closes the connection of a 101 and emits neither an error nor a response.
  outgoing.on('upgrade', (_response, socket) => {
    socket.destroy()
    reject(timeoutError(signal))
  })
  outgoing.on('close', () => reject(timeoutError(signal)))
  outgoing.on('response', (response) => {
    let bytes = 0
    const finish = () => {
      resolve(response.statusCode ?? 0)
      response.destroy()
    }
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > MAX_RESPONSE_BYTES) finish()
    })
    response.on('end', finish)
    // An interrupted body: the receiver may not have done its work.
    response.on('error', (error) => reject(signal.aborted ? timeoutError(signal) : error))
    response.on('close', () => reject(timeoutError(signal)))
  })
  outgoing.end(body)
  return promise
}

const timeoutError = (signal: AbortSignal): DeliveryFailure =>
  signal.aborted
    ? new DeliveryFailure('timeout', 'The receiver did not answer in time')
    : new DeliveryFailure('closed', 'The receiver closed the connection')

/** Rejects when the signal aborts; the promise itself continues. */
async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = () => reject(timeoutError(signal))
  signal.addEventListener('abort', abort)
  if (signal.aborted) abort()
  return Promise.race([promise, aborted]).finally(() => signal.removeEventListener('abort', abort))
}

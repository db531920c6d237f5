import { lookup } from 'node:dns/promises'
import { request } from 'node:https'
import { isIP } from 'node:net'
import { rootCertificates } from 'node:tls'

/** From the lookup of the name to the end of the response. */
const TIMEOUT_MS = 10_000
/** A response is read no further: only its status counts. */
const MAX_RESPONSE_BYTES = 16 * 1024

/** The addresses of a host name. */
export type Resolve = (host: string) => Promise<string[]>

export type WebhookSender = {
  /** Posts a body; the status of the response. @throws without a response, or if an address is not allowed */
  post: (url: string, headers: Record<string, string>, body: string, signal: AbortSignal) => Promise<number>
}

type Options = {
  isAllowed: (address: string) => boolean
  /** Certificate authorities besides those of Node.js, in PEM. */
  authorities?: readonly string[]
  resolve?: Resolve
  timeoutMs?: number
}

const resolveName: Resolve = async (host) => (await lookup(host, { all: true })).map(({ address }) => address)

/** A host that webhooks may not reach. */
export class AddressRefused extends Error {}

/**
 * Sends webhooks: the name is looked up once for each attempt, every address of the answer has to be allowed, and the
 * connection goes to the first of these and to nothing else. Redirects are not followed, responses are not read.
 */
export function createWebhookSender({
  isAllowed,
  authorities = [],
  resolve = resolveName,
  timeoutMs = TIMEOUT_MS,
}: Options): WebhookSender {
  const ca = authorities.length > 0 ? [...rootCertificates, ...authorities] : undefined
  return {
    post: async (url, headers, body, signal) => {
      const { hostname } = new URL(url)
      const host = hostname.replace(/^\[(.*)\]$/, '$1')
      const aborted = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
      const addresses = isIP(host) ? [host] : await untilAborted(resolve(host), aborted)
      const [address] = addresses
      if (address === undefined) throw new Error('The host name has no address')
      const refused = addresses.find((it) => !isAllowed(it))
      // Without the address, which would disclose internal names.
      if (refused !== undefined)
        throw new AddressRefused('The address is not public, and WEBHOOK_ALLOW does not have it')
      return untilAborted(postTo(new URL(url), { address, host, ca, headers, body, signal: aborted }), aborted)
    },
  }
}

type Post = {
  address: string
  host: string
  ca: string[] | undefined
  headers: Record<string, string>
  body: string
  signal: AbortSignal
}

function postTo(url: URL, { address, host, ca, headers, body, signal }: Post): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const outgoing = request({
    method: 'POST',
    // Connects to this address only, and verifies the certificate of the name.
    hostname: address,
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

const timeoutError = (signal: AbortSignal): Error =>
  new Error(signal.aborted ? 'The receiver did not answer in time' : 'The receiver closed the connection')

/** Rejects when the signal aborts; the promise itself continues. */
async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = () => reject(timeoutError(signal))
  signal.addEventListener('abort', abort)
  if (signal.aborted) abort()
  return Promise.race([promise, aborted]).finally(() => signal.removeEventListener('abort', abort))
}

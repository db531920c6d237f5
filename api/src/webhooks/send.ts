import { lookup } from 'node:dns/promises'
import { request } from 'node:https'
import { isIP } from 'node:net'
import { rootCertificates } from 'node:tls'
import type { DeliveryError } from '@rogatka/contract/webhooks.ts'

/** From the lookup of the name to the end of the response. */
const TIMEOUT_MS = 10_000
/** A response is read no further: only its status counts. */
const MAX_RESPONSE_BYTES = 16 * 1024

/** The addresses of a host name. */
export type Resolve = (host: string) => Promise<string[]>

export type WebhookSender = {
  /** Posts a body; the status of the response. @throws DeliveryFailure without a response, or if an address is not allowed */
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
 * connection goes to one of these and to nothing else. Redirects are not followed, responses are not read.
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
      const addresses = isIP(host) ? [host] : await lookUp(resolve, host, aborted)
      const [address] = addresses
      if (address === undefined) throw new DeliveryFailure('name-not-found', 'The host name has no address')
      // A name with an internal address fails as one that does not exist, which would disclose internal names.
      if (!addresses.every(isAllowed))
        throw new DeliveryFailure(
          isIP(host) ? 'address-refused' : 'name-not-found',
          'The address is not public, and WEBHOOK_ALLOW does not have it',
        )
      const options = { address, host, ca, headers, body, signal: aborted }
      return untilAborted(postTo(new URL(url), options), aborted).catch((error: Error) => {
        throw error instanceof DeliveryFailure
          ? error
          : new DeliveryFailure(codeOf(error), error.message, { cause: error })
      })
    },
  }
}

async function lookUp(resolve: Resolve, host: string, signal: AbortSignal): Promise<string[]> {
  try {
    return await untilAborted(resolve(host), signal)
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

import { type IncomingMessage, request as requestPlain } from 'node:http'
import { request as requestTls } from 'node:https'
import { rootCertificates } from 'node:tls'
import type { ErrorCode } from '@rogatka/contract/errors.ts'
import type { CustomFetch } from 'openid-client'

/** Documents of a provider have a few kilobytes. */
const MAX_BYTES = 1024 ** 2

/** Why a provider could not be asked. */
export type ProviderErrorCode = Extract<
  ErrorCode,
  'provider-timeout' | 'provider-not-reachable' | 'provider-certificate' | 'provider-answer-unreadable'
>

export class ProviderUnavailable extends Error {
  readonly code: ProviderErrorCode

  constructor(code: ProviderErrorCode, options?: ErrorOptions) {
    super(code, options)
    this.code = code
  }
}

/**
 * `fetch` for providers: ends when the signal does, trusts the authorities besides those of Node.js, follows no redirect
 * and reads no more than a megabyte. Throws ProviderUnavailable.
 */
export function createProviderFetch(authorities: readonly string[], signal: AbortSignal): CustomFetch {
  const ca = authorities.length > 0 ? [...rootCertificates, ...authorities] : undefined
  return async (url, { method, headers, body }) => {
    const content = body instanceof URLSearchParams ? body.toString() : (body ?? undefined)
    if (content !== undefined && typeof content !== 'string') throw new TypeError('the body of a request is text')
    const request = new URL(url).protocol === 'https:' ? requestTls : requestPlain
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
    const length = content === undefined ? {} : { 'content-length': Buffer.byteLength(content) }
    const options = { method, headers: { ...headers, ...length }, agent: false, signal, ...(ca && { ca }) }
    const outgoing = request(url, options, resolve)
    outgoing.on('error', reject)
    outgoing.end(content)
    try {
      const response = await promise
      const bytes = await readBytes(response)
      const status = response.statusCode ?? 0
      if (status < 200 || status > 599) throw new ProviderUnavailable('provider-answer-unreadable')
      const pairs = Object.entries(response.headersDistinct).flatMap(([name, values = []]) =>
        values.map((value): [string, string] => [name, value]),
      )
      const hasBody = ![204, 205, 304].includes(status)
      return new Response(hasBody ? new Uint8Array(bytes) : null, { status, headers: pairs })
    } catch (error) {
      throw error instanceof ProviderUnavailable
        ? error
        : new ProviderUnavailable(signal.aborted ? 'provider-timeout' : errorCodeOf(error as Error), { cause: error })
    } finally {
      outgoing.destroy()
    }
  }
}

async function readBytes(response: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of response) {
    size += part.length
    if (size > MAX_BYTES) throw new ProviderUnavailable('provider-answer-unreadable')
    parts.push(part)
  }
  return Buffer.concat(parts)
}

/** The error code for an error of Node.js. */
function errorCodeOf({ code = '' }: NodeJS.ErrnoException): ProviderErrorCode {
  if (/CERT|SIGNATURE|ISSUER|CRL|CA$/.test(code)) return 'provider-certificate'
  return /^HPE_/.test(code) ? 'provider-answer-unreadable' : 'provider-not-reachable'
}

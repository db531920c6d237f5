import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { ErrorCode } from '@rogatka/contract/errors.ts'
import { languageOf } from '@rogatka/contract/languages.ts'
import { toApiErrors } from './error-mapping.ts'
import { headersOf } from './headers.ts'

/** Errors of Node's HTTP parser; all others are malformed requests. */
const PARSER_ERRORS: Record<string, [ErrorCode, number]> = {
  HPE_HEADER_OVERFLOW: ['too-large', 431],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['too-large', 413],
  ERR_HTTP_REQUEST_TIMEOUT: ['bad-request', 408],
}

/**
 * Answers a request that could not be parsed, in the error format, and closes its connection. Its headers are unknown,
 * so the text is in the default language.
 */
export function sendClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const [code, status] = PARSER_ERRORS[error.code ?? ''] ?? ['bad-request', 400]
  const body = JSON.stringify(toApiErrors([{ path: null, code }], languageOf(undefined)))
  const headers = {
    ...headersOf(true, false),
    connection: 'close',
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  if (socket.writable) socket.write([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n'))
  socket.destroy(error)
}

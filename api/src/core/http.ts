import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import compress from '@fastify/compress'
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import { API_BASE } from '@rogatka/contract/endpoint.ts'
import { languageOf } from '@rogatka/contract/languages.ts'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import { serializerCompiler } from 'fastify-type-provider-zod'
import type { z } from 'zod'
import type { Config } from '../config.ts'
import { BODY_TIMEOUT_MS, limitBodyTime, MAX_UPLOAD_MS } from './body-time.ts'
import { createCallLimits } from './call-limits.ts'
import { sendClientError } from './client-error.ts'
import { fromZodIssues, toApiErrors, toRefusal } from './error-mapping.ts'
import { forwardedAddresses } from './forwarded.ts'
import { headersOf } from './headers.ts'
import { isTooDeep } from './json-depth.ts'
import { createKnownTokens, tokenOf } from './known-tokens.ts'
import { loggedAddress } from './log-redaction.ts'
import { addSchemas, describeRoute } from './openapi.ts'
import { completeDocument, documentHead } from './openapi-document.ts'
import { createRateLimits, type RateLimits } from './rate-limit.ts'
import { Refusal, refuseFields } from './refusal.ts'
import { traceRequests } from './request-spans.ts'
import { endpointsOf, MAX_JSON_BYTES } from './route.ts'
import { createUploads } from './uploads.ts'

/** Receives log lines instead of standard output. */
export type LogTarget = { write: (line: string) => void }

/** Statuses logged as security events, without the credentials that were tried. */
const SECURITY_STATUSES = [401, 403, 429]
/** Codes of guesses with another status. */
const GUESS_CODES = ['wrong-current-password', 'reset-token-invalid']

/** The bare server: security headers, limits, logging, error format and API page, without routes of features. */
export async function createHttp(
  config: Config,
  logTarget?: LogTarget,
  bodyTimeoutMs = BODY_TIMEOUT_MS,
  limits: RateLimits = createRateLimits(() => new Date()),
): Promise<FastifyInstance> {
  const http = fastify({
    logger:
      config.logLevel === 'silent'
        ? false
        : {
            level: config.logLevel,
            ...(logTarget && { stream: logTarget }),
            redact: ['req.headers.authorization'],
            serializers: {
              req: (request) => ({
                method: request.method,
                url: loggedAddress(request),
                ip: request.ip,
                id: request.id,
              }),
            },
          },
    // One line per request, logged below.
    logController: new LogController({ disableRequestLogging: true }),
    // Log lines have the request ID, so no child logger is created per request.
    childLoggerFactory: (logger) => logger,
    // Trusts one proxy: entries further left in X-Forwarded-For are set by the client.
    trustProxy: config.trustProxy === true ? (_address: string, hop: number) => hop === 0 : config.trustProxy,
    genReqId: () => randomUUID(),
    bodyLimit: MAX_JSON_BYTES,
    // For uploads. Other bodies, and pauses of an upload, have `bodyTimeoutMs`.
    requestTimeout: MAX_UPLOAD_MS,
    // Sent below, in the error format.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 200 },
    // A request that cannot be parsed; neither hooks nor error handlers run for it.
    clientErrorHandler: sendClientError,
    // A URL that cannot be routed; no hook runs for it.
    frameworkErrors: (error, request, reply) =>
      sendError(
        error,
        request,
        // No body timeout applies here.
        reply.headers({ ...headersOf(false, false), 'x-request-id': request.id, connection: 'close' }),
      ),
  })

  http.decorateRequest('caller', null as unknown as { session?: never })
  http.decorateRequest('upload')
  http.decorateRequest('span')
  http.setValidatorCompiler<z.ZodType>(({ schema }) => (data) => {
    const parsed = schema.safeParse(data ?? {}, { reportInput: true })
    return parsed.success ? { value: parsed.data } : { error: refuseFields(400, fromZodIssues(parsed.error)) }
  })
  http.setSerializerCompiler(serializerCompiler)

  // Before an address is counted or stored: one address in several notations must count once.
  if (config.trustProxy)
    http.addHook('onRequest', ({ raw: { headers } }, _reply, done) => {
      const forwarded = headers['x-forwarded-for']
      if (forwarded !== undefined) {
        const addresses = forwardedAddresses(String(forwarded))
        if (addresses.length > 0) headers['x-forwarded-for'] = addresses.join(', ')
        else delete headers['x-forwarded-for']
      }
      done()
    })

  if (config.otlpEndpoint !== undefined) traceRequests(http)
  let isClosing = false
  http.addHook('preClose', async () => {
    isClosing = true
  })
  const knownTokens = createKnownTokens()
  http.decorate('knownTokens', knownTokens)
  http.decorate('callLimits', createCallLimits(limits, config, knownTokens))
  // One synchronous hook, as it runs for every request and most are small polls of the live list.
  http.addHook('onRequest', (request, reply, done) => {
    const { url = '', config: routeConfig } = request.routeOptions
    const isData = url.startsWith(API_BASE) && routeConfig.binary !== 'application/octet-stream'
    reply.headers(headersOf(isData, request.protocol === 'https')).header('x-request-id', request.id)
    limitBodyTime(request, reply, bodyTimeoutMs)
    if (isClosing) {
      reply.header('connection', 'close')
      return done(new Refusal('unavailable', 503, null, 5))
    }
    if (routeConfig.unlimited) return done()
    const retryAfter = http.callLimits(request.ip, tokenOf(request))
    done(retryAfter === null ? undefined : new Refusal('too-many-requests', 429, null, retryAfter))
  })
  if (['debug', 'trace'].includes(config.logLevel))
    http.addHook('onResponse', (request, reply, done) => {
      const line = {
        reqId: request.id,
        method: request.method,
        url: request.routeOptions.url,
        status: reply.statusCode,
      }
      request.log.debug({ ...line, ms: Math.round(reply.elapsedTime) }, 'answered')
      done()
    })
  http.setErrorHandler(sendError)
  // Measurements and images reach their routes as bytes, other JSON is parsed.
  const parseJson = http.getDefaultJsonParser('error', 'error')
  http.removeContentTypeParser(['application/json', 'text/plain'])
  http.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (request.routeOptions.config.raw) return done(null, body)
    if (body.length === 0) return done(null, undefined)
    const json = body.toString()
    if (isTooDeep(json)) return done(new Refusal('bad-request', 400))
    parseJson(request, json, done)
  })
  const bytes = ['application/x-ndjson', 'image/jpeg']
  http.addContentTypeParser(bytes, { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  const uploads = createUploads()
  http.addContentTypeParser('multipart/form-data', (request: FastifyRequest, payload: IncomingMessage) =>
    uploads.read(request, payload),
  )

  http.addContentTypeParser('application/octet-stream', (request: FastifyRequest, payload: IncomingMessage, done) => {
    if (request.routeOptions.config.raw === 'file') return done(null, payload)
    payload.resume()
    done(new Refusal('unsupported-media-type', 415))
  })

  await http.register(compress, { threshold: 2048, encodings: ['gzip'] })
  await http.register(swagger, {
    openapi: documentHead,
    transform: describeRoute,
    transformObject: (document) => completeDocument(addSchemas(document), endpointsOf(http), config),
  })
  await http.register(swaggerUi, { routePrefix: '/api/docs' })
  http.get(`${API_BASE}/openapi.json`, { schema: { hide: true } }, () => http.swagger())
  return http
}

/** Sends any error in the error format. */
function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = toRefusal(error)
  if (refusal.status === 500) request.log.error({ err: error }, refusal.message)
  else if (refusal.status > 500) request.log.warn(`${refusal.message}: ${(error as Error).message}`)
  else if (SECURITY_STATUSES.includes(refusal.status) || GUESS_CODES.includes(refusal.message)) {
    const { ip, method, caller } = request
    const about = { ip, method, url: request.routeOptions.url, userId: caller?.session?.userId }
    request.log.info({ ...about, status: refusal.status, code: refusal.message }, 'refused')
  }
  if (refusal.retryAfter !== undefined) reply.header('retry-after', refusal.retryAfter)
  return reply
    .code(refusal.status)
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(toApiErrors(refusal.errors, languageOf(request.headers['accept-language'])))
}

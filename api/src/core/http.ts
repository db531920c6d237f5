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
import { BODY_TIMEOUT_MS, limitBodyTime, UPLOAD_TIMEOUT_MS } from './body-time.ts'
import { fromZodIssues, toApiErrors, toRefusal } from './error-mapping.ts'
import { forwardedAddresses } from './forwarded.ts'
import { HTTPS_ONLY, NO_STORE, SECURITY_HEADERS } from './headers.ts'
import { isTooDeep } from './json-depth.ts'
import { createKnownTokens } from './known-tokens.ts'
import { describedRoute } from './openapi.ts'
import { clientKey, createRateLimiter } from './rate-limit.ts'
import { Refusal, refuseFields } from './refusal.ts'
import { MAX_JSON_BYTES } from './route.ts'
import { createUploads } from './uploads.ts'
import { VERSION } from './version.ts'

/** Where log lines go instead of standard output. */
export type LogTarget = { write: (line: string) => void }

/** Refusals that tell of somebody at a door: what they tried with is not written down, it may be a password. */
const OF_SECURITY = [401, 403, 429]
/** The same with another status: a guess beside a field of a form. */
const GUESSES = ['wrong-current-password', 'reset-token-invalid']

/** The bare server: security headers, limits, logging, the form of errors and the page of the API; no route of any room. */
export async function createHttp(
  config: Config,
  logTo?: LogTarget,
  bodyTimeoutMs = BODY_TIMEOUT_MS,
): Promise<FastifyInstance> {
  const http = fastify({
    logger:
      config.logLevel === 'silent'
        ? false
        : {
            level: config.logLevel,
            ...(logTo && { stream: logTo }),
            redact: ['req.headers.authorization'],
            serializers: {
              req: (request) => ({ method: request.method, url: request.url, ip: request.ip, id: request.id }),
            },
          },
    // A line a request is enough, and it is written below.
    logController: new LogController({ disableRequestLogging: true }),
    // Lines name their request themselves, so no logger is made for each.
    childLoggerFactory: (logger) => logger,
    // One proxy, not all: what stands further left in X-Forwarded-For is only what a caller wrote there.
    trustProxy: config.trustProxy === true ? (_address: string, hop: number) => hop === 0 : config.trustProxy,
    genReqId: () => randomUUID(),
    bodyLimit: MAX_JSON_BYTES,
    // Of uploads: every other body has the time of `bodyTimeoutMs`, and so has a pause of an upload.
    requestTimeout: UPLOAD_TIMEOUT_MS,
    // Said below, in the form that errors have.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 200 },
    // An address that no route can be looked up for; no hook runs for it.
    frameworkErrors: (error, request, reply) =>
      answerError(
        error,
        request,
        // No limit of the body's time holds here.
        reply.headers({ 'cache-control': NO_STORE, 'x-request-id': request.id, connection: 'close' }),
      ),
  })

  http.decorateRequest('caller', null as unknown as { session?: never })
  http.decorateRequest('upload')
  http.setValidatorCompiler<z.ZodType>(({ schema }) => (data) => {
    const parsed = schema.safeParse(data ?? {}, { reportInput: true })
    return parsed.success ? { value: parsed.data } : { error: refuseFields(400, fromZodIssues(parsed.error)) }
  })
  http.setSerializerCompiler(serializerCompiler)

  // Before anything counts or stores an address: the same one must not count anew in another spelling.
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

  let isClosing = false
  http.addHook('preClose', async () => {
    isClosing = true
  })
  const limit = createRateLimiter({ max: config.requestsPerMinute, seconds: 60 })
  http.decorate('knownTokens', createKnownTokens())
  // One hook without a promise: it runs for every call, and a live list of many operators is mostly such small calls.
  http.addHook('onRequest', (request, reply, done) => {
    reply.headers(SECURITY_HEADERS).header('cache-control', NO_STORE).header('x-request-id', request.id)
    if (request.protocol === 'https') reply.header('strict-transport-security', HTTPS_ONLY)
    limitBodyTime(request, reply, bodyTimeoutMs)
    if (isClosing) {
      reply.header('connection', 'close')
      return done(new Refusal('unavailable', 503, null, 5))
    }
    if (request.routeOptions.config.unlimited) return done()
    const { isExceeded, remaining, secondsLeft } = limit(
      http.knownTokens.callerOf(request) ?? clientKey(request.ip),
      performance.now(),
    )
    reply
      .header('x-ratelimit-limit', config.requestsPerMinute)
      .header('x-ratelimit-remaining', remaining)
      .header('x-ratelimit-reset', secondsLeft)
    done(isExceeded ? new Refusal('too-many-requests', 429, null, secondsLeft) : undefined)
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
  http.setErrorHandler(answerError)
  // Bodies of stations and pictures reach their routes as bytes; JSON elsewhere as usual.
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

  await http.register(compress, { threshold: 2048, encodings: ['gzip'] })
  await http.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Rogatka', version: VERSION },
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    },
    transform: describedRoute,
  })
  await http.register(swaggerUi, { routePrefix: '/api/docs' })
  http.get(`${API_BASE}/openapi.json`, { schema: { hide: true } }, () => http.swagger())
  return http
}

/** Any error in the one form that errors have. */
function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = toRefusal(error)
  if (refusal.status === 500) request.log.error({ err: error }, refusal.message)
  else if (refusal.status > 500) request.log.warn(`${refusal.message}: ${(error as Error).message}`)
  else if (OF_SECURITY.includes(refusal.status) || GUESSES.includes(refusal.message)) {
    const { ip, method, caller } = request
    const about = { ip, method, url: request.routeOptions.url, userId: caller?.session?.userId }
    request.log.info({ ...about, status: refusal.status, code: refusal.message }, 'refused')
  }
  if (refusal.retryAfter !== undefined) reply.header('retry-after', refusal.retryAfter)
  return reply
    .code(refusal.status)
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(toApiErrors(refusal.faults, languageOf(request.headers['accept-language'])))
}

import { availableParallelism } from 'node:os'
import { isAbsolute, resolve } from 'node:path'
import { PASSWORD_LENGTH } from '@rogatka/contract/users.ts'
import { MAX_PASSWORD } from '@rogatka/contract/wire.ts'
import { type FactorPolicy, factorPolicies } from '@rogatka/domain/session/factorPolicy.ts'
import { PROPOSAL_LENGTH } from '@rogatka/domain/session/password.ts'
import { z } from 'zod'
import { MIN_HEAP_MB } from './core/memory-limits.ts'
import { type PartitionUnit, partitionUnits } from './core/partitions.ts'
import { acrValues, type Provider, readProviders, roleMap } from './core/providers.ts'
import { REPOSITORY_URL } from './core/version.ts'

const flag = z.enum(['true', 'false', '1', '0']).transform((value) => value === 'true' || value === '1')
/** Addresses and networks, separated by commas. */
const networks = z
  .string()
  .transform((text) => text.split(',').map((address) => address.trim()))
  .pipe(z.array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])))
/** Trusts every peer as a proxy, or only these addresses and networks. */
const proxies = z.union([flag, networks])
/** Digits only: an empty text is not zero. */
const integer = (min: number, max: number) =>
  z
    .string()
    .regex(/^-?\d+$/, 'a whole number is needed')
    .transform(Number)
    .pipe(z.int().min(min).max(max))
const days = integer(1, 36_500)
const url = (protocol: RegExp) => z.url({ protocol }).refine((text) => new URL(text).host !== '', 'a host is needed')
/** HH:MM, ascending. */
const shiftStarts = z
  .string()
  .regex(/^(?:[01]\d|2[0-3]):[0-5]\d(?:, *(?:[01]\d|2[0-3]):[0-5]\d)*$/, 'times are needed: HH:MM,HH:MM')
  .transform((text) => text.split(/, */))
  .refine((starts) => starts.every((start, at) => at === 0 || start > (starts[at - 1] as string)), 'they must ascend')
/** A base URL. */
const baseUrl = url(/^https?$/).refine((text) => !/[?#]/.test(text), 'it must not have a query or a fragment')
const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|::1|localhost)$/

/** A folder that cannot depend on where the portal was started. */
const absolutePath = z.string().refine(isAbsolute)
const databaseUrl = z
  .url({ protocol: /^postgres(ql)?$/ })
  // A Unix socket is a parameter.
  .refine((text) => new URL(text).host !== '' || new URL(text).searchParams.has('host'), 'a host is needed')
/** Where files are put: encrypted, unless it is this machine. */
const copyUrl = baseUrl.refine((text) => text.startsWith('https:') || LOOPBACK.test(new URL(text).hostname))
/** Addresses of authorities for time stamps, in order. */
const tsaUrls = z
  .string()
  .transform((text) => text.split(',').map((address) => address.trim()))
  .pipe(z.array(url(/^https?$/)))
const hasBucketAndKey = (text: string) => {
  const { username, password, pathname } = new URL(text)
  return username !== '' && password !== '' && pathname.length > 1
}
/** `wim@road.example` or `Waga <wim@road.example>` */
const SENDER = /^(?:[^<>@]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/

const environment = z.object({
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: integer(0, 65_535).default(8080),
  DATA_DIR: z.string().min(1).default('./data'),
  DISK_RESERVE_MB: integer(0, 1_000_000_000).default(256),
  /** Read before this, by `limitMemory`. */
  HEAP_MB: integer(MIN_HEAP_MB, 1_000_000).optional(),
  DATABASE_URL: databaseUrl.optional(),
  DATABASE_READ_URL: databaseUrl.optional(),
  DATABASE_READ_LAG_MS: integer(1, 60_000).default(1_000),
  DEMO: flag.optional(),
  DEMO_BACKFILL_DAYS: integer(0, 60).default(14),
  DEMO_TRAFFIC_PERCENT: integer(1, 100).default(100),
  ADMIN_PASSWORD: z.string().min(12).max(MAX_PASSWORD).optional(),
  BUILD_CODE: z.string().min(1).max(40).default('ZG201025'),
  OWNER_COMPANY: z.string().max(120).default('Zarząd Dróg (przykład)'),
  LEGACY_URL: z.url({ protocol: /^https?$/ }).optional(),
  SOURCE_URL: z.url({ protocol: /^https?$/ }).default(REPOSITORY_URL),
  SMTP_URL: url(/^smtps?$/).optional(),
  MAIL_FROM: z
    .string()
    .regex(SENDER, 'an address is needed: name@host or Name <name@host>')
    .default('Rogatka <rogatka@localhost>'),
  SMS_WEBHOOK_URL: z.url({ protocol: /^https?$/ }).optional(),
  PUBLIC_URL: baseUrl.optional(),
  S3_URL: url(/^https?$/)
    .refine(hasBucketAndKey, 'key, secret and bucket are needed')
    .optional(),
  ORGANIZATION: z.string().trim().min(1).max(120).optional(),
  ZAMMAD_URL: baseUrl.optional(),
  ZAMMAD_TOKEN: z.string().min(1).max(500).optional(),
  ZAMMAD_AUTH: z.enum(['token', 'bearer', 'basic']).default('token'),
  ZAMMAD_GROUP: z.string().trim().min(1).max(120).default('Users'),
  EVIDENCE_COPY: z.union([absolutePath, copyUrl], 'an absolute path or an https address is needed').optional(),
  SECRET_KEY: z
    .string()
    .regex(/^[0-9a-f]{64}$/i, '64 hexadecimal digits are needed')
    .optional(),
  TRAIL_KEY: z
    .string()
    .regex(/^[0-9a-f]{64}$/i, '64 hexadecimal digits are needed')
    .optional(),
  PURPOSES: z.enum(['off', 'required']).default('off'),
  OVERLOAD_BASIS: z.enum(['minimum', 'measured']).default('minimum'),
  PARTITIONS: z.enum(partitionUnits).default('month'),
  RETENTION_DAYS: days.default(730),
  IMAGE_RETENTION_DAYS: days.default(90),
  ACTIVITY_RETENTION_DAYS: days.default(730),
  INSPECTION_RETENTION_DAYS: days.default(1825),
  WEBHOOK_ALLOW: networks.default([]),
  WEBHOOK_CA: z.string().min(1).optional(),
  OIDC_PROVIDERS: z.string().min(1).optional(),
  OIDC_ROLE_CLAIM: z.string().min(1).max(200).default('groups'),
  OIDC_ROLE_MAP: roleMap.optional(),
  OIDC_MFA_ACR: acrValues.default([]),
  OIDC_CA: z.string().min(1).optional(),
  MQTT_PORT: integer(1, 65_535).optional(),
  MQTT_HOST: z.string().min(1).optional(),
  MQTT_CERT: z.string().min(1).optional(),
  MQTT_KEY: z.string().min(1).optional(),
  MQTT_PLAIN: flag.default(false),
  EVIDENCE_P12: z.string().min(1).optional(),
  EVIDENCE_P12_PASSWORD: z
    .string()
    .regex(/^[\x20-\x7e]*$/, 'only ASCII characters are possible')
    .max(MAX_PASSWORD)
    .optional(),
  EVIDENCE_CHAIN: z.string().min(1).optional(),
  PLATE_IN_ADDRESS: z.enum(['accepted', 'refused']).default('accepted'),
  TSA_URLS: tsaUrls.optional(),
  TSA_CA: z.string().min(1).optional(),
  SHIFT_STARTS: shiftStarts.default(['06:00', '14:00', '22:00']),
  SECOND_FACTOR: z.enum(factorPolicies).optional(),
  BREACHED_PASSWORDS: z.string().min(1).optional(),
  PASSWORD_MIN_LENGTH: integer(PASSWORD_LENGTH, PROPOSAL_LENGTH).default(PASSWORD_LENGTH),
  REQUESTS_PER_MINUTE: integer(60, 1_000_000).default(6_000),
  ADDRESS_REQUESTS_PER_MINUTE: integer(60, 100_000_000).default(1_200_000),
  ADDRESS_LOGIN_FAILURES: integer(5, 1_000_000).default(100),
  TRUST_PROXY: proxies.default(false),
  WORKERS: integer(1, 64).optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: baseUrl.optional(),
  OTEL_SERVICE_NAME: z.string().trim().min(1).max(120).default('rogatka'),
  TRACES_PERCENT: integer(0, 100).default(10),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
})

const MAX_DEMO_WORKERS = 4

/** Reports and searches may take most of ten, so that a process has no fewer; one that serves alone may have more. */
const MIN_CONNECTIONS = 10

/** The names of all environment variables. */
export const variables = Object.keys(environment.shape)

export type Config = {
  host: string
  port: number
  dataDir: string
  /** In bytes; free disk space that images and measurements must leave. */
  diskReserve: number
  /** Absent: embedded PostgreSQL. */
  databaseUrl: string | undefined
  /** A replica for archive, statistics and reports, and how long a read waits for it, in ms. Null: there is none. */
  replica: { url: string; lagMs: number } | null
  demo: boolean
  demoBackfillDays: number
  demoTrafficPercent: number
  adminPassword: string | undefined
  buildCode: string
  ownerCompany: string
  legacyUrl: string | null
  /** Where users get the source code of this version (AGPL, section 13). */
  sourceUrl: string
  /** Absent: mails stay in the outbox. */
  smtpUrl: string | undefined
  mailFrom: string
  /** Absent: SMS stay in the outbox. */
  smsWebhookUrl: string | undefined
  /** URL of the page, for links in mails. */
  publicUrl: string
  /** http(s)://key:secret@host/bucket; absent: images are stored below dataDir. */
  s3Url: string | undefined
  /** Its name in the ticket service; null: the only organization. */
  organization: string | null
  /** Null: tickets are not sent to a ticket service. */
  zammad: { url: string; token: string; auth: 'token' | 'bearer' | 'basic'; group: string } | null
  /**
   * 32 bytes; encrypts stored secrets of the ticket service, of webhooks and of second factors. Null: none are stored; saved
   * searches have a key in the database.
   */
  secretKey: Buffer | null
  /** 32 bytes; key of the plates in the access trail. Null: one in the database. */
  trailKey: Buffer | null
  /** Whether a search by plate, repeat offenders, an evidence package or a file of many plates needs a purpose. */
  purposes: 'off' | 'required'
  /** Where anchors of the chains are copied; null: nowhere. */
  evidenceCopy: { folder: string } | { url: string } | null
  overloadBasis: 'minimum' | 'measured'
  /** Period of a new partition of vehicles. */
  partitions: PartitionUnit
  retentionDays: number
  /** Days that ended logins, visits and enabled signs are kept in the activity history. */
  activityRetentionDays: number
  imageRetentionDays: number
  /** Days that closed inspections are kept. */
  inspectionRetentionDays: number
  /** Whether calls may have plates in their addresses, besides ids of saved searches. */
  plateInAddress: 'accepted' | 'refused'
  /** When shifts begin, HH:MM in Polish time, ascending. */
  shiftStarts: string[]
  /** Addresses and networks that are not public, to which webhooks may be sent. */
  webhookAllow: string[]
  /** File with certificate authorities of receivers of webhooks, in PEM; absent: those of Node.js alone. */
  webhookCa: string | undefined
  /** OpenID Connect providers through which users sign in; empty: they sign in without one. */
  providers: readonly Provider[]
  /** File with certificate authorities of providers, in PEM; absent: those of Node.js alone. */
  providerCa: string | undefined
  /** Where stations may send by MQTT; null: nowhere. `certificate`: files in PEM; null: without TLS. */
  mqtt: { host: string; port: number; certificate: { cert: string; key: string } | null } | null
  /** Files with which documents are signed: key and certificate as PKCS#12, further issuers in PEM. Null: none are signed. */
  evidence: { p12: string; password: string; chain: string | undefined } | null
  /** Authorities for time stamps, in order, and the file with the roots of their certificates, in PEM. Null: there are none. */
  stamps: { urls: string[]; ca: string } | null
  /** File of SHA-1 of breached passwords, sorted; absent: only the built-in list. */
  breachedPasswords: string | undefined
  /** Who needs a second factor. */
  secondFactor: FactorPolicy
  /** Minimum length of a new password. */
  passwordMinLength: number
  /** Per session, station key or, without either, IP address. */
  requestsPerMinute: number
  /** Of all sessions and stations behind an address together. */
  addressRequestsPerMinute: number
  /** Failed logins of an address in 15 minutes that lock it out. */
  addressLoginFailures: number
  /** Peers trusted for the client address: none, all, or these addresses and networks. */
  trustProxy: boolean | string[]
  logLevel: string
  /** Base URL of the collector of traces; absent: there are none. */
  otlpEndpoint: string | undefined
  /** The name of the portal in traces. */
  serviceName: string
  /** Share of the requests and jobs that are traced. */
  tracesPercent: number
  /** Server processes behind the port. */
  workers: number
  /** Database connections per process. */
  connections: number
}

function evidenceCopyOf({ EVIDENCE_COPY: to }: z.output<typeof environment>): Config['evidenceCopy'] {
  if (to === undefined) return null
  return isAbsolute(to) ? { folder: to } : { url: to }
}

/** @throws Error if the keys of stations could pass a network in the clear without the operator knowing */
function mqttOf(e: z.output<typeof environment>): Config['mqtt'] {
  const { MQTT_CERT: cert, MQTT_KEY: key, MQTT_PORT: port, MQTT_HOST: host = e.HOST } = e
  if (cert && !key) throw new Error('Configuration: MQTT_CERT needs MQTT_KEY too')
  if (key && !cert) throw new Error('Configuration: MQTT_KEY needs MQTT_CERT too')
  if (port === undefined) return null
  const certificate = cert && key ? { cert, key } : null
  if (!certificate && !e.MQTT_PLAIN && !LOOPBACK.test(host))
    throw new Error(`Configuration: MQTT_PORT needs MQTT_CERT and MQTT_KEY on ${host}, or MQTT_PLAIN=true`)
  return { host, port, certificate }
}

/** @throws Error if the file of providers is not valid */
const providersOf = (e: z.output<typeof environment>): Provider[] =>
  readProviders(e.OIDC_PROVIDERS && resolve(e.OIDC_PROVIDERS), {
    roleClaim: e.OIDC_ROLE_CLAIM,
    roleMap: e.OIDC_ROLE_MAP ?? null,
    mfaAcr: e.OIDC_MFA_ACR,
  })

/** @throws Error if a setting has no effect without another */
function evidenceOf(e: z.output<typeof environment>): Config['evidence'] {
  const { EVIDENCE_P12: p12, EVIDENCE_P12_PASSWORD: password, EVIDENCE_CHAIN: chain } = e
  if (p12 && password === undefined) throw new Error('Configuration: EVIDENCE_P12 needs EVIDENCE_P12_PASSWORD too')
  if (!p12 && password !== undefined) throw new Error('Configuration: EVIDENCE_P12_PASSWORD needs EVIDENCE_P12 too')
  if (!p12 && chain) throw new Error('Configuration: EVIDENCE_CHAIN needs EVIDENCE_P12 too')
  return p12 && password !== undefined ? { p12: resolve(p12), password, chain: chain && resolve(chain) } : null
}

/**
 * Reads the configuration (see docs/operations.md).
 * @throws Error with one line that names each invalid variable
 */
export function readConfig(env: Record<string, string | undefined>): Config {
  const values = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const parsed = environment.safeParse(values)
  if (!parsed.success) {
    const errors = parsed.error.issues.map((issue) => `${String(issue.path[0])}: ${issue.message}`)
    throw new Error(`Configuration: ${errors.join('; ')}`)
  }
  const e = parsed.data
  if (e.DATABASE_READ_URL && !e.DATABASE_URL) throw new Error('Configuration: DATABASE_READ_URL needs DATABASE_URL too')
  const demo = e.DEMO ?? e.DATABASE_URL === undefined
  const cores = availableParallelism()
  const workers = e.WORKERS ?? (demo ? Math.min(cores, MAX_DEMO_WORKERS) : cores)
  if (e.ZAMMAD_URL && !(e.ZAMMAD_TOKEN && e.SECRET_KEY))
    throw new Error('Configuration: ZAMMAD_URL needs ZAMMAD_TOKEN and SECRET_KEY too')
  if (e.ZAMMAD_TOKEN && !e.ZAMMAD_URL) throw new Error('Configuration: ZAMMAD_TOKEN needs ZAMMAD_URL too')
  if (!e.TSA_URLS !== !e.TSA_CA)
    throw new Error(`Configuration: ${e.TSA_CA ? 'TSA_CA needs TSA_URLS' : 'TSA_URLS needs TSA_CA'} too`)
  if (e.ZAMMAD_TOKEN && e.ZAMMAD_AUTH === 'basic' && !e.ZAMMAD_TOKEN.includes(':'))
    throw new Error('Configuration: ZAMMAD_TOKEN needs user:password for ZAMMAD_AUTH=basic')
  return {
    host: e.HOST,
    port: e.PORT,
    dataDir: resolve(e.DATA_DIR),
    diskReserve: e.DISK_RESERVE_MB * 1024 ** 2,
    databaseUrl: e.DATABASE_URL,
    replica: e.DATABASE_READ_URL ? { url: e.DATABASE_READ_URL, lagMs: e.DATABASE_READ_LAG_MS } : null,
    demo,
    demoBackfillDays: e.DEMO_BACKFILL_DAYS,
    demoTrafficPercent: e.DEMO_TRAFFIC_PERCENT,
    adminPassword: e.ADMIN_PASSWORD,
    buildCode: e.BUILD_CODE,
    ownerCompany: e.OWNER_COMPANY,
    legacyUrl: e.LEGACY_URL ?? null,
    sourceUrl: e.SOURCE_URL,
    smtpUrl: e.SMTP_URL,
    mailFrom: e.MAIL_FROM,
    smsWebhookUrl: e.SMS_WEBHOOK_URL,
    publicUrl: (e.PUBLIC_URL ?? `http://${e.HOST}:${e.PORT}`).replace(/\/$/, ''),
    s3Url: e.S3_URL,
    organization: e.ORGANIZATION ?? null,
    zammad:
      e.ZAMMAD_URL && e.ZAMMAD_TOKEN
        ? { url: e.ZAMMAD_URL.replace(/\/$/, ''), token: e.ZAMMAD_TOKEN, auth: e.ZAMMAD_AUTH, group: e.ZAMMAD_GROUP }
        : null,
    secretKey: e.SECRET_KEY ? Buffer.from(e.SECRET_KEY, 'hex') : null,
    trailKey: e.TRAIL_KEY ? Buffer.from(e.TRAIL_KEY, 'hex') : null,
    purposes: e.PURPOSES,
    evidenceCopy: evidenceCopyOf(e),
    overloadBasis: e.OVERLOAD_BASIS,
    partitions: e.PARTITIONS,
    retentionDays: e.RETENTION_DAYS,
    activityRetentionDays: e.ACTIVITY_RETENTION_DAYS,
    imageRetentionDays: e.IMAGE_RETENTION_DAYS,
    inspectionRetentionDays: e.INSPECTION_RETENTION_DAYS,
    plateInAddress: e.PLATE_IN_ADDRESS,
    shiftStarts: e.SHIFT_STARTS,
    webhookAllow: e.WEBHOOK_ALLOW,
    webhookCa: e.WEBHOOK_CA,
    providers: providersOf(e),
    providerCa: e.OIDC_CA && resolve(e.OIDC_CA),
    mqtt: mqttOf(e),
    evidence: evidenceOf(e),
    stamps: e.TSA_URLS && e.TSA_CA ? { urls: e.TSA_URLS, ca: resolve(e.TSA_CA) } : null,
    breachedPasswords: e.BREACHED_PASSWORDS && resolve(e.BREACHED_PASSWORDS),
    secondFactor: e.SECOND_FACTOR ?? (demo ? 'off' : 'admins'),
    passwordMinLength: e.PASSWORD_MIN_LENGTH,
    requestsPerMinute: e.REQUESTS_PER_MINUTE,
    addressRequestsPerMinute: e.ADDRESS_REQUESTS_PER_MINUTE,
    addressLoginFailures: e.ADDRESS_LOGIN_FAILURES,
    trustProxy: e.TRUST_PROXY,
    logLevel: e.LOG_LEVEL,
    otlpEndpoint: e.OTEL_EXPORTER_OTLP_ENDPOINT,
    serviceName: e.OTEL_SERVICE_NAME,
    tracesPercent: e.TRACES_PERCENT,
    workers,
    connections: workers === 1 ? Math.max(MIN_CONNECTIONS, cores * 2) : MIN_CONNECTIONS,
  }
}

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig, variables } from './config.ts'
import { car, jpeg, send, sendImage } from './ingest/testing.ts'
import { startService } from './testing/services.ts'
import { configured, createFolder, linkIn, SECRET_KEY } from './testing/variables/configured.ts'
import { processVariables, replicaVariables, testVariables } from './testing/variables/effects.ts'
import { evidenceEffects } from './testing/variables/evidence.ts'
import { exchangeEffects } from './testing/variables/exchange.ts'
import { messageEffects } from './testing/variables/messages.ts'
import { observationEffects } from './testing/variables/observation.ts'
import { signInEffects } from './testing/variables/sign-in.ts'
import { storageEffects } from './testing/variables/storage.ts'
import { textEffects } from './testing/variables/texts.ts'
import { vehicleEffects } from './testing/variables/vehicles.ts'

/* The observable effect of every environment variable. Those that need a separate process are in start.test.ts. */

const root = join(import.meta.dirname, '../..')

const effects = {
  ...storageEffects,
  ...messageEffects,
  ...textEffects,
  ...vehicleEffects,
  ...exchangeEffects,
  ...observationEffects,
  ...signInEffects,
  ...evidenceEffects,
}

testVariables(effects)

test('every environment variable is documented once and has a test of its effect', async () => {
  const documented = (await readFile(join(root, 'docs/operations.md'), 'utf8')).matchAll(/^\| `([A-Z][A-Z0-9_]+)` \|/gm)
  expect(Array.from(documented, ([, name]) => name).sort()).toEqual([...variables].sort())
  expect([...Object.keys(effects), ...processVariables, ...replicaVariables].sort()).toEqual([...variables].sort())
})

test('treats empty variables as absent, and names all invalid ones in one line', () => {
  expect(readConfig({ PORT: '', LEGACY_URL: '' })).toEqual(readConfig({}))
  const wrong = { PORT: '65536', DEMO: 'yes', DATABASE_URL: 'mysql://x/y', PARTITIONS: 'day', SECRET_KEY: 'ab' }
  expect(() => readConfig(wrong)).toThrow(
    /^Configuration: PORT: .*; DATABASE_URL: .*; DEMO: .*; SECRET_KEY: .*; PARTITIONS: [^\n]*$/,
  )
})

test('S3_URL sets bucket and region of the images, and none is stored on disk', async () => {
  const folder = await createFolder()
  const store = await startService()
  const S3_URL = `http://key:secret@${store.address}/bucket-7?region=eu-test-7`
  const station = await (await configured({ DATA_DIR: folder, S3_URL })).station()
  await send(station, [car(1)])
  expect((await sendImage(station, car(1), 'front', await jpeg())).status).toBe(204)
  expect(await readdir(folder)).toEqual([])
  const [put] = store.requests.filter(({ method }) => method === 'PUT')
  expect(put?.path).toMatch(/^\/bucket-7\/images\/2026-10/)
  expect(put?.headers.authorization).toMatch(/Credential=key\/\d{8}\/eu-test-7\/s3\//)
  expect(put?.bytes.includes(await jpeg())).toBe(true)
})

test.each([
  ['DISK_RESERVE_MB', ' '],
  ['HEAP_MB', '127'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'grpc://collector:4317'],
  ['TRACES_PERCENT', '101'],
  ['PORT', ' '],
  ['PORT', '0x1f'],
  ['RETENTION_DAYS', '\t'],
  ['WEBHOOK_ALLOW', 'localhost'],
  ['PLATE_IN_ADDRESS', 'true'],
  ['SHIFT_STARTS', '6:00'],
  ['SHIFT_STARTS', '14:00,06:00'],
  ['SHIFT_STARTS', '06:00,06:00'],
  ['MQTT_PORT', '0'],
  ['MQTT_CERT', '/x'],
  ['MQTT_KEY', '/x'],
  ['EVIDENCE_P12_PASSWORD', 'x'],
  ['EVIDENCE_P12_PASSWORD', 'Straż'],
  ['EVIDENCE_CHAIN', '/x'],
  ['TSA_URLS', 'ftp://tsa.example'],
  ['TSA_CA', '/x'],
  ['ADMIN_PASSWORD', 'x'.repeat(201)],
  ['S3_URL', 'http://127.0.0.1:9'],
  ['S3_URL', 'http://key:secret@127.0.0.1:9/'],
  ['S3_URL', 'http://127.0.0.1:9/bucket'],
  ['SMTP_URL', 'smtp://'],
  ['MAIL_FROM', 'abc'],
  ['MAIL_FROM', 'Waga <wim>'],
  ['DATABASE_URL', 'postgres://'],
  ['DATABASE_READ_URL', 'https://db.example/rogatka'],
  ['DATABASE_READ_URL', 'postgres://db.example/rogatka'],
  ['DATABASE_READ_LAG_MS', '0'],
  ['PUBLIC_URL', 'https://x.example/a?b'],
  ['PUBLIC_URL', 'https://x.example/a#c'],
  ['ZAMMAD_URL', 'https://x.example/?a'],
  ['ZAMMAD_TOKEN', 'abc'],
])('%s=%j stops the start with a line that names the variable', (name, value) => {
  expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^Configuration: ${name}[: ][^\n]*$`))
})

test('accepts a sender without a name, and a database behind a socket', () => {
  expect(readConfig({ MAIL_FROM: 'wim@road.example' }).mailFrom).toBe('wim@road.example')
  const DATABASE_URL = 'postgres:///wim?host=/run/postgresql'
  expect(readConfig({ DATABASE_URL }).databaseUrl).toBe(DATABASE_URL)
})

test('ZAMMAD_AUTH=basic needs a user and a password', () => {
  const env = { ZAMMAD_URL: 'https://tickets.example', SECRET_KEY, ZAMMAD_AUTH: 'basic' }
  expect(() => readConfig({ ...env, ZAMMAD_TOKEN: 'abc' })).toThrow(/^Configuration: ZAMMAD_TOKEN [^\n]*$/)
  expect(readConfig({ ...env, ZAMMAD_TOKEN: 'a:b' }).zammad?.auth).toBe('basic')
})

test.each(['LEGACY_URL', 'SOURCE_URL'])('%s must be a web address', (name) => {
  expect(() => readConfig({ [name]: 'javascript:alert(1)' })).toThrow(`Configuration: ${name}: `)
})

test('links in mails start with HOST and PORT without PUBLIC_URL', async () => {
  expect(await linkIn(await configured({ HOST: '10.0.0.5', PORT: '80' }))).toBe('http://10.0.0.5:80/')
})

test('ZAMMAD_URL needs ZAMMAD_TOKEN and SECRET_KEY', () => {
  expect(() => readConfig({ ZAMMAD_URL: 'https://tickets.example' })).toThrow(
    'Configuration: ZAMMAD_URL needs ZAMMAD_TOKEN and SECRET_KEY too',
  )
})

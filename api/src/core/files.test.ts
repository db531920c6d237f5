import { execFile } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { image } from '@rogatka/contract/archive.ts'
import { vehicleId } from '@rogatka/contract/ingest.ts'
import { login } from '@rogatka/contract/session.ts'
import { expect, onTestFinished, test } from 'vitest'
import { car, jpeg, send, sendImage } from '../ingest/testing.ts'
import { startS3 } from '../testing/s3.ts'
import { eventually, PASSWORD, testApi } from '../testing/test-api.ts'
import { toRefusal } from './error-mapping.ts'
import { openFiles } from './open-files.ts'
import { sql } from './statement.ts'

/** What is stored of an image while nobody views blurred ones. */
const STORED = ['.jpg', 'sharp-thumbnail.jpg']

async function onDisk() {
  const dataDir = await mkdtemp(join(tmpdir(), 'rogatka-files-'))
  onTestFinished(() => rm(dataDir, { recursive: true }))
  const names = async () =>
    (await readdir(join(dataDir, 'files'), { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)
  return { files: openFiles({ dataDir, s3Url: undefined, diskReserve: 0 }), names }
}

async function inS3() {
  const { s3Url, names, faults } = await startS3()
  return { files: openFiles({ dataDir: '/nowhere', s3Url, diskReserve: 0 }), names: async () => names(), faults, s3Url }
}

test.each([
  ['on disk', onDisk],
  ['in S3', inS3],
])('files %s are stored, replaced, and removed singly or by folder', async (_where, open) => {
  const { files, names } = await open()
  expect(await files.get('images/2026-10/a.jpg')).toBeNull()
  await files.put('images/2026-10/a.jpg', Buffer.from('one'))
  await files.put('images/2026-10/a.jpg', Buffer.from('two'))
  await files.put('images/2026-10/20/b.jpg', Buffer.from('three'))
  await files.put('images/2026-11/c.jpg', Buffer.from('four'))
  expect(await files.get('images/2026-10/a.jpg')).toEqual(Buffer.from('two'))
  expect((await names()).sort()).toEqual(['a.jpg', 'b.jpg', 'c.jpg'])

  expect(await files.getPart('images/2026-10/20/b.jpg', 1, 3)).toEqual(Buffer.from('hre'))
  expect(await files.getPart('images/2026-10/20/b.jpg', 3, 9)).toEqual(Buffer.from('ee'))
  expect(await files.getPart('images/2026-10/20/none.jpg', 0, 9)).toBeNull()
  await files.remove('images/2026-10/a.jpg')
  await files.remove('images/2026-10/a.jpg')
  expect(await files.get('images/2026-10/a.jpg')).toBeNull()
  await files.removeFolder('images/2026-10')
  await files.removeFolder('images/2026-10')
  expect(await names()).toEqual(['c.jpg'])
})

test('concurrent puts of one path leave one complete file, flushed or not', async () => {
  const { files, names } = await onDisk()
  const contents = Array.from({ length: 20 }, (_, at) => Buffer.alloc(200_000, at))
  await Promise.all(contents.map((bytes, at) => files.put('images/a.jpg', bytes, { flush: at % 2 === 0 })))
  const stored = await files.get('images/a.jpg')
  expect(contents.some((bytes) => stored?.equals(bytes))).toBe(true)
  expect(await names()).toEqual(['a.jpg'])
  for (const flush of [true, false]) {
    await files.put('images/a.jpg', Buffer.from(`flushed: ${flush}`), { flush })
    expect(String(await files.get('images/a.jpg'))).toBe(`flushed: ${flush}`)
  }
})

test.runIf(process.platform === 'linux')('an interrupted put is completed by its repetition', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'rogatka-files-'))
  onTestFinished(() => rm(dataDir, { recursive: true }))
  // What a killed process leaves of a new file.
  await mkdir(join(dataDir, 'files/images'), { recursive: true })
  await writeFile(join(dataDir, 'files/images/a.jpg'), 'ha')
  const files = openFiles({ dataDir, s3Url: undefined, diskReserve: 0 })
  await files.put('images/a.jpg', Buffer.from('half'))
  expect(String(await files.get('images/a.jpg'))).toBe('half')
})

test.runIf(process.platform !== 'win32')(
  'only the user of the server may read files and folders on disk, also older ones',
  async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'rogatka-files-'))
    onTestFinished(() => rm(dataDir, { recursive: true }))
    await mkdir(join(dataDir, 'files/images/2026-09'), { recursive: true, mode: 0o755 })
    await writeFile(join(dataDir, 'files/images/2026-09/old.jpg'), 'old', { mode: 0o644 })
    const files = openFiles({ dataDir, s3Url: undefined, diskReserve: 0 })
    await files.put('images/2026-10/20/new.jpg', Buffer.from('new'))
    const modes = async () => {
      const paths = [
        'files',
        ...(await readdir(join(dataDir, 'files'), { recursive: true })).map((path) => `files/${path}`),
      ]
      const rights = paths.map(async (path) => [path, ((await stat(join(dataDir, path))).mode & 0o777).toString(8)])
      return Object.fromEntries(await Promise.all(rights))
    }
    await expect.poll(modes).toEqual({
      files: '700',
      'files/images': '700',
      'files/images/2026-09': '700',
      'files/images/2026-09/old.jpg': '600',
      'files/images/2026-10': '700',
      'files/images/2026-10/20': '700',
      'files/images/2026-10/20/new.jpg': '600',
    })
  },
)

test('a failing S3 service counts as an outage, and a retried image is stored once', async () => {
  const { s3Url, names, faults } = await inS3()
  const api = await testApi({ s3Url })
  const [station, user] = [await api.station(), await api.as('ArchiveMeasurements')]
  await send(station, [car(1)])
  const photo = await jpeg()
  const put = async () => {
    const { status, errors, headers } = await sendImage(station, car(1), 'front', photo)
    if (status !== 503) return status
    expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    return errors[0]?.code
  }
  for (const fault of ['refuse', 'die after storing'] as const) {
    faults.push(fault)
    expect(await put(), fault).toBe('storage-unavailable')
    expect(await api.db.query(sql`select from vehicle_image`)).toHaveLength(0)
  }
  faults.push('slow')
  expect(await put()).toBe(204)
  expect(await put()).toBe(204)
  const stored = () => names().then((all) => all.map((name) => name?.replace(/^.*-[0-9a-f]{16}-?/, '')).sort())
  await eventually(async () => expect(await stored()).toEqual(STORED))

  const shown = () =>
    user.call(image, {
      params: { id: vehicleId(7, 1), number: 1 },
      query: { locationId: 7, createdAt: car(1).createdAt },
    })
  faults.push('refuse')
  const refused = await shown()
  expect([refused.status, refused.errors[0]?.code]).toEqual([503, 'storage-unavailable'])
  expect((await shown()).bytes).toEqual(photo)

  const impatient = openFiles({ dataDir: '/nowhere', s3Url, diskReserve: 0 }, 100)
  for (const ask of [
    () => impatient.put('a.jpg', photo),
    () => impatient.get('a.jpg'),
    () => impatient.remove('a.jpg'),
    () => impatient.removeFolder('images'),
  ]) {
    faults.push('hang')
    expect(toRefusal(await ask().catch((error: unknown) => error)).message).toBe('storage-unavailable')
  }
})

test.runIf(process.platform === 'linux')('sign-in works while the disk hangs', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'rogatka-files-'))
  onTestFinished(() => rm(dataDir, { recursive: true }))
  const api = await testApi({ dataDir, databaseUrl: undefined })
  const [station, user] = [await api.station(), await api.as('ArchiveMeasurements')]
  const sequences = [1, 2, 3, 4, 5, 6]
  await send(
    station,
    sequences.map((sequence) => car(sequence)),
  )
  for (const sequence of sequences) await sendImage(station, car(sequence), 'front', await jpeg(sequence))
  const stored = () => readdir(join(dataDir, 'files'), { recursive: true, withFileTypes: true })
  const files = await eventually(async () => {
    const found = (await stored()).filter((entry) => entry.isFile())
    expect(found).toHaveLength(STORED.length * sequences.length)
    return found
  })
  const pipes = files
    .filter(({ name }) => /-[0-9a-f]{16}\.jpg$/.test(name))
    .map(({ parentPath, name }) => join(parentPath, name))
  expect(pipes).toHaveLength(sequences.length)
  // Whoever reads a pipe waits for its writer.
  for (const pipe of pipes) {
    await rm(pipe)
    await promisify(execFile)('mkfifo', [pipe])
  }
  const shown = sequences.map((sequence) => {
    const query = { locationId: 7, createdAt: car(sequence).createdAt }
    return user.call(image, { params: { id: vehicleId(7, sequence), number: 1 }, query })
  })
  /** Threads blocked on opening a pipe without a writer. */
  const hangs = async () => {
    const threads = await readdir('/proc/self/task')
    const waits = threads.map((thread) => readFile(`/proc/self/task/${thread}/wchan`, 'utf8').catch(() => 'ended'))
    return (await Promise.all(waits)).filter((wait) => wait === 'wait_for_partner').length
  }
  await eventually(async () => expect(await hangs()).toBeGreaterThan(1))

  const signIn = api.anyone.call(login, { body: { username: user.username, password: PASSWORD } })
  const first = await Promise.race([signIn.then(({ status }) => status), Promise.race(shown).then(() => 'an image')])
  // Opens and closes a writer of each until all have been read.
  const writing = setInterval(() => pipes.map((pipe) => closeSync(openSync(pipe, 'r+'))), 20)
  await Promise.all(shown)
  clearInterval(writing)
  expect(first).toBe(200)
})

test.runIf(process.platform === 'linux')(
  'accepts measurements and serves metrics while the free disk space is unknown',
  async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'rogatka-files-'))
    onTestFinished(() => rm(dataDir, { recursive: true }))
    const api = await testApi({ dataDir, databaseUrl: undefined, diskReserve: 1 })
    const station = await api.station()
    const pipe = join(dataDir, 'hung')
    await promisify(execFile)('mkfifo', [pipe])
    // Opening a connection needs a thread, for its password hash: all are opened before.
    const connections = await Promise.all(Array.from({ length: api.db.max }, () => api.db.reserve()))
    for (const connection of connections) connection.release()
    // Blocks every thread, whatever their number.
    const hanging = Array.from({ length: 16 }, () => readFile(pipe))
    const metrics = async () => (await api.app.api.http.inject('/metrics')).body
    // Also if the test fails: other files share the threads.
    onTestFinished(async () => {
      const writing = setInterval(() => closeSync(openSync(pipe, 'r+')), 20)
      await Promise.all(hanging)
      clearInterval(writing)
    })
    expect((await send(station, [car(1)])).body.accepted).toBe(1)
    // A measurement of the disk that had begun before may still end.
    await expect.poll(metrics).not.toMatch(/^rogatka_disk_free_bytes /m)
  },
)

test.runIf(process.platform === 'linux')('a hanging disk counts as an outage', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'rogatka-files-'))
  onTestFinished(() => rm(dataDir, { recursive: true }))
  await mkdir(join(dataDir, 'files'))
  // Whoever reads a pipe waits for its writer.
  const pipe = join(dataDir, 'files/hung.jpg')
  await promisify(execFile)('mkfifo', [pipe])
  const files = openFiles({ dataDir, s3Url: undefined, diskReserve: 0 }, 100)
  expect(toRefusal(await files.get('hung.jpg').catch((error: unknown) => error)).message).toBe('storage-unavailable')
  await writeFile(pipe, '')
})

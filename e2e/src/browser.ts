import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { arch, platform } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { LaunchOptions } from '@playwright/test'
import { sharedMemoryBytes } from '@rogatka/api/testing/database-folder.ts'
import { inflate } from '@sparticuz/chromium'

const CACHE = resolve(import.meta.dirname, '../../node_modules/.cache/rogatka')

/** Replaces the arguments of the package: its single-process mode crashes under Playwright. */
const ARGS = [
  '--no-sandbox',
  '--disable-domain-reliability',
  '--no-pings',
  '--disable-gpu',
  // Only loopback: a page that requests another host fails its test.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
]

/** A container may have too little shared memory for pages; on a disk it costs a tenth of the browser's time. */
const MIN_SHARED_MEMORY_BYTES = 1024 ** 3

async function browserArgs(): Promise<string[]> {
  return (await sharedMemoryBytes()) >= MIN_SHARED_MEMORY_BYTES ? ARGS : [...ARGS, '--disable-dev-shm-usage']
}

/** Launch options of the browser: CHROMIUM_PATH if set, else the one from npm, unpacked on first use. */
export async function browserLaunch(): Promise<LaunchOptions> {
  const args = await browserArgs()
  const own = process.env.CHROMIUM_PATH
  if (own) return { executablePath: own, args }
  const home = await unpackedChromium()
  return {
    executablePath: join(home, 'chromium'),
    args,
    env: {
      ...process.env,
      LD_LIBRARY_PATH: [join(home, 'al2023', 'lib'), process.env.LD_LIBRARY_PATH].filter(Boolean).join(':'),
      FONTCONFIG_PATH: join(home, 'fonts'),
    },
  }
}

async function unpackedChromium(): Promise<string> {
  if (platform() !== 'linux' || arch() !== 'x64') {
    throw new Error(`The browser from npm is for Linux on x64, not ${platform()} on ${arch()}: set CHROMIUM_PATH.`)
  }
  const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium')
  const source = resolve(dirname(entry), '..')
  const { version } = JSON.parse(await readFile(join(source, 'package.json'), 'utf8'))
  const home = join(CACHE, `chromium-${version}`)
  if (!existsSync(home)) await unpack(join(source, 'bin'), home)
  return home
}

/** Unpacks into a temporary folder first, so that concurrent or interrupted runs leave no incomplete browser. */
async function unpack(source: string, home: string) {
  await mkdir(CACHE, { recursive: true })
  const folder = await mkdtemp(join(CACHE, 'unpacking-'))
  const temporary = process.env.TMPDIR
  process.env.TMPDIR = folder // the package unpacks to TMPDIR
  try {
    const parts = ['chromium.br', 'fonts.tar.br', 'swiftshader.tar.br', 'al2023.tar.br']
    await Promise.all(parts.map((part) => inflate(join(source, part))))
  } finally {
    if (temporary === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = temporary
  }
  await writeFile(join(folder, 'fonts', 'fonts.conf'), fontConfiguration(home))
  await rename(folder, home).catch(async (error) => {
    await rm(folder, { recursive: true, force: true })
    if (!existsSync(home)) throw error
  })
}

const fontConfiguration = (home: string) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${join(home, 'fonts', 'fonts')}</dir>
  <cachedir>${join(home, 'fonts', 'cache')}</cachedir>
  <config></config>
</fontconfig>
`

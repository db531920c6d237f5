import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { arch, platform } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { LaunchOptions } from '@playwright/test'
import { inflate } from '@sparticuz/chromium'

const CACHE = resolve(import.meta.dirname, '../../node_modules/.cache/rogatka')

/** The package's own arguments make one process of the whole browser, which crashes under Playwright: none of them is taken. */
const ARGS = [
  '--no-sandbox',
  '--disable-dev-shm-usage',
  '--disable-domain-reliability',
  '--no-pings',
  // Nothing but loopback: a page that asks for the outside fails its test.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
]

/** How to start the browser: CHROMIUM_PATH when set, else the one that came with npm, unpacked at first use. */
export async function browserLaunch(): Promise<LaunchOptions> {
  const own = process.env.CHROMIUM_PATH
  if (own) return { executablePath: own, args: ARGS }
  const home = await unpackedChromium()
  return {
    executablePath: join(home, 'chromium'),
    args: ARGS,
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

/** Into a folder of its own first, so that two runs at once, or one that is cut short, never leave half a browser. */
async function unpack(source: string, home: string) {
  await mkdir(CACHE, { recursive: true })
  const folder = await mkdtemp(join(CACHE, 'unpacking-'))
  const temporary = process.env.TMPDIR
  process.env.TMPDIR = folder // where the package unpacks to
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

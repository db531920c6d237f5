import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { report } from '@rogatka/contract/statistics.ts'
import { zipSync } from 'fflate'
import sharp from 'sharp'
import { expect, onTestFinished, test } from 'vitest'
import { car, send } from './ingest/testing.ts'
import { fetchReport, unzipFiles } from './reports/testing.ts'
import { testApi } from './testing/test-api.ts'

/** LibreOffice, which npm does not bring: SOFFICE=/usr/bin/soffice npx vitest run api/src/workbooks.test.ts */
const { SOFFICE } = process.env
const SOFFICE_TIMEOUT_MS = 300_000

/** Commas, UTF-8, from the first row; only texts in quotes, as the last field says. */
const CSV_FILTER = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,1033,true'

/** Opens a workbook in LibreOffice and saves its sheets as a page or its first as a table; returns all files. */
async function convert(type: string, workbook: Buffer): Promise<Record<string, Buffer>> {
  const folder = await mkdtemp(join(tmpdir(), 'rogatka-office-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const [profile, out] = [join(folder, 'profile'), join(folder, 'out')]
  await writeFile(join(folder, 'book.xlsx'), workbook)
  const options = [`-env:UserInstallation=file://${profile}`, '--headless', '--convert-to', type, '--outdir', out]
  await promisify(execFile)(SOFFICE as string, [...options, join(folder, 'book.xlsx')])
  const names = await readdir(out)
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await readFile(join(out, name))])))
}

/** Pixels of an image that have about this colour. */
async function countPixels(png: Buffer, [red, green, blue]: readonly [number, number, number]): Promise<number> {
  const { data, info } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  let count = 0
  for (let at = 0; at < data.length; at += info.channels) {
    const distance = [red, green, blue].reduce((sum, value, i) => sum + Math.abs(value - (data[at + i] ?? 0)), 0)
    if (distance < 30) count++
  }
  return count
}

test(
  'LibreOffice reads times and numbers of a workbook, and redraws its chart when a cell changes',
  async () => {
    if (!SOFFICE) return console.info('LibreOffice did not run: SOFFICE does not name it')
    const api = await testApi()
    await send(
      await api.station(),
      [1, 2, 3, 4].map((number) => car(number, { createdAt: `2026-10-20T0${number}:10:00.000Z`, laneNumber: 1 })),
    )
    const user = await api.as('Stat')
    const range = { dateTimeStart: '2026-10-20T00:00:00.000Z', dateTimeEnd: '2026-10-20T08:00:00.000Z' }
    const resolution = { statResolutionUnit: 'hour', statResolutionValue: 1 } as const
    const { body } = await user.call(report, { query: { ...range, ...resolution, locations: '7' } })
    const { bytes } = await fetchReport(user, body)

    const { 'book.csv': csv } = await convert(CSV_FILTER, bytes)
    // One vehicle from 03:00 to 04:00 in Poland: a time and three numbers.
    expect(csv?.toString()).toContain('\n20.10.2026 03:00:00,"20.10.2026 03:00",1,0,1\n')

    // Without the image, only the chart of the program has the colour of the first lane, #233375.
    const { 'xl/media/image1.png': image, ...parts } = unzipFiles(bytes)
    const white = await sharp(image).linear(0, 255).png().toBuffer()
    const sheet = parts['xl/worksheets/sheet1.xml']?.toString() ?? ''
    const changed = sheet.replace(/(<c r="C5"[^>]*><v>)1(<)/, '$14$2')
    expect(changed).not.toBe(sheet)
    const drawnPixels = async (xml: string) => {
      const replaced = { 'xl/media/image1.png': white, 'xl/worksheets/sheet1.xml': Buffer.from(xml) }
      const files = await convert('html', Buffer.from(zipSync({ ...parts, ...replaced })))
      const images = Object.keys(files).filter((name) => name.endsWith('.png'))
      // The chart and the image.
      expect(images).toHaveLength(2)
      const counts = await Promise.all(images.map((name) => countPixels(files[name] as Buffer, [0x23, 0x33, 0x75])))
      return counts.reduce((sum, count) => sum + count, 0)
    }
    const [before, after] = [await drawnPixels(sheet), await drawnPixels(changed)]
    expect(before).toBeGreaterThan(100)
    // Four bars of one vehicle each fill the chart; then one of four, and three of a quarter of its height.
    expect(after / before).toBeLessThan(0.6)
    expect(after / before).toBeGreaterThan(0.3)
  },
  SOFFICE_TIMEOUT_MS,
)

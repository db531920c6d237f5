import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
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

/** LibreOffice, which npm does not bring. */
const { SOFFICE } = process.env
const SOFFICE_TIMEOUT_MS = 120_000

/** Commas, double quotes, UTF-8, from the first row, in American English. */
const CSV_FILTER = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,1033'

/** Opens workbooks in LibreOffice and saves their first sheets as another type. */
async function convert(type: 'png' | 'csv', workbooks: Record<string, Buffer>): Promise<Buffer[]> {
  const folder = await mkdtemp(join(tmpdir(), 'rogatka-office-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const names = Object.keys(workbooks)
  for (const name of names) await writeFile(join(folder, `${name}.xlsx`), workbooks[name] as Buffer)
  const profile = `-env:UserInstallation=file://${folder}/profile`
  const files = names.map((name) => join(folder, `${name}.xlsx`))
  await promisify(execFile)(SOFFICE as string, [
    profile,
    '--headless',
    '--convert-to',
    type === 'csv' ? CSV_FILTER : type,
    '--outdir',
    folder,
    ...files,
  ])
  return Promise.all(names.map((name) => readFile(join(folder, `${name}.${type}`))))
}

/** Pixels of a picture that have about this colour. */
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

    const [csv] = await convert('csv', { table: bytes })
    // One vehicle from 03:00 to 04:00 in Poland; a time is shown as in the United States, so it is not a text.
    expect(csv?.toString()).toContain('\n10/20/2026 03:00:00,20.10.2026 03:00,1,0,1\n')

    // Without the picture, only the chart of the program has the colour of the first lane, #233375.
    const { 'xl/media/image1.png': picture, ...parts } = unzipFiles(bytes)
    const white = await sharp(picture).linear(0, 255).png().toBuffer()
    const sheet = parts['xl/worksheets/sheet1.xml']?.toString() ?? ''
    const changed = sheet.replace(/(<c r="C5"[^>]*><v>)1(<)/, '$14$2')
    expect(changed).not.toBe(sheet)
    const bookOf = (xml: string) =>
      Buffer.from(zipSync({ ...parts, 'xl/media/image1.png': white, 'xl/worksheets/sheet1.xml': Buffer.from(xml) }))
    const pictures = await convert('png', { before: bookOf(sheet), after: bookOf(changed) })
    const [before = 0, after = 0] = await Promise.all(pictures.map((png) => countPixels(png, [0x23, 0x33, 0x75])))
    expect(before).toBeGreaterThan(100)
    // Four bars of one vehicle each fill the chart; then one of four, and three of a quarter of its height.
    expect(after / before).toBeLessThan(0.6)
    expect(after / before).toBeGreaterThan(0.3)
  },
  SOFFICE_TIMEOUT_MS,
)

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as archive from '@rogatka/contract/archive.ts'
import { vehicleId } from '@rogatka/contract/ingest.ts'
import { seededRandom } from '@rogatka/domain/core/random.ts'
import { findSignature, sheetCommands } from '@rogatka/domain/evidence/sheetCommands.ts'
import { expect, test } from 'vitest'
import { car, send } from '../ingest/testing.ts'
import { fetchReport } from '../reports/testing.ts'
import { testApi } from '../testing/test-api.ts'
import { hasProgram, run, signingSettings } from './testing.ts'

/**
 * `SIGNED_SHEETS=1000 npx vitest run api/src/evidence/signed-sheets.test.ts` signs as many sheets of different vehicles, one
 * at a time; each tenth is verified by OpenSSL, too.
 */
const SHEETS = Number(process.env.SIGNED_SHEETS ?? 6)
const LANGUAGES = ['pl', 'en', 'lt', 'de', 'ro']

test.each(['ec', 'rsa'] as const)(
  'public programs find the signatures of all sheets valid: %s',
  { timeout: 3_600_000 },
  async (kind) => {
    const { evidence, folder } = await signingSettings({ kind })
    const api = await testApi({ evidence })
    const random = seededRandom(1_000)
    const count = Math.ceil(SHEETS / 2)
    const cars = Array.from({ length: count }, (_, at) =>
      car(at + 1, {
        createdAt: new Date(Date.UTC(2026, 9, 20, 7, 59) - random.below(3_000_000)).toISOString(),
        plateLpr: random.happens(0.1) ? null : `GD ${random.below(100_000)}`,
        speed: random.below(200),
        vehLength: 300 + random.below(1_500),
        axles: Array.from({ length: 2 + random.below(7) }, (_, axle) => ({
          leftWeight: random.below(9_000),
          rightWeight: random.below(9_000),
          gap: axle ? 100 + random.below(500) : 0,
        })),
      }),
    )
    await send(await api.station(), cars)
    const programs = { pdfsig: hasProgram('pdfsig'), openssl: hasProgram('openssl') }
    const invalid: string[] = []
    for (const [at, { sequence, createdAt }] of cars.entries()) {
      // A user asks for a limited number of reports in a minute.
      api.clock.now = new Date(api.clock.now.getTime() + 60_000)
      const user = await api.as('ArchiveMeasurements')
      const query = { id: vehicleId(7, sequence), locationId: 7, createdAt, reportType: 'pdf' } as const
      const headers = { 'accept-language': LANGUAGES[at % LANGUAGES.length] as string }
      const { body } = await user.call(archive.report, { query, headers })
      const { bytes } = await fetchReport(user, body)
      await writeFile(join(folder, 'sheet.pdf'), bytes)
      const signature = findSignature(bytes.toString('latin1'), 'sheet.pdf')
      expect(signature).not.toBeNull()
      if (signature === null) continue
      const [pdfsig = '', ...cms] = sheetCommands(signature, 'chain.pem', ' -attime 1792483200')
      if (programs.pdfsig && !(await run('sh', ['-c', pdfsig], folder)).includes('Signature is Valid'))
        invalid.push(`pdfsig: sheet ${at}`)
      if (
        programs.openssl &&
        at % 10 === 0 &&
        !(await run('sh', ['-c', cms.join(' && ')], folder)).includes('successful')
      )
        invalid.push(`openssl: sheet ${at}`)
    }
    expect(invalid).toEqual([])
  },
)

import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { changePurpose } from '@rogatka/contract/certificates.ts'
import * as current from '@rogatka/contract/current.ts'
import { vehicleId } from '@rogatka/contract/ingest.ts'
import { laneId } from '@rogatka/contract/options.ts'
import { expect, test } from 'vitest'
import type { Config } from '../config.ts'
import { car, jpeg, send, sendImage } from '../ingest/testing.ts'
import { extractPages, fetchReport } from '../reports/testing.ts'
import { checkPdf } from '../testing/pdf-ua.ts'
import { type Client, testApi } from '../testing/test-api.ts'
import { openSigner } from './certificate-store.ts'
import { hasProgram, rangesOf, run, signingSettings, testFolder, verifySignature } from './testing.ts'
import { derOf, issue, P12_PASSWORD, pemOf, pkcs12Of } from './testing-certificates.ts'
import { signatureTexts } from './texts.ts'

const id = vehicleId(7, 1)

async function portalWithVehicle(settings: Partial<Config>) {
  const api = await testApi(settings)
  const station = await api.station()
  await send(station, [car(1, { plateLpr: 'PO 7XA93' })])
  await sendImage(station, car(1), 'front', await jpeg(20, 320))
  return { api, user: await api.as('CurrentMeasurements', 'ScaleCertificates') }
}

async function sheetOf(user: Client, language = 'pl'): Promise<Buffer> {
  const headers = { 'accept-language': language }
  const { body } = await user.call(current.report, { params: { id }, query: {}, headers })
  return (await fetchReport(user, body)).bytes
}

const textOf = async (pdf: Buffer) => (await extractPages(pdf)).join(' ').replace(/\s+/g, ' ')

test.each(['ec', 'rsa'] as const)('signs the evidence sheet as PAdES B-B with a key of kind %s', async (kind) => {
  const { evidence, signer, authority, folder } = await signingSettings({ kind })
  const { user } = await portalWithVehicle({ evidence })
  const pdf = await sheetOf(user)

  const { numbers, reserved, signature, content } = rangesOf(pdf)
  expect(reserved).toHaveLength(16_384)
  expect(reserved.subarray(signature.length).every((byte) => byte === 0)).toBe(true)
  const [from, length = 0, next = 0, rest = 0] = numbers
  expect([from, next - length, next + rest]).toEqual([0, 2 + 2 * 16_384, pdf.length])
  expect(pdf.toString('latin1')).toContain('/SubFilter /ETSI.CAdES.detached')

  const { holds, attributes, signed } = await verifySignature(pdf)
  expect(holds).toBe(true)
  // Content type, message digest and signing certificate; the time of signing is in the dictionary (EN 319 142-1, 6.3).
  const SIGNING_CERTIFICATE_V2 = '1.2.840.113549.1.9.16.2.47'
  expect(Object.keys(attributes).toSorted()).toEqual([
    '1.2.840.113549.1.9.16.2.47',
    '1.2.840.113549.1.9.3',
    '1.2.840.113549.1.9.4',
  ])
  const named = Buffer.from(attributes[SIGNING_CERTIFICATE_V2]?.[0].toBER())
  expect(named.includes(createHash('sha256').update(derOf(signer)).digest())).toBe(true)
  expect(pdf.toString('latin1')).toContain('/M (D:20261020080000Z)')
  expect(signed.certificates).toHaveLength(2)

  const text = await textOf(pdf)
  const serial = signer.certificate.serialNumber.valueBlock.toString()
  expect(text).toContain('Podpis elektroniczny Zarząd Dróg Testowych, certyfikat')
  expect(Number(serial)).toBeGreaterThan(4_000)
  expect((await checkPdf(pdf)).errors).toEqual([])

  for (const at of [10, Math.floor(length / 2), next + 5, pdf.length - 3]) {
    const changed = Buffer.from(pdf)
    changed[at] = (changed[at] as number) ^ 1
    expect((await verifySignature(changed)).holds).toBe(false)
  }

  const [sheet, ranges, contents, trusted] = ['sheet.pdf', 'ranges.bin', 'contents.der', 'ca.pem'].map((name) =>
    join(folder, name),
  ) as [string, string, string, string]
  await writeFile(sheet, pdf)
  await writeFile(ranges, content)
  await writeFile(contents, reserved)
  await writeFile(trusted, pemOf(authority))
  if (hasProgram('pdfsig')) {
    const said = await run('pdfsig', [sheet])
    expect(said).toContain('Signature Validation: Signature is Valid.')
    expect(said).toContain('Total document signed')
    expect(said).toContain('Signature Type: ETSI.CAdES.detached')
  }
  if (hasProgram('openssl')) {
    const form = ['cms', '-verify', '-binary', '-inform', 'DER', '-in', contents, '-CAfile', trusted, '-purpose', 'any']
    expect(await run('openssl', [...form, '-content', ranges, '-out', '/dev/null', '-cades'])).toContain('successful')
    await writeFile(ranges, content.fill(0, 100, 101))
    expect(await run('openssl', [...form, '-content', ranges, '-out', '/dev/null'])).toContain('ailure')
  }
})

const UNSIGNED = /\/ByteRange|\/Sig\b/

test('a sheet that must not be signed says so: no valid certificate of the scale, masked data, certificate ended', async () => {
  const { evidence } = await signingSettings({ from: '2026-10-20T08:00:00Z', until: '2026-10-20T12:00:00Z' })
  const { api, user } = await portalWithVehicle({ evidence })
  const unsignedText = async (client: Client, language?: string) => {
    const pdf = await sheetOf(client, language)
    expect(pdf.toString('latin1')).not.toMatch(UNSIGNED)
    return textOf(pdf)
  }
  const masked = await api.withPermissions(['ROLE_1', 'ROLE_37'])
  expect(await unsignedText(masked)).toContain('Podpis elektroniczny Nie podpisano: dane zanonimizowane')

  await user.call(changePurpose, { params: { id: laneId(7, 1) }, body: { purpose: 'enforcement' } })
  expect(await unsignedText(user)).toContain('Nie podpisano: pomiar bez ważnego świadectwa')
  const { label, refused } = signatureTexts('de')
  expect(await unsignedText(user, 'de')).toContain(`${label} ${refused.uncertified}`)
  await user.call(changePurpose, { params: { id: laneId(7, 1) }, body: { purpose: 'preselection' } })
  expect((await verifySignature(await sheetOf(user))).holds).toBe(true)

  api.clock.now = new Date('2026-10-20T12:00:01Z')
  expect(await unsignedText(await api.as('CurrentMeasurements'))).toContain(
    'certyfikat do podpisu stracił ważność 20.10.2026',
  )
  api.clock.now = new Date('2026-10-20T07:59:59Z')
  expect(await unsignedText(await api.as('CurrentMeasurements'))).toContain(
    'certyfikat do podpisu będzie ważny od 20.10.2026',
  )
})

test('without a certificate the sheet neither is signed nor mentions a signature', async () => {
  const { user } = await portalWithVehicle({})
  const pdf = await sheetOf(user)
  expect(pdf.toString('latin1')).not.toMatch(UNSIGNED)
  expect(await textOf(pdf)).not.toContain('Podpis elektroniczny')
})

test('a store that cannot sign is named when the portal starts', async () => {
  const { evidence, signer, folder } = await signingSettings()
  const open = (settings: Partial<typeof evidence>) =>
    openSigner({ ...evidence, ...settings }).then(
      () => 'opened',
      (error: Error) => error.message,
    )
  expect(await open({})).toBe('opened')
  expect(await open({ password: 'wrong' })).toBe('EVIDENCE_P12: the file is damaged, or EVIDENCE_P12_PASSWORD is wrong')
  expect(await open({ p12: join(folder, 'none.p12') })).toContain('cannot be read')
  expect(await open({ p12: evidence.chain })).toContain('EVIDENCE_P12')
  await writeFile(join(folder, 'empty.pem'), '')
  expect(await open({ chain: join(folder, 'empty.pem') })).toContain('has no certificate in PEM')
  const other = await issue({ name: 'Inny' })
  await writeFile(evidence.p12, await pkcs12Of({ ...signer, keys: other.keys }))
  expect(await open({})).toBe('EVIDENCE_P12: the file has no certificate of its key')

  if (!hasProgram('openssl')) return
  const made = await testFolder()
  const command = async (text: string) => run('openssl', text.split(' '), made)
  for (const [key, said] of [
    ['ec -pkeyopt ec_paramgen_curve:P-256', 'opened'],
    ['ec -pkeyopt ec_paramgen_curve:P-384', 'a key on P-256'],
    ['rsa:2048', 'a key on P-256'],
  ] as const) {
    await command(`req -x509 -newkey ${key} -nodes -keyout k.pem -out c.pem -days 30 -subj /CN=Test`)
    await command(`pkcs12 -export -inkey k.pem -in c.pem -out s.p12 -passout pass:${P12_PASSWORD.replace(' ', '')}`)
    expect(await open({ p12: join(made, 's.p12'), password: P12_PASSWORD.replace(' ', '') })).toContain(said)
  }
  const legacy = ['-certpbe', 'PBE-SHA1-3DES', '-keypbe', 'PBE-SHA1-3DES', '-passout', 'pass:old']
  await run('openssl', ['pkcs12', '-export', '-inkey', 'k.pem', '-in', 'c.pem', '-out', 'old.p12', ...legacy], made)
  expect(await open({ p12: join(made, 'old.p12'), password: 'old' })).toContain('not encrypted by PBES2')
})

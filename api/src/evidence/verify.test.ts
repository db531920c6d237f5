import type { WireOf } from '@rogatka/contract/endpoint.ts'
import { stampDocument, verifyDocument } from '@rogatka/contract/evidence.ts'
import { availabilityReport } from '@rogatka/contract/tickets-health.ts'
import { seededRandom } from '@rogatka/domain/core/random.ts'
import { expect, test } from 'vitest'
import { fetchReport } from '../reports/testing.ts'
import { type Client, testApi } from '../testing/test-api.ts'
import { rangesOf, signingSettings, verifySignature } from './testing.ts'
import { startAuthority } from './testing-authority.ts'

/** `CHANGED_BYTES=1000 npx vitest run api/src/evidence/verify.test.ts` changes as many bytes, one at a time. */
const CHANGED_BYTES = Number(process.env.CHANGED_BYTES ?? 60)
const BINARY = { 'content-type': 'application/octet-stream' }

async function reportOf(user: Client): Promise<Buffer> {
  const query = { year: 2026, month: 9, reportType: 'pdf' } as const
  const { body } = await user.call(availabilityReport, { query })
  return (await fetchReport(user, body)).bytes
}

const verify = async (user: Client, payload: Buffer) =>
  (await user.call(verifyDocument, { payload, headers: BINARY })).body

test('a stamp that came later is added to the document, which is verified with its signer and time', async () => {
  const { evidence, signer } = await signingSettings()
  const authority = await startAuthority(() => api.clock.now)
  authority.behaviour.fault = 'status'
  const api = await testApi({ evidence, stamps: authority.stamps })
  const user = await api.as('Tickets')
  const pdf = await reportOf(user)
  const certificate = {
    subject: 'CN=Zarząd Dróg Testowych',
    issuer: 'CN=Urząd Testowy',
    serialNumber: signer.certificate.serialNumber.valueBlock.valueDec.toString(16).toUpperCase().padStart(4, '0'),
    validFrom: '2026-01-01T00:00:00.000Z',
    validUntil: '2028-12-31T23:59:59.000Z',
    isTrusted: true,
  }
  const issued = { differences: [], certificate, stamp: 'pending', stampedAt: null, package: null }
  expect(await verify(user, pdf)).toEqual(issued)
  const stamp = async (payload: Buffer) => {
    const { status, errors, bytes } = await user.call(stampDocument, { payload, headers: BINARY })
    return status === 200 ? bytes : `${status} ${errors[0]?.code}`
  }
  expect(await stamp(pdf)).toBe('409 stamp-pending')
  expect(await stamp(Buffer.from('no PDF'))).toBe('422 document-not-signed')

  authority.behaviour.fault = null
  api.clock.now = new Date('2026-10-20T08:01:00Z')
  await api.app.jobs.recurring.find(({ name }) => name === 'stamp-evidence')?.work()
  expect(await verify(user, pdf)).toEqual({ ...issued, stamp: 'available' })
  const stamped = (await stamp(pdf)) as Buffer
  expect(rangesOf(stamped).content).toEqual(rangesOf(pdf).content)
  expect((await verifySignature(stamped)).holds).toBe(true)
  const valid = { ...issued, stamp: 'valid', stampedAt: '2026-10-20T08:01:00.000Z' }
  expect(await verify(user, stamped)).toEqual(valid)

  // Elsewhere neither the signer nor the authority is known, and the bytes are the same.
  const elsewhere = await testApi({ evidence: (await signingSettings()).evidence })
  const stranger = await elsewhere.as('Stat')
  expect(await verify(stranger, stamped)).toEqual({
    ...issued,
    certificate: { ...certificate, isTrusted: false },
    stamp: 'untrusted',
  })
  const large = Buffer.alloc(50 * 1024 * 1024 + 1)
  const { status, errors } = await user.call(verifyDocument, { payload: large, headers: BINARY })
  expect([status, errors[0]?.code]).toEqual([413, 'too-large'])
  expect(await verify(user, Buffer.alloc(0))).toMatchObject({ differences: ['no-signature'], certificate: null })
})

test('finds each changed byte of a stamped document, and names its place', { timeout: 600_000 }, async () => {
  const { evidence } = await signingSettings()
  const authority = await startAuthority(() => new Date('2026-10-20T08:00:00Z'))
  const api = await testApi({ evidence, stamps: authority.stamps })
  const user = await api.as('Tickets')
  const pdf = await reportOf(user)
  expect(await verify(user, pdf)).toMatchObject({ differences: [], stamp: 'valid' })
  const { numbers, signature } = rangesOf(pdf)
  const [, gap = 0, behind = 0] = numbers
  const encoded = gap + 1 + signature.length * 2
  const offsets = pdf.indexOf('/ByteRange')

  const random = seededRandom(18)
  const between = (from: number, to: number) => from + random.below(to - from)
  const placesAt = (at: number): WireOf<typeof verifyDocument, 'response'>['differences'] => {
    if (at > gap && at < encoded) return ['signature', 'reserved-space', 'stamp']
    if (at >= encoded && at < behind - 1) return ['signature', 'reserved-space']
    const isOffset = (at >= offsets && at < gap) || at === gap || at === behind - 1
    return isOffset ? ['content', 'byte-range', 'no-signature'] : ['content']
  }
  const unseen: string[] = []
  for (let count = 0; count < CHANGED_BYTES; count++) {
    // As many in the signature as in the rest, where most of the bytes are.
    const at = [between(0, pdf.length), between(gap + 1, encoded), between(0, pdf.length), between(encoded, behind)][
      count % 4
    ] as number
    const changed = Buffer.from(pdf)
    changed[at] = (changed[at] as number) ^ (1 + between(0, 255))
    const { differences } = await verify(user, changed)
    const allowed = placesAt(at)
    if (differences.length === 0 || !differences.every((place) => allowed.includes(place)))
      unseen.push(`byte ${at}: ${differences.join() || 'nothing'}, not ${allowed.join(' or ')}`)
  }
  expect(unseen).toEqual([])
})

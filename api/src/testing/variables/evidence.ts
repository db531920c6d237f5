import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { verifyDocument } from '@rogatka/contract/evidence.ts'
import { availabilityReport } from '@rogatka/contract/tickets-health.ts'
import { expect } from 'vitest'
import { sql } from '../../core/statement.ts'
import { signingSettings, verifySignature } from '../../evidence/testing.ts'
import { startAuthority } from '../../evidence/testing-authority.ts'
import { P12_PASSWORD } from '../../evidence/testing-certificates.ts'
import { extractPages, fetchReport } from '../../reports/testing.ts'
import { startService } from '../services.ts'
import { configured, createFolder, type Env, filled, NOW } from './configured.ts'
import type { VariableEffect } from './effects.ts'

/**
 * Signer and number of certificates in the signature of a monthly report, or the error of the settings; null: it is not signed.
 * `{folder}`: with a store and its chain.
 */
async function signerOf(env: Env, others: Env) {
  const { folder } = await signingSettings()
  try {
    const api = await configured(filled({ ...others, ...env }, 'folder', folder))
    const user = await api.as('Tickets')
    const query = { year: 2026, month: 9, reportType: 'pdf' } as const
    const { body } = await user.call(availabilityReport, { query })
    const pdf = (await fetchReport(user, body)).bytes
    if (!pdf.includes('/ByteRange')) return null
    const { holds, signed } = await verifySignature(pdf)
    expect(holds).toBe(true)
    const text = (await extractPages(pdf)).join(' ').replace(/\s+/g, ' ')
    return [/Podpis elektroniczny (.*), certyfikat/.exec(text)?.[1], signed.certificates?.length]
  } catch (error) {
    return (error as Error).message
  }
}

/** The state of the time stamp of a signed report, or the error of the settings. `{authority}`, `{ca}`: of one with its root. */
async function stampOf(env: Env, others: Env): Promise<string> {
  const { evidence } = await signingSettings()
  const { url, ca } = await startAuthority(() => new Date(NOW))
  try {
    const named = Object.entries({ authority: url, ca, other: evidence.chain })
    const settings = named.reduce((env, [name, text]) => filled(env, name, text), { ...others, ...env })
    const api = await configured({ ...settings, EVIDENCE_P12: evidence.p12, EVIDENCE_P12_PASSWORD: P12_PASSWORD })
    const user = await api.as('Tickets')
    const query = { year: 2026, month: 9, reportType: 'pdf' } as const
    const { bytes } = await fetchReport(user, (await user.call(availabilityReport, { query })).body)
    const headers = { 'content-type': 'application/octet-stream' }
    return (await user.call(verifyDocument, { payload: bytes, headers })).body.stamp
  } catch (error) {
    return (error as Error).message
  }
}

/** Effects of the variables of signatures, time stamps and copies of sheets. */
export const evidenceEffects: Record<string, VariableEffect> = {
  EVIDENCE_COPY: {
    title: 'receives the ends of all chains, in a folder or by PUT; if absent, they stay in the database',
    cases: [
      [undefined, [[], []]],
      ['{folder}/copies', [['anchor-000001-….txt'], []]],
      ['http://{address}/anchors', [[], ['PUT /anchors/anchor-000001-….txt']]],
    ],
    observe: async (env) => {
      const [folder, archive] = [await createFolder(), await startService()]
      const api = await configured(filled(filled(env, 'folder', folder), 'address', archive.address))
      await api.db.execute(sql`
        insert into log_seal (chain, seq, source_id, source_at, hash) values ('audit', 1, 1, now(), sha256('a'))`)
      await api.app.jobs.recurring.find(({ name }) => name === 'anchor-chains')?.work()
      const files = await readdir(join(folder, 'copies')).catch(() => [])
      // The second part of a name is a hash.
      const shortened = (name: string) => name.replace(/-[0-9a-f]{16}\./, '-….')
      return [files.map(shortened), archive.requests.map(({ method, path }) => shortened(`${method} ${path}`))]
    },
  },
  EVIDENCE_P12: {
    title: 'names the file with key and certificate by which documents are signed',
    cases: [
      [undefined, null],
      ['{folder}/evidence.p12', ['Zarząd Dróg Testowych', 1]],
    ],
    observe: (env) => signerOf(env, env.EVIDENCE_P12 ? { EVIDENCE_P12_PASSWORD: P12_PASSWORD } : {}),
  },
  EVIDENCE_P12_PASSWORD: {
    title: 'decrypts that file',
    cases: [
      [undefined, 'Configuration: EVIDENCE_P12 needs EVIDENCE_P12_PASSWORD too'],
      ['other', 'EVIDENCE_P12: the file is damaged, or EVIDENCE_P12_PASSWORD is wrong'],
      [P12_PASSWORD, ['Zarząd Dróg Testowych', 1]],
    ],
    observe: (env) => signerOf(env, { EVIDENCE_P12: '{folder}/evidence.p12' }),
  },
  EVIDENCE_CHAIN: {
    title: 'names a file with issuers of that certificate, which signatures contain',
    cases: [
      [undefined, ['Zarząd Dróg Testowych', 1]],
      ['{folder}/chain.pem', ['Zarząd Dróg Testowych', 2]],
    ],
    observe: (env) => signerOf(env, { EVIDENCE_P12: '{folder}/evidence.p12', EVIDENCE_P12_PASSWORD: P12_PASSWORD }),
  },
  TSA_URLS: {
    title: 'names the authorities that stamp signatures',
    cases: [
      [undefined, 'none'],
      ['{authority}', 'valid'],
    ],
    observe: (env) => stampOf(env, env.TSA_URLS ? { TSA_CA: '{ca}' } : {}),
  },
  TSA_CA: {
    title: 'names the file with the roots of these authorities',
    cases: [
      [undefined, 'Configuration: TSA_URLS needs TSA_CA too'],
      ['{ca}', 'valid'],
      ['{other}', 'pending'],
    ],
    observe: (env) => stampOf(env, { TSA_URLS: '{authority}' }),
  },
}

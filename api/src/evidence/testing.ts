import { execFile, execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ContentInfo, SignedData } from 'pkijs'
import { onTestFinished } from 'vitest'
import { type IssueOptions, issue, P12_PASSWORD, pemOf, pkcs12Of } from './testing-certificates.ts'

/** A folder for files of a test. */
export async function testFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'rogatka-signature-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

/** An authority and a certificate of it, with the settings to sign documents with it. */
export async function signingSettings(options: Partial<IssueOptions> = {}) {
  const folder = await testFolder()
  const authority = await issue({ name: 'Urząd Testowy', isAuthority: true, until: '2036-01-01T00:00:00Z' })
  const signer = await issue({ name: 'Zarząd Dróg Testowych', issuer: authority, ...options })
  const evidence = { p12: join(folder, 'evidence.p12'), password: P12_PASSWORD, chain: join(folder, 'chain.pem') }
  await writeFile(evidence.p12, await pkcs12Of(signer))
  await writeFile(evidence.chain, pemOf(authority))
  return { folder, authority, signer, evidence }
}

/** Whether a program exists; says in one line if it does not, and its test did not run. */
export function hasProgram(name: string): boolean {
  try {
    execFileSync(name, [name === 'openssl' ? 'version' : '-v'], { stdio: 'ignore' })
    return true
  } catch {
    console.info(`${name} did not run: it is not installed`)
    return false
  }
}

/** Runs a program; its output of both kinds, whatever its status. */
export async function run(name: string, args: readonly string[], cwd?: string): Promise<string> {
  const done = await promisify(execFile)(name, [...args], { cwd }).catch(
    (error) => error as { stdout: string; stderr: string },
  )
  return `${done.stdout}${done.stderr}`
}

/** Signed bytes and signature of a PDF, as its ByteRange says. */
export function rangesOf(pdf: Buffer) {
  const [, ...numbers] = /\/ByteRange \[(\d+) (\d+) (\d+) (\d+) *\]/.exec(pdf.toString('latin1')) ?? []
  const [from = 0, length = 0, next = 0, rest = 0] = numbers.map(Number)
  const hex = pdf.toString('latin1', from + length + 1, next - 1)
  const reserved = Buffer.from(hex, 'hex')
  return {
    numbers: [from, length, next, rest],
    content: Buffer.concat([pdf.subarray(from, from + length), pdf.subarray(next, next + rest)]),
    reserved,
    signature: reserved.subarray(0, reserved.readUInt16BE(2) + 4),
  }
}

/** The signature as pkijs reads it: whether it holds, and the attributes of its signer by OID. */
export async function verifySignature(pdf: Buffer) {
  const { content, signature } = rangesOf(pdf)
  const info = ContentInfo.fromBER(new Uint8Array(signature))
  const signed = new SignedData({ schema: info.content })
  const holds = await signed.verify({ signer: 0, data: new Uint8Array(content).buffer }).catch(() => false)
  const attributes = signed.signerInfos[0]?.signedAttrs?.attributes ?? []
  return { holds, attributes: Object.fromEntries(attributes.map(({ type, values }) => [type, values])), signed }
}

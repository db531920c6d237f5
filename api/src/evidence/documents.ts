import type { Language } from '@rogatka/contract/languages.ts'
import { dateOf } from '@rogatka/domain/core/warsaw.ts'
import { encodeSignedData, type Signer, sha256, signDetached } from './cms.ts'
import { placeSignature, readSignedPdf } from './pades.ts'
import type { Stamp } from './stamp-queries.ts'
import type { Stamping } from './stamping.ts'
import { signatureTexts } from './texts.ts'

/** Why a document must not be signed, whatever certificate there is. */
export type SignatureRefusal = 'uncertified' | 'anonymised'

/** The signature of one document that is being made. */
export type DocumentSignature = {
  /** For the signature field; undefined: the document is not signed. */
  signer: string | undefined
  /** What the document says of its signature, as label and value; empty where the portal signs nothing. */
  lines: [label: string, value: string][]
  /** Signs a document with an empty signature field; one that is not signed stays as it is. */
  sign: (pdf: Buffer) => Promise<Buffer>
  /** The same for a document in parts, which are collected for it. */
  signParts: (parts: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>
}

export type DocumentSigner = {
  /** Begins a document that is made now. */
  begin: (document: { language: Language; now: Date; refusal?: SignatureRefusal | undefined }) => DocumentSignature
}

type Options = {
  /** Null: nothing is signed. */
  signer: Signer | null
  /** Null: signatures have no time stamps. */
  stamping: Stamping | null
}

export function createDocumentSigner({ signer, stamping }: Options): DocumentSigner {
  return {
    begin: ({ language, now, refusal }) => {
      const label = signatureTexts(language).label
      const unsigned = (text: string): DocumentSignature => ({
        signer: undefined,
        lines: [[label, text]],
        sign: async (pdf) => pdf,
        signParts: (parts) => parts,
      })
      if (!signer) return { ...unsigned(''), lines: [] }
      const { validFromDate, validToDate, serialNumber } = signer.certificate
      const day = (at: Date) => dateOf(at).split('-').reverse().join('.')
      const { refused } = signatureTexts(language)
      if (refusal) return unsigned(refused[refusal])
      const refuse = (reason: 'certificate-ended' | 'certificate-not-begun', at: Date) =>
        unsigned(signatureTexts.format(language, `refused.${reason}`, { day: day(at) }))
      if (now > validToDate) return refuse('certificate-ended', validToDate)
      if (now < validFromDate) return refuse('certificate-not-begun', validFromDate)

      const name = signerName(signer)
      const statement = [
        signatureTexts.format(language, 'signed', { signer: name, serial: serialNumber, day: day(validToDate) }),
        ...(stamping ? [signatureTexts(language).stamp] : []),
      ]
      const sign = async (pdf: Buffer) => {
        const signedPdf = placeSignature(pdf, (content) => encodeSignedData(signDetached(content, signer)))
        return stamping ? addStamp(signedPdf, (imprint) => stamping.obtain(imprint, 'document')) : signedPdf
      }
      return {
        signer: name,
        lines: [[label, `${statement.join('. ')}.`]],
        sign,
        signParts: (parts) => signCollected(parts, sign),
      }
    },
  }
}

/** The common name of the certificate, or else its whole subject. */
export function signerName({ certificate }: Pick<Signer, 'certificate'>): string {
  const { CN } = certificate.toLegacyObject().subject as { CN?: string | string[] }
  return CN === undefined ? certificate.subject.replaceAll('\n', ', ') : [CN].flat().join(', ')
}

async function* signCollected(parts: AsyncIterable<Uint8Array>, sign: (pdf: Buffer) => Promise<Buffer>) {
  const collected: Uint8Array[] = []
  for await (const part of parts) collected.push(part)
  yield await sign(Buffer.concat(collected))
}

/** Adds the time stamp of its signature to a signed document; without a stamp it stays as it is. */
export async function addStamp(pdf: Buffer, findToken: (imprint: Buffer) => Promise<Pick<Stamp, 'token'> | null>) {
  const document = readSignedPdf(pdf)
  if (typeof document === 'string') return pdf
  const { signed, replace } = document
  const stamp = await findToken(sha256(signed.signature))
  return stamp ? replace(encodeSignedData({ ...signed, token: stamp.token })) : pdf
}

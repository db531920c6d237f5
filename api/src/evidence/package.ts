import type { X509Certificate } from 'node:crypto'
import type { Language } from '@rogatka/contract/languages.ts'
import type { ImageType } from '@rogatka/contract/vehicle.ts'
import { parseAnchor } from '@rogatka/domain/evidence/anchor.ts'
import { passageText } from '@rogatka/domain/evidence/passage.ts'
import type { Database } from '../core/database.ts'
import type { PassageKey } from '../core/passage.ts'
import type { ZipEntry } from '../reports/public-api.ts'
import { type Signer, sha256 } from './cms.ts'
import { signerName } from './documents.ts'
import { readSignedPdf } from './pades.ts'
import { countSealed, passageRecords } from './passage-queries.ts'
import {
  findAnchor,
  findVehicleSeal,
  listAuditLines,
  type SealedText,
  sealsOfImages,
  sealTextsAfter,
  type VehicleSeal,
} from './proofs.ts'
import { findStamp } from './stamp-queries.ts'
import type { Stamping } from './stamping.ts'
import { stampReply } from './tsp.ts'
import { type AnchorState, type SealState, verifyGuide } from './verify-guide.ts'

/** Names of the files of a package; images have their own. */
export const PACKAGE = {
  sheet: 'sheet.pdf',
  record: 'passage.json',
  seal: 'seal.txt',
  /** Seals that follow, by number. */
  seals: 'seals/',
  anchor: 'anchor.txt',
  anchorStamp: 'anchor.tsr',
  audit: 'audit.jsonl',
  /** Previous hash and hash of each line of the audit log. */
  auditLinks: 'audit.links',
  /** The same of the access trail, and of the ends of its visits. */
  access: 'access.jsonl',
  accessLinks: 'access.links',
  visits: 'visits.jsonl',
  visitLinks: 'visits.links',
  signer: 'certificates/signer.pem',
  issuers: 'certificates/ca.pem',
  authorities: 'certificates/tsa.pem',
  guide: 'VERIFY.txt',
  manifest: 'manifest.sha256',
  manifestStamp: 'manifest.tsr',
} as const

/** Lines of seals in a package: each has about 110 bytes. Imports have many in a minute. */
const MAX_SEALED = 100_000

/** An image of a vehicle as it was received. */
export type PackageImage = { name: string; type: ImageType; bytes: Buffer }

export type PackageParts = {
  key: PassageKey
  /** The sheet, signed if documents are signed. */
  sheet: Buffer
  images: readonly PackageImage[]
  /** Subject of the audit entries about the vehicle; null: there are none for this user. */
  auditSubject: string | null
  language: Language
  /** Owner of the portal. */
  issuer: string
  now: Date
}

/** Makes the evidence package of a vehicle. */
export type Packager = (db: Database, parts: PackageParts) => Promise<ZipEntry[]>

/** With what packages are signed and stamped. */
export type PackageSigning = {
  signer: Signer | null
  stamping: Stamping | null
  /** Roots of authorities for time stamps. */
  authorities: readonly X509Certificate[]
}

export type PackageFile = { name: string; bytes: Buffer }

export const textFile = (name: string, text: string): PackageFile => ({ name, bytes: Buffer.from(text) })
const pemFile = (name: string, certificates: readonly X509Certificate[]): PackageFile =>
  textFile(name, certificates.map(String).join(''))

export const createPackager =
  (signing: PackageSigning): Packager =>
  async (db, { key, sheet, images, auditSubject, language, issuer, now }) => {
    const chain = await chainFiles(db, key, images)
    const audit = await auditFiles(db, auditSubject)
    const guide = verifyGuide({
      ...{ language, issuer, now, ...describeSheet(signing, sheet) },
      ...{ seal: chain.seal, anchor: chain.anchor },
      images: images.map(({ name, type }) => ({ name, isSealed: chain.sealedTypes.includes(type) })),
      hasAudit: audit.length > 0,
    })
    return finishPackage(signing, { sheet, files: [...images, ...chain.files, ...audit], guide })
  }

/** What the guide of a package says of its sheet, and of time stamps. */
export function describeSheet({ signer, stamping }: PackageSigning, sheet: Buffer) {
  const document = readSignedPdf(sheet)
  const signature = signer && typeof document !== 'string' ? { ...document.gap, name: signerName(signer) } : null
  return { signature, sheetBytes: sheet.length, hasStamps: stamping !== null }
}

/** Adds certificates, the list of hashes and its time stamp. */
export async function finishPackage(
  signing: PackageSigning,
  { sheet, files: content, guide }: { sheet: Buffer; files: readonly PackageFile[]; guide: string },
): Promise<ZipEntry[]> {
  const { signer, stamping, authorities } = signing
  const { signature } = describeSheet(signing, sheet)
  const files: PackageFile[] = [
    { name: PACKAGE.sheet, bytes: sheet },
    ...content,
    ...(signature && signer ? certificateFiles(signer) : []),
    ...(stamping ? [pemFile(PACKAGE.authorities, authorities)] : []),
    textFile(PACKAGE.guide, guide),
  ]
  // The format of `sha256sum -c`.
  const lines = files.map(({ name, bytes }) => `${sha256(bytes).toString('hex')}  ${name}\n`)
  const manifest = textFile(PACKAGE.manifest, lines.join(''))
  const stamp = await stamping?.obtain(sha256(manifest.bytes), 'manifest')
  return [...files, manifest, ...(stamp ? [stampFile(PACKAGE.manifestStamp, stamp.token)] : [])].map(toEntry)
}

export const stampFile = (name: string, token: Buffer): PackageFile => ({ name, bytes: stampReply(token) })

/** Images and documents are compressed already; so are stamps. */
const toEntry = ({ name, bytes }: PackageFile): ZipEntry => ({
  name,
  content: [bytes],
  isCompressed: !/\.(?:json|jsonl|links|pem|sha256|txt)$/.test(name),
})

/** The files of a package, with the time stamp of its list of hashes. */
export const withManifestStamp = (files: ReadonlyMap<string, Buffer | null>, token: Buffer): ZipEntry[] =>
  [...new Map(files).set(PACKAGE.manifestStamp, stampReply(token))].flatMap(([name, bytes]) =>
    bytes ? toEntry({ name, bytes }) : [],
  )

/** The certificate of the signer, and those from which it is trusted. */
const certificateFiles = ({ certificate, chain }: Signer): PackageFile[] => [
  pemFile(PACKAGE.signer, [certificate]),
  pemFile(PACKAGE.issuers, chain.length > 0 ? chain : [certificate]),
]

type ChainFiles = {
  files: PackageFile[]
  seal: SealState
  anchor: AnchorState
  /** Types of images that are in a seal of the package. */
  sealedTypes: ImageType[]
}

/** The record of the vehicle, its seal, and those that follow up to the anchor. */
async function chainFiles(db: Database, key: PassageKey, images: readonly PackageImage[]): Promise<ChainFiles> {
  const nothing: ChainFiles = { files: [], seal: 'no-record', anchor: 'none', sealedTypes: [] }
  const [stored] = await passageRecords(db, [key])
  if (!stored?.evidence) return nothing
  const record = textFile(PACKAGE.record, passageText(stored.record))
  const seal = await findVehicleSeal(db, key)
  const { locationId } = key
  const unsealed = { ...nothing, files: [record] }
  if (!seal) return { ...unsealed, seal: 'not-sealed' }
  if ((await countSealed(db, { locationId, after: seal.number - 1, until: seal.number })) > MAX_SEALED)
    return { ...unsealed, seal: 'too-large' }

  const ofImages = await sealsOfImages(db, key)
  const types = images.map(({ type }) => type).filter((type) => ofImages.has(type))
  const last = Math.max(seal.number, ...types.map((type) => ofImages.get(type) ?? 0))
  const { text, until, anchor } = await anchorFor(db, seal, last)
  const following = await sealTextsAfter(db, { locationId, after: seal.number, until }, seal.seal)
  const stamp = text === null ? null : await findStamp(db, sha256(Buffer.from(text)))
  return {
    files: [
      record,
      textFile(PACKAGE.seal, seal.text),
      ...[...following].map(([number, text]) =>
        textFile(`${PACKAGE.seals}${String(number).padStart(9, '0')}.txt`, text),
      ),
      ...(text === null ? [] : [textFile(PACKAGE.anchor, text)]),
      ...(stamp ? [stampFile(PACKAGE.anchorStamp, stamp.token)] : []),
    ],
    seal: { locationId, number: seal.number, last: until },
    anchor: typeof anchor === 'object' ? { ...anchor, hasStamp: !!stamp } : anchor,
    sealedTypes: types.filter((type) => {
      const number = ofImages.get(type) ?? 0
      return number >= seal.number && number <= until
    }),
  }
}

type AnchorOfSeals = { text: string | null; until: number; anchor: AnchorState }

/** The anchor that has the seals of a vehicle and its images, and the number of the last seal that a package needs. */
async function anchorFor(db: Database, seal: VehicleSeal, last: number): Promise<AnchorOfSeals> {
  const { locationId, number: after } = seal
  const isFew = async (until: number) => (await countSealed(db, { locationId, after, until })) <= MAX_SEALED
  const text = await findAnchor(db, { ...seal, number: last })
  const anchor = text === null ? null : parseAnchor(text)
  const until = anchor?.heads.find((head) => head.locationId === locationId)?.seq
  if (anchor && until !== undefined && (await isFew(until)))
    return { text, until, anchor: { number: anchor.number, hasStamp: false } }
  return { text: null, until: (await isFew(last)) ? last : after, anchor: anchor ? 'too-far' : 'none' }
}

/** Entries of the audit log, a line each, and for each of them the hashes that it links. */
async function auditFiles(db: Database, subject: string | null): Promise<PackageFile[]> {
  const lines = subject === null ? [] : await listAuditLines(db, subject)
  return lineFiles(lines, PACKAGE.audit, PACKAGE.auditLinks)
}

/** Sealed lines of a log and their hashes; nothing without lines. */
export function lineFiles(lines: readonly SealedText[], name: string, linksName: string): PackageFile[] {
  if (lines.length === 0) return []
  return [
    textFile(name, lines.map(({ text }) => `${text}\n`).join('')),
    textFile(linksName, lines.map(({ previous, hash }) => `${previous} ${hash}\n`).join('')),
  ]
}

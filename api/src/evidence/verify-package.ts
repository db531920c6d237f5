import type { DocumentVerification, PackageFault, PackageVerification } from '@rogatka/contract/evidence.ts'
import { type ImageType, imageTypes } from '@rogatka/contract/vehicle.ts'
import { parseAnchor } from '@rogatka/domain/evidence/anchor.ts'
import { parseSealLines, type SealedItem } from '@rogatka/domain/evidence/passageSeal.ts'
import { sha256 } from './cms.ts'
import { PACKAGE } from './package.ts'
import { tokenOf } from './tsp.ts'
import { isZip, unzip } from './unzip.ts'
import { type Records, type Trust, verifyPdf, verifyStamp } from './verify.ts'

type Files = ReadonlyMap<string, Buffer | null>
type Difference = PackageVerification['differences'][number]

/** The files of a package; none if it cannot be read. */
export function readPackage(bytes: Buffer): Files {
  try {
    return unzip(bytes)
  } catch {
    return new Map()
  }
}

/** Verifies a PDF, or a package with its sheet. */
export async function verifyEvidence(
  records: Records,
  bytes: Buffer,
  trust: Trust,
  now: Date,
): Promise<DocumentVerification> {
  if (!isZip(bytes)) return { ...(await verifyPdf(records, bytes, trust, now)), package: null }
  const files = readPackage(bytes)
  const sheet = await verifyPdf(records, files.get(PACKAGE.sheet) ?? Buffer.of(), trust, now)
  // The numbers of another portal mean something else here.
  const isOurs = sheet.certificate === null || sheet.certificate.isTrusted
  return {
    ...sheet,
    package: await verifyPackage(isOurs ? records : { ...records, hashAt: async () => undefined }, files, trust),
  }
}

async function verifyPackage(records: Records, files: Files, trust: Trust): Promise<PackageVerification> {
  const listed = verifyManifest(files)
  const seals = verifySeals(files)
  const audit = verifyLines(files, LOGS.audit)
  const trail = [verifyLines(files, LOGS.access), verifyLines(files, LOGS.visits)]
  const manifest = await verifyStampOf(records, files, [PACKAGE.manifest, PACKAGE.manifestStamp], trust)
  const anchor = await verifyStampOf(records, files, [PACKAGE.anchor, PACKAGE.anchorStamp], trust)
  const others = await findOtherHashes(records, [...seals.hashes, ...[audit, ...trail].flatMap(({ hashes }) => hashes)])
  const differences = [listed, seals, audit, ...trail, manifest, anchor].flatMap((part) => part.differences)
  return {
    files: listed.count,
    differences: [...differences, ...others],
    stamp: manifest.stamp,
    stampedAt: manifest.stampedAt,
    seal: seals.seal,
    notSealed: seals.notSealed,
    anchor: seals.anchor,
    auditEntries: audit.count,
  }
}

const sha256Hex = (bytes: Buffer) => sha256(bytes).toString('hex')
const difference = (name: string, fault: PackageFault): Difference => ({ name, fault })
const textOf = (files: Files, name: string) => files.get(name)?.toString() ?? null

/** Compares the files with the list of hashes, which names all but itself and its stamp. A file that is null cannot be read. */
function verifyManifest(files: Files): { count: number; differences: Difference[] } {
  const text = textOf(files, PACKAGE.manifest)
  if (text === null) return { count: 0, differences: [difference(PACKAGE.manifest, 'missing')] }
  const lines = text.split('\n').slice(0, -1)
  const listed = new Map<string, string>()
  for (const line of lines) {
    const [, digest = '', name = ''] = /^([0-9a-f]{64}) {2}(.+)$/.exec(line) ?? []
    listed.set(name, digest)
  }
  const isWhole = text.endsWith('\n') && !listed.has('') && listed.size === lines.length
  const differences = isWhole ? [] : [difference(PACKAGE.manifest, 'changed')]
  listed.delete('')
  for (const [name, digest] of listed) {
    const bytes = files.get(name)
    if (bytes === undefined) differences.push(difference(name, 'missing'))
    else if (bytes === null || sha256Hex(bytes) !== digest) differences.push(difference(name, 'changed'))
  }
  const unlisted: readonly string[] = [PACKAGE.manifest, PACKAGE.manifestStamp]
  for (const name of files.keys())
    if (!listed.has(name) && !unlisted.includes(name)) differences.push(difference(name, 'not-listed'))
  return { count: listed.size, differences }
}

/** A hash of a chain that the package has, to compare. */
type ChainHash = { name: string; chain: string; locationId: number | null; seq: number; hash: string }

type SealsResult = Pick<PackageVerification, 'seal' | 'notSealed' | 'anchor'> & {
  differences: Difference[]
  hashes: ChainHash[]
}

const SEAL_HEADER = /^station (\d+)\nminute (\S+)\nnumber (\d+)\nprevious ([0-9a-f]{64})\n/

/** Verifies that the record and images are in seals, and that these follow each other up to the anchor. */
function verifySeals(files: Files): SealsResult {
  const result: SealsResult = { seal: null, notSealed: [], anchor: null, differences: [], hashes: [] }
  if (!files.has(PACKAGE.seal)) return result
  const names = [...files.keys()].filter((name) => name.startsWith(PACKAGE.seals)).sort()
  const items: (SealedItem | null)[] = []
  let previous: ChainHash | undefined
  for (const name of [PACKAGE.seal, ...names]) {
    const text = textOf(files, name) ?? ''
    const [header = '', station, , number, before] = SEAL_HEADER.exec(text) ?? []
    const position = { name, chain: 'passages', locationId: Number(station), seq: Number(number) }
    const follows = !previous || (position.seq === previous.seq + 1 && before === previous.hash)
    if (header === '' || !follows) result.differences.push(difference(name, 'not-linked'))
    if (header === '') return result
    previous = { ...position, hash: sha256Hex(Buffer.from(text)) }
    result.hashes.push(previous)
    result.seal ??= { locationId: position.locationId, number: position.seq }
    items.push(...parseSealLines(text.slice(header.length)))
  }
  const known = items.filter((item) => item !== null)
  const { differences, notSealed } = verifySealed(files, known)
  result.differences.push(...differences)
  result.notSealed = notSealed
  const anchorText = textOf(files, PACKAGE.anchor)
  if (anchorText === null) return result
  const anchor = parseAnchor(anchorText)
  const head = anchor?.heads.find(({ locationId }) => locationId === previous?.locationId)
  result.anchor = anchor?.number ?? null
  if (head?.hash !== previous?.hash) result.differences.push(difference(PACKAGE.anchor, 'not-in-anchor'))
  return result
}

const IMAGE_NAME = /^\d+_([a-z]+)\.jpg$/

/** Whether the record and the images have the digests that the seals have of them. */
function verifySealed(files: Files, items: readonly SealedItem[]) {
  const differences: Difference[] = []
  const notSealed: string[] = []
  const record = files.get(PACKAGE.record)
  const digest = record ? sha256Hex(record) : null
  const vehicle = items.find((item) => item.type === null && item.digest === digest)
  if (!vehicle) differences.push(difference(PACKAGE.record, 'not-in-seal'))
  for (const [name, bytes] of files) {
    const type = imageTypes.find((one) => one === IMAGE_NAME.exec(name)?.[1])
    if (!type || !bytes) continue
    const isSealed = items.some((item) => item.type === type && item.digest === sha256Hex(bytes))
    if (isSealed) continue
    if (vehicle && !hasImage(items, vehicle, type)) notSealed.push(name)
    else differences.push(difference(name, 'not-in-seal'))
  }
  return { differences, notSealed }
}

const hasImage = (items: readonly SealedItem[], { id, createdAt }: SealedItem, type: ImageType) =>
  items.some((item) => item.type === type && item.id === id && item.createdAt.getTime() === createdAt.getTime())

/** The files of logs: with all lines of a part of the chain, or with some. */
const LOGS = {
  audit: { chain: 'audit', name: PACKAGE.audit, links: PACKAGE.auditLinks, isWhole: false },
  access: { chain: 'access', name: PACKAGE.access, links: PACKAGE.accessLinks, isWhole: true },
  visits: { chain: 'visits', name: PACKAGE.visits, links: PACKAGE.visitLinks, isWhole: true },
}

/** Verifies that each line of a log has the hash in its link, and follows the one before in a whole part. */
function verifyLines(files: Files, { chain, name, links: linksName, isWhole }: (typeof LOGS)[keyof typeof LOGS]) {
  const [text, links] = [textOf(files, name), textOf(files, linksName)]
  const nothing: { count: number; differences: Difference[]; hashes: ChainHash[] } = {
    count: 0,
    differences: [],
    hashes: [],
  }
  if (text === null && links === null) return nothing
  const lines = (text ?? '').split('\n')
  const pairs = (links ?? '').split('\n')
  const isLinked = (line: string, at: number) => {
    const [previous = '', hash] = (pairs[at] ?? '').split(' ')
    if (isWhole && at > 0 && previous !== pairs[at - 1]?.slice(-64)) return false
    return sha256Hex(Buffer.from(`${previous}\n${line}\n`)) === hash
  }
  const entries = lines.slice(0, -1)
  const holds = entries.every(isLinked) && lines.length === pairs.length && lines.at(-1) === '' && pairs.at(-1) === ''
  if (!holds) return { ...nothing, count: entries.length, differences: [difference(name, 'not-linked')] }
  const hashes = entries.map((line, at) => ({
    ...{ name, chain, locationId: null },
    ...{ seq: numberIn(line), hash: pairs[at]?.slice(-64) ?? '' },
  }))
  return { ...nothing, count: entries.length, hashes: hashes.filter(({ seq }) => seq > 0) }
}

/** The number of an entry in its chain; 0 if it has none. */
function numberIn(line: string): number {
  const [, seq] = /"seq":(\d{1,15})[,}]/.exec(line) ?? []
  return Number(seq ?? 0)
}

/** Files of which the portal has stored another hash. */
async function findOtherHashes(records: Records, positions: readonly ChainHash[]): Promise<Difference[]> {
  const names = new Set<string>()
  for (const { name, hash, ...position } of positions) {
    const stored = await records.hashAt(position)
    if (stored !== undefined && stored !== hash) names.add(name)
  }
  return [...names].map((name) => difference(name, 'other-in-portal'))
}

/** Verifies the time stamp of a file. */
async function verifyStampOf(
  records: Records,
  files: Files,
  [name, stampName]: [name: string, stampName: string],
  trust: Trust,
) {
  const [bytes, reply] = [files.get(name), files.get(stampName)]
  const nothing = { stamp: 'none', stampedAt: null } as const
  if (!bytes) return { ...nothing, differences: reply === undefined ? [] : [difference(stampName, 'stamp')] }
  const token = reply === undefined ? null : readToken(reply)
  if (token === undefined) return { ...nothing, differences: [difference(stampName, 'stamp')] }
  const { differs, ...verified } = await verifyStamp(records, sha256(bytes), token, trust.stamps)
  return { ...verified, differences: differs ? [difference(stampName, 'stamp')] : [] }
}

function readToken(reply: Buffer | null): Buffer | undefined {
  try {
    return reply ? tokenOf(reply) : undefined
  } catch {
    return undefined
  }
}

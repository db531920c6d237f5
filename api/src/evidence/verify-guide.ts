import type { Language } from '@rogatka/contract/languages.ts'
import { HASH_COMMAND, sheetCommands } from '@rogatka/domain/evidence/sheetCommands.ts'
import { signatureTexts } from './texts.ts'

/** The seal of a vehicle and the last one in the package, or why there is none. */
export type SealState = { locationId: number; number: number; last: number } | 'no-record' | 'not-sealed' | 'too-large'

/** The anchor in the package, or why there is none. */
export type AnchorState = { number: number; hasStamp: boolean } | 'none' | 'too-far'

type PackageState = {
  language: Language
  /** Owner of the portal. */
  issuer: string
  now: Date
  /** Where the signature is in the sheet, and by whom; null: the sheet is not signed. */
  signature: { start: number; end: number; name: string } | null
  sheetBytes: number
  /** Whether an authority for time stamps is set. */
  hasStamps: boolean
}

export type GuideState = PackageState & {
  seal: SealState
  anchor: AnchorState
  images: readonly { name: string; isSealed: boolean }[]
  hasAudit: boolean
}

/** Consecutive lines of a chain in a package, with the names of their files. */
export type LogPart = {
  chain: string
  name: string
  links: string
  first: number
  last: number
  /** The number of the last line that the anchor has; null: it has none of these. */
  anchored: number | null
}

export type LogGuideState = PackageState & { parts: readonly LogPart[]; anchor: AnchorState }

type Section = { text: string; commands?: readonly string[] }

const WIDTH = 100
const INDENT = '    '

/** VERIFY.txt: what a package proves, and how that is checked with public programs; commands are indented. */
export function verifyGuide(state: GuideState): string {
  const { package: texts } = signatureTexts(state.language)
  return formatGuide(state, texts.title, [
    ...sealSections(state),
    ...anchorSections(state),
    state.hasAudit ? { text: texts.audit, commands: [AUDIT] } : { text: texts['no-audit'] },
  ])
}

/** The same of a package with a part of the access trail. */
export function verifyLogGuide(state: LogGuideState): string {
  const { language, parts, anchor } = state
  const { log: texts } = signatureTexts(language)
  const chained = parts.map(({ name, links, first, last }) => ({
    text: signatureTexts.format(language, 'log.chain', { name, links, first: String(first), last: String(last) }),
    commands: [chainCommand(name, links)],
  }))
  const anchored = parts.flatMap(({ chain, links, first, anchored }) =>
    anchored === null
      ? []
      : [`grep -Fx "${chain} ${anchored} $(sed -n ${anchored - first + 1}p ${links} | cut -c66-)" anchor.txt`],
  )
  return formatGuide(state, texts.title, [
    ...(parts.length > 0 ? chained : [{ text: texts.empty }]),
    ...(typeof anchor === 'object' && anchored.length > 0
      ? [
          {
            text: signatureTexts.format(language, 'log.anchor', { number: String(anchor.number) }),
            commands: anchored,
          },
          ...anchorStampSections(state, anchor),
        ]
      : [{ text: texts['no-anchor'] }]),
    { text: texts.others },
  ])
}

function formatGuide(state: PackageState, title: string, content: readonly Section[]): string {
  const { language, issuer, now } = state
  const { package: texts } = signatureTexts(language)
  const at = `${now.toISOString().slice(0, 16).replace('T', ' ')} UTC`
  const sections: Section[] = [
    { text: signatureTexts.format(language, 'package.made', { issuer, at }) },
    { text: texts.programs },
    ...certificateSections(state),
    { text: texts.hashes, commands: [HASH_COMMAND] },
    ...stampSections(state),
    ...sheetSections(state),
    ...content,
  ]
  const blocks = sections.map(({ text, commands = [] }) =>
    [...wrap(text), ...(commands.length > 0 ? ['', ...commands.map((command) => INDENT + command)] : [])].join('\n'),
  )
  return `${title}\n${'='.repeat(title.length)}\n\n${blocks.join('\n\n')}\n`
}

/** Lines of at most 100 characters. */
function wrap(text: string): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= WIDTH) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

const HASH_OF = (file: string) => `$(sha256sum < ${file} | cut -c1-64)`

/** Each line with its previous hash has its hash. */
const AUDIT = `paste -d ' ' audit.links audit.jsonl | while read -r previous hash line; do [ "$(printf '%s\\n%s\\n' "$previous" "$line" | sha256sum | cut -c1-64)" = "$hash" ] || exit 1; done`

/** The same, and each line follows the one before. */
const chainCommand = (name: string, links: string) =>
  `paste -d ' ' ${links} ${name} | (p=; while read -r previous hash line; do [ -z "$p" ] || [ "$previous" = "$p" ] || exit 1; [ "$(printf '%s\\n%s\\n' "$previous" "$line" | sha256sum | cut -c1-64)" = "$hash" ] || exit 1; p=$hash; done)`

/** Certificates end, what they have signed before stays valid. */
const validAt = ({ now }: PackageState) => `-partial_chain -attime ${Math.ceil(now.getTime() / 1_000)}`

const stampCommand = (state: PackageState, file: string, stamp: string) =>
  `openssl ts -verify -in ${stamp} -data ${file} -CAfile certificates/tsa.pem ${validAt(state)}`

function certificateSections({ language, signature, hasStamps }: PackageState): Section[] {
  const names = [...(signature ? ['ca.pem'] : []), ...(hasStamps ? ['tsa.pem'] : [])]
  if (names.length === 0) return []
  const command = (name: string) => `openssl x509 -in certificates/${name} -noout -subject -fingerprint -sha256`
  return [{ text: signatureTexts(language).package.certificates, commands: names.map(command) }]
}

function stampSections(state: PackageState): Section[] {
  const { package: texts } = signatureTexts(state.language)
  if (!state.hasStamps) return [{ text: texts['no-stamps'] }]
  return [{ text: texts.stamp, commands: [stampCommand(state, 'manifest.sha256', 'manifest.tsr')] }]
}

function sheetSections(state: PackageState): Section[] {
  const { language, signature, sheetBytes } = state
  const { package: texts } = signatureTexts(language)
  if (!signature) return [{ text: texts.unsigned }]
  const sheet = { name: 'sheet.pdf', start: signature.start, end: signature.end, size: sheetBytes }
  const [pdfsig = '', ...cms] = sheetCommands(sheet, 'certificates/ca.pem', ` ${validAt(state)}`)
  return [
    { text: signatureTexts.format(language, 'package.signed', { signer: signature.name }), commands: [pdfsig] },
    { text: texts.cms, commands: cms },
  ]
}

/** Keys of the texts why there is no seal. */
const SEAL_TEXTS = { 'no-record': 'no-record', 'not-sealed': 'not-sealed', 'too-large': 'seal-too-large' } as const

function sealSections({ language, seal, images }: GuideState): Section[] {
  const { package: texts } = signatureTexts(language)
  if (typeof seal === 'string') return [{ text: texts[SEAL_TEXTS[seal]] }]
  const files = seal.last > seal.number ? 'seal.txt seals/*.txt' : 'seal.txt'
  const sealed = images.filter(({ isSealed }) => isSealed).map(({ name }) => name)
  const others = images.filter(({ isSealed }) => !isSealed).map(({ name }) => name)
  return [
    { text: texts.record, commands: [`grep -F " ${HASH_OF('passage.json')}" seal.txt`] },
    ...(sealed.length > 0
      ? [{ text: texts.images, commands: sealed.map((name) => `grep -F " ${HASH_OF(name)} " ${files}`) }]
      : []),
    ...(others.length > 0
      ? [{ text: signatureTexts.format(language, 'package.images-not-sealed', { names: others.join(', ') }) }]
      : []),
  ]
}

function anchorSections(state: GuideState): Section[] {
  const { language, seal, anchor } = state
  const { package: texts } = signatureTexts(language)
  if (typeof seal === 'string') return []
  if (typeof anchor === 'string') return [{ text: texts[anchor === 'none' ? 'no-anchor' : 'anchor-too-far'] }]
  const follows = `for f in seals/*.txt; do grep -q "^previous $p$" "$f" || exit 1; p=${HASH_OF('"$f"')}; done; `
  const steps = [
    `p=${HASH_OF('seal.txt')}; `,
    seal.last > seal.number ? follows : '',
    `grep "^passages ${seal.locationId} ${seal.last} $p$" anchor.txt`,
  ]
  const number = String(anchor.number)
  return [
    { text: signatureTexts.format(language, 'package.anchor', { number }), commands: [`(${steps.join('')})`] },
    ...anchorStampSections(state, anchor),
  ]
}

const anchorStampSections = (state: PackageState, { hasStamp }: { hasStamp: boolean }): Section[] =>
  hasStamp
    ? [
        {
          text: signatureTexts(state.language).package['anchor-stamp'],
          commands: [stampCommand(state, 'anchor.txt', 'anchor.tsr')],
        },
      ]
    : []

import type { Language } from '@rogatka/contract/languages.ts'
import { HASH_COMMAND, sheetCommands } from '@rogatka/domain/evidence/sheetCommands.ts'
import { signatureTexts } from './texts.ts'

/** The seal of a vehicle and the last one in the package, or why there is none. */
export type SealState = { locationId: number; number: number; last: number } | 'no-record' | 'not-sealed' | 'too-large'

/** The anchor in the package, or why there is none. */
export type AnchorState = { number: number; hasStamp: boolean } | 'none' | 'too-far'

export type GuideState = {
  language: Language
  /** Owner of the portal. */
  issuer: string
  now: Date
  /** Where the signature is in the sheet, and by whom; null: the sheet is not signed. */
  signature: { start: number; end: number; name: string } | null
  sheetBytes: number
  seal: SealState
  anchor: AnchorState
  pictures: readonly { name: string; isSealed: boolean }[]
  hasAudit: boolean
  /** Whether an authority for time stamps is set. */
  hasStamps: boolean
}

type Section = { text: string; commands?: readonly string[] }

const WIDTH = 100
const INDENT = '    '

/** VERIFY.txt: what a package proves, and how that is checked with public programs; commands are indented. */
export function verifyGuide(state: GuideState): string {
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
    ...sealSections(state),
    ...anchorSections(state),
    state.hasAudit ? { text: texts.audit, commands: [AUDIT] } : { text: texts['no-audit'] },
  ]
  const blocks = sections.map(({ text, commands = [] }) =>
    [...wrap(text), ...(commands.length > 0 ? ['', ...commands.map((command) => INDENT + command)] : [])].join('\n'),
  )
  return `${texts.title}\n${'='.repeat(texts.title.length)}\n\n${blocks.join('\n\n')}\n`
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

/** Certificates end, what they have signed before stays valid. */
const validAt = ({ now }: GuideState) => `-partial_chain -attime ${Math.ceil(now.getTime() / 1_000)}`

const stampCommand = (state: GuideState, file: string, stamp: string) =>
  `openssl ts -verify -in ${stamp} -data ${file} -CAfile certificates/tsa.pem ${validAt(state)}`

function certificateSections({ language, signature, hasStamps }: GuideState): Section[] {
  const names = [...(signature ? ['ca.pem'] : []), ...(hasStamps ? ['tsa.pem'] : [])]
  if (names.length === 0) return []
  const command = (name: string) => `openssl x509 -in certificates/${name} -noout -subject -fingerprint -sha256`
  return [{ text: signatureTexts(language).package.certificates, commands: names.map(command) }]
}

function stampSections(state: GuideState): Section[] {
  const { package: texts } = signatureTexts(state.language)
  if (!state.hasStamps) return [{ text: texts['no-stamps'] }]
  return [{ text: texts.stamp, commands: [stampCommand(state, 'manifest.sha256', 'manifest.tsr')] }]
}

function sheetSections(state: GuideState): Section[] {
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

/** Why there is no seal, or nothing. */
const SEAL_TEXTS = { 'no-record': 'no-record', 'not-sealed': 'not-sealed', 'too-large': 'seal-too-large' } as const

function sealSections({ language, seal, pictures }: GuideState): Section[] {
  const { package: texts } = signatureTexts(language)
  if (typeof seal === 'string') return [{ text: texts[SEAL_TEXTS[seal]] }]
  const files = seal.last > seal.number ? 'seal.txt seals/*.txt' : 'seal.txt'
  const sealed = pictures.filter(({ isSealed }) => isSealed).map(({ name }) => name)
  const others = pictures.filter(({ isSealed }) => !isSealed).map(({ name }) => name)
  return [
    { text: texts.record, commands: [`grep -F " ${HASH_OF('passage.json')}" seal.txt`] },
    ...(sealed.length > 0
      ? [{ text: texts.pictures, commands: sealed.map((name) => `grep -F " ${HASH_OF(name)} " ${files}`) }]
      : []),
    ...(others.length > 0
      ? [{ text: signatureTexts.format(language, 'package.pictures-not-sealed', { names: others.join(', ') }) }]
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
    ...(anchor.hasStamp
      ? [{ text: texts['anchor-stamp'], commands: [stampCommand(state, 'anchor.txt', 'anchor.tsr')] }]
      : []),
  ]
}

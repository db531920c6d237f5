import { isWellFormed } from './grammar.ts'
import { type PlateIdentity, polishForm, STRONG_PAIRS } from './identity.ts'
import { type DistanceBetween, isVetoed, type Sighting } from './veto.ts'

/*
 * Joining of misread plates (docs/domain.md, Repeat offenders). A caller that joins incrementally
 * - sums up detections by form and country (identityOf), with indexes on the form and on its fold (foldOf);
 * - when a spelling has new detections, looks up as its candidates the spellings with the same fold (rules 1 to 3) and, if
 *   mayBeMisread, with the forms of neighboursOf (rule 4), and calls findJoin: one statement with up to a few hundred forms;
 * - evaluates with it those of which it is a candidate: the spellings with the same fold, and at its first detection, and
 *   when it reaches MIN_COUNT, those of oneCharacterAway that mayBeMisread, which are few. As counts and medians change, a
 *   job evaluates unjoined spellings that mayBeMisread from time to time.
 * A result depends only on the summaries, so the order of detections makes no difference in the end. Joins form chains
 * without cycles; the last spelling of a chain is the vehicle's.
 */

/** Detections with one form and country. Lengths in cm. */
export type Spelling = PlateIdentity & {
  /** Number of detections. */
  count: number
  /** Median spacing of the first two axles; null without axles. It is the tractor's, as trailers change. */
  firstAxleGap: number | null
  /** Numbers of axles that were counted, each once. */
  axleCounts: readonly number[]
  /** Median length; null if not measured. */
  length: number | null
  ctg8p1: number
  /** Detections for the veto: of a candidate at least those within vetoWindow of one of the variant. */
  sightings: readonly Sighting[]
}

/** A spelling without its detections. */
type SpellingSummary = Omit<Spelling, 'sightings'>

/** 1 same form; 2 Polish grammar; 3 strong pairs; 4 one character. */
export type JoinRule = 1 | 2 | 3 | 4

/** A join with what it was decided on, in the order variant, other. */
export type Join<T extends Spelling = Spelling> = {
  other: T
  rule: JoinRule
  evidence: {
    counts: [number, number]
    firstAxleGaps: [number, number] | null
    lengths: [number, number] | null
  }
}

const MIN_LENGTH = 5
/** Minimum number of detections of the other, and maximum share of the variant in percent of it. */
export const MIN_COUNT = 5
const MAX_SHARE_PERCENT = 20
const GAP_PERCENT = 3
const MIN_GAP_CM = 8
const LENGTH_PERCENT = 5

const CHARACTERS = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ']

const isStrongPair = (a: string, b: string): boolean => STRONG_PAIRS[a] === b || STRONG_PAIRS[b] === a

/**
 * Whether forms differ only in letters that were read as their digit, or the reverse. O and Q have the same fold, but are
 * both letters, as the plates of a fleet may differ in.
 */
export const differByStrongPairs = (a: string, b: string): boolean =>
  a !== b &&
  a.length === b.length &&
  [...a].every((character, at) => character === b[at] || isStrongPair(character, b.charAt(at)))

/** Whether one character was lost, added or changed. */
export function differByOneCharacter(a: string, b: string): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a]
  if (a === b || long.length - short.length > 1) return false
  let same = 0
  while (same < short.length && short[same] === long[same]) same++
  return short.slice(same + short.length + 1 - long.length) === long.slice(same + 1)
}

/** Whether a plate can be right: one that Polish grammar reads otherwise cannot. */
const isPossible = ({ form, country }: PlateIdentity): boolean => country !== 'PL' || polishForm(form) === form

/**
 * Whether rule 4 can apply to a plate: it is not well-formed in its country, has at least 5 characters, and is not
 * explained by rule 2.
 */
export const mayBeMisread = (plate: PlateIdentity): boolean =>
  plate.form.length >= MIN_LENGTH && isWellFormed(plate.form, plate.country) === false && isPossible(plate)

/** All forms that differ from this one by one character. */
export function oneCharacterAway(form: string): Set<string> {
  const found = new Set<string>()
  for (let at = 0; at <= form.length; at++) {
    const [before, after, rest] = [form.slice(0, at), form.slice(at), form.slice(at + 1)]
    for (const character of CHARACTERS) {
      found.add(before + character + after)
      if (at < form.length) found.add(before + character + rest)
    }
    if (at < form.length) found.add(before + rest)
  }
  found.delete(form)
  return found
}

/** Well-formed plates that differ from this one by one character: the candidates of rule 4. */
export const neighboursOf = ({ form, country }: PlateIdentity): string[] =>
  [...oneCharacterAway(form)].filter((one) => one.length >= MIN_LENGTH && isWellFormed(one, country))

/** Rule by which the plates may be joined; null if none. A known country is not joined to an unknown one. */
function ruleOf(variant: PlateIdentity, other: PlateIdentity): JoinRule | null {
  if (variant.country !== other.country && variant.country !== null) return null
  if (variant.form === other.form) return variant.country === other.country ? null : 1
  if (differByStrongPairs(variant.form, other.form)) {
    // What Polish grammar reads differently are strong pairs, too.
    if (variant.country === 'PL' && polishForm(variant.form) === other.form) return 2
    return isPossible(other) ? 3 : null
  }
  return other.form.length >= MIN_LENGTH &&
    differByOneCharacter(variant.form, other.form) &&
    mayBeMisread(variant) &&
    isWellFormed(other.form, other.country)
    ? 4
    : null
}

const areClose = (a: number, b: number, tolerance: number): boolean => Math.abs(a - b) <= tolerance

/** Whether both may be the same vehicle by its axles, or without axles by length and category. */
function looksAlike(variant: SpellingSummary, other: SpellingSummary): boolean {
  if (variant.firstAxleGap === null || other.firstAxleGap === null)
    return (
      variant.length !== null &&
      other.length !== null &&
      areClose(variant.length, other.length, (LENGTH_PERCENT * other.length) / 100) &&
      variant.ctg8p1 === other.ctg8p1
    )
  return (
    areClose(
      variant.firstAxleGap,
      other.firstAxleGap,
      Math.max(MIN_GAP_CM, (GAP_PERCENT * other.firstAxleGap) / 100),
    ) && variant.axleCounts.some((axles) => other.axleCounts.some((otherAxles) => areClose(axles, otherAxles, 1)))
  )
}

/** Whether the other is seen often enough, and the variant seldom enough, to be a misreading of it. */
const isRare = (variant: Spelling, other: Spelling): boolean =>
  other.count >= MIN_COUNT && 100 * variant.count <= MAX_SHARE_PERCENT * other.count

/** Whether the other may be what the variant was misread from, by plate and measures. */
export function isCandidate(variant: SpellingSummary, other: SpellingSummary): boolean {
  const rule = ruleOf(variant, other)
  return rule !== null && (rule < 3 || looksAlike(variant, other))
}

const bothOf = (a: number | null, b: number | null): [number, number] | null =>
  a === null || b === null ? null : [a, b]

/**
 * The spelling of which this one is a misreading; null if there is none. The first rule with a candidate decides; it joins
 * only a single one. `candidates` contains at least those of the look-ups above, without those from which a user has
 * split off the variant, which is for good.
 */
export function findJoin<T extends Spelling>(
  variant: Spelling,
  candidates: Iterable<T>,
  distanceBetween: DistanceBetween,
): Join<T> | null {
  const found = [...candidates].flatMap((other) => {
    const rule = ruleOf(variant, other)
    return rule !== null &&
      isCandidate(variant, other) &&
      !isVetoed(variant.sightings, other.sightings, distanceBetween)
      ? [{ other, rule }]
      : []
  })
  const first = Math.min(...found.map(({ rule }) => rule))
  const ofFirst = found.filter(({ rule }) => rule === first)
  // A plate that is too rare itself is no vehicle to join, but makes a changed character, or another plate of it, unlikely.
  if (first === 4 && ofFirst.length > 1) return null
  const [only, ...more] = ofFirst.filter(({ other, rule }) => rule < 3 || isRare(variant, other))
  if (!only || more.length > 0) return null
  const { other, rule } = only
  return {
    other,
    rule,
    evidence: {
      counts: [variant.count, other.count],
      firstAxleGaps: bothOf(variant.firstAxleGap, other.firstAxleGap),
      lengths: bothOf(variant.length, other.length),
    },
  }
}

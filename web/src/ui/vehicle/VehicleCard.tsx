import type { MouseEvent, ReactNode, RefObject } from 'react'
import { ScaleIcon } from '../icons.tsx'
import { StatusMark } from '../StatusMark.tsx'
import stretched from '../stretchedLink.module.css'
import { Plate } from './Plate.tsx'
import { Silhouette } from './Silhouette.tsx'
import type { Layout } from './silhouettes.ts'
import { CardToggle, TagButton } from './TagButton.tsx'
import css from './VehicleCard.module.css'
import violationCss from './violation.module.css'
import { WhiteMark } from './WhiteMark.tsx'
import wantedCss from './wanted.module.css'

type CardViolation = { name: string; excess: string | null }

/** The vehicle is on a black list or a white list. */
export type CardMark = {
  kind: 'wanted' | 'white'
  label: string
  description: string
  /** Who attends to a wanted vehicle; absent: nobody. */
  taken?: string
}

type VehicleCardProps = {
  /** URL of the detail page, for new tabs; a plain click and Enter call `onOpen`. */
  href: string
  /** Accessible name: the whole card in one sentence. */
  label: string
  justArrived: boolean
  passed: boolean
  tagged: boolean
  /** Updates itself without re-rendering the card. */
  countdown: ReactNode
  countdownLabel: string
  /** Text while the vehicle is shown on a sign; null: not shown. */
  signLabel: string | null
  /** The vehicle is announced for an inspection, or being inspected; null: neither. */
  inspectionLabel: string | null
  /** Front image; null: none, undefined: loading. */
  image: ReactNode
  plate: string | null
  nationality: string | null
  /** Time, station and lane. */
  detection: ReactNode
  category: number | null
  layout: Layout
  overloadedAxles: readonly number[]
  vehicleLabel: string
  weight: string | null
  weightRed: boolean
  /** The limit, or why the weight is missing. */
  weightLabel: string
  speed: string | null
  speedRed: boolean
  violations: readonly CardViolation[]
  /** Null: on no list. */
  mark: CardMark | null
  /** `tag` names the vehicle; `tagHint` describes the click. */
  texts: {
    unreadable: string
    noImage: string
    justArrived: string
    noViolations: string
    tag: string
    tagHint: string
  }
  onOpen: () => void
  onTag: () => void
  /** Button that announces an inspection, or takes it back; absent: none. */
  announce?: { isAnnounced: boolean; label: string; run: () => void }
}

/** Violations that fit on the card; with a list mark only one. */
const MAX_VIOLATIONS = 3

/** Live vehicle; values have fixed positions. */
export function VehicleCard(props: VehicleCardProps) {
  const { justArrived, passed, tagged, violations, mark, texts, detection, inspectionLabel, announce } = props
  const maxViolations = mark ? 1 : MAX_VIOLATIONS
  const open = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    props.onOpen()
  }
  const tag = (event: MouseEvent) => {
    event.preventDefault()
    props.onTag()
  }
  const className = [
    css.card,
    violations.length > 0 && css.violating,
    justArrived && css.arrived,
    passed && css.passed,
    mark?.kind === 'wanted' && css.wanted,
    mark?.kind === 'wanted' && !passed && (mark.taken ? css.taken : wantedCss.wanted),
  ]
    .filter(Boolean)
    .join(' ')
  const state = inspectionLabel ?? (justArrived ? texts.justArrived : null)
  const detectionText = (
    <>
      {state && (
        <span className={inspectionLabel ? css.inspected : undefined}>
          <b className={css.arrivedLabel}>{state}</b>
          <i className={css.dot}> · </i>
        </span>
      )}
      {detection}
    </>
  )

  const onSign = props.signLabel && (
    <span className={css.onSign}>
      <StatusMark status="enabled" />
      {props.signLabel}
    </span>
  )

  return (
    <article className={className} onContextMenu={tag}>
      <i className={css.edge} />
      <div className={css.countdown}>
        {props.countdown}
        <div className={css.label}>{onSign ?? props.countdownLabel}</div>
      </div>
      <div className={css.image}>
        {props.image === null ? <span className={css.label}>{texts.noImage}</span> : props.image}
      </div>
      <div className={css.identity}>
        <a className={`${stretched.link} ${css.link}`} href={props.href} aria-label={props.label} onClick={open}>
          <Plate plate={props.plate} nationality={props.nationality} unreadable={texts.unreadable} />
        </a>
        <div className={css.label}>{detectionText}</div>
      </div>
      <div className={css.vehicle}>
        <Silhouette category={props.category} layout={props.layout} overloaded={props.overloadedAxles} />
        <div className={css.label}>{props.vehicleLabel}</div>
      </div>
      <div className={css.weight}>
        <Figure value={props.weight} unit="t" red={props.weightRed} />
        <div className={css.label}>{props.weightLabel}</div>
      </div>
      <div className={css.speed}>
        <Figure value={props.speed} unit="km/h" red={props.speedRed} />
        <div className={css.label}>{'\u00a0'}</div>
      </div>
      <div className={css.violations}>
        {mark && <CardMarkLabel mark={mark} />}
        {violations.length === 0 && !mark && <span className={css.none}>{texts.noViolations}</span>}
        {violations.slice(0, maxViolations).map(({ name, excess }, i) => (
          <span key={name} className={`${violationCss.violation} ${css.violation}`}>
            <span>{name}</span>
            <b className={violationCss.excess}>
              {i === maxViolations - 1 && violations.length > maxViolations
                ? `+${violations.length - maxViolations}`
                : excess}
            </b>
          </span>
        ))}
        <span className={css.narrowDetection}>
          {onSign}
          {onSign && ' · '}
          {detectionText}
        </span>
      </div>
      <div className={css.tagCell}>
        {announce && (
          <span className={css.announce}>
            <CardToggle
              on={announce.isAnnounced}
              label={announce.label}
              hint={`${announce.label} (I)`}
              onClick={announce.run}
            >
              <ScaleIcon size={20} />
            </CardToggle>
          </span>
        )}
        <TagButton tagged={tagged} label={texts.tag} hint={texts.tagHint} onClick={props.onTag} />
      </div>
    </article>
  )
}

const CardMarkLabel = ({ mark: { kind, label, description, taken } }: { mark: CardMark }) =>
  kind === 'white' ? (
    <WhiteMark label={label} description={description} />
  ) : (
    <div className={css.wantedMark}>
      <b className={css.wantedLabel}>{label}</b>
      <span className={css.wantedText}>{description}</span>
      {taken && <b className={css.wantedText}>{taken}</b>}
    </div>
  )

function Figure({ value, unit, red }: { value: string | null; unit: string; red: boolean }) {
  return (
    <div className={red ? `${css.figure} ${css.red}` : css.figure}>
      {value ?? '–'}
      <small>{unit}</small>
    </div>
  )
}

/** Empty slot of a removed vehicle, until the next arrival closes it. */
export const CardGap = () => <div className={css.gap} aria-hidden="true" />

type CardListProps = {
  label: string
  /** Pinned list above another one, with a line between them. */
  pinned?: boolean
  list?: RefObject<HTMLUListElement | null>
  children: ReactNode
}

export const CardList = ({ label, pinned = false, list, children }: CardListProps) => (
  <ul ref={list} className={pinned ? `${css.list} ${css.pinned}` : css.list} aria-label={label}>
    {children}
  </ul>
)

export const CardSkeleton = ({ count }: { count: number }) => (
  <div className={css.list} aria-hidden="true">
    {Array.from({ length: count }, (_, index) => index).map((index) => (
      <div key={index} className={`${css.card} ${css.skeleton}`}>
        <i />
        <i style={{ width: 76, height: 26 }} />
        <i className={css.image} />
        <i style={{ width: 150, height: 30 }} />
        <i style={{ width: 110 }} />
        <i style={{ width: 76, height: 26, justifySelf: 'end' }} />
        <i style={{ width: 60, height: 26, justifySelf: 'end' }} />
      </div>
    ))}
  </div>
)

import { VisuallyHidden } from '@mantine/core'
import { split } from '@rogatka/contract/offenders.ts'
import { displayPlate } from '@rogatka/domain/vehicle/plate.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { hasCode } from '../core/failure.ts'
import { useFormat } from '../core/format.ts'
import { useSuccessToast } from '../core/useSuccessToast.ts'
import { useWarningToast } from '../core/useWarningToast.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { LinkButton } from '../ui/LinkButton.tsx'
import { Plate } from '../ui/vehicle/Plate.tsx'
import css from './Offenders.module.css'
import type { OffenderDetail } from './useOffenders.ts'

type Spelling = OffenderDetail['spellings'][number]
type Join = NonNullable<Spelling['joined']>

/** The vehicle's own spelling, and those that were joined to it, each with the reason. */
export function Spellings({ offender: { id, spellings } }: { offender: OffenderDetail }) {
  const { t } = useTranslation('offenders')
  const [asked, setAsked] = useState<Spelling | null>(null)
  if (spellings.length < 2) return null
  return (
    <section>
      <h3>{t('spellings')}</h3>
      <ul className={css.lines}>
        {spellings.map((spelling) => (
          <li key={`${spelling.plate} ${spelling.country}`} className={css.spelling}>
            <Plate plate={spelling.plate} nationality={spelling.country} size="s" unreadable={spelling.plate} />
            {spelling.joined ? (
              <>
                <span className={css.rule}>
                  <RuleText plate={spelling.plate} join={spelling.joined} />
                </span>
                <span className={css.counted}>
                  <SpellingCount count={spelling.passages} />
                  <LinkButton onClick={() => setAsked(spelling)}>
                    {t('split')}
                    <VisuallyHidden> {spelling.plate}</VisuallyHidden>
                  </LinkButton>
                </span>
                <Evidence join={spelling.joined} />
              </>
            ) : (
              <>
                <span className={css.rule}>{t('own-spelling')}</span>
                <span className={css.counted}>
                  <SpellingCount count={spelling.passages} />
                </span>
              </>
            )}
          </li>
        ))}
      </ul>
      {asked && <SplitDialog id={id} spelling={asked} onClose={() => setAsked(null)} />}
    </section>
  )
}

/** Number of passages with a spelling. */
function SpellingCount({ count }: { count: number }) {
  const { t } = useTranslation('offenders')
  const { number } = useFormat()
  return (
    <b>
      {number(count)}
      <VisuallyHidden> {t('passages', { count })}</VisuallyHidden>
    </b>
  )
}

/** Of these rules the characters that differ say most: Polish grammar, and look-alikes. */
const hasPairs = (rule: Join['rule']) => rule === 2 || rule === 3

/** The characters that differ: `I ~ 1`; else the rule of the join. */
function RuleText({ plate, join: { rule, to } }: { plate: string; join: Join }) {
  const { t } = useTranslation('offenders')
  if (!hasPairs(rule)) return t(`rule-${rule}`)
  const pairs = [...plate].flatMap((character, at) => (character === to[at] ? [] : [`${character} ~ ${to[at]}`]))
  return pairs.join(', ')
}

/** The values that the join was decided on. */
function Evidence({ join: { rule, to, counts, firstAxleGaps, lengths } }: { join: Join }) {
  const { t } = useTranslation('offenders')
  const { number, metres } = useFormat()
  const pair = (values: [number, number]) => values.map(metres).join(' / ')
  return (
    <small className={css.evidence}>
      {[
        ...(hasPairs(rule) ? [t(`rule-${rule}`)] : []),
        t('joined-to', { plate: to }),
        t('evidence-counts', { variant: number(counts[0]), other: number(counts[1]) }),
        ...(firstAxleGaps ? [t('evidence-gaps', { values: pair(firstAxleGaps) })] : []),
        ...(lengths ? [t('evidence-lengths', { values: pair(lengths) })] : []),
      ].join(' · ')}
    </small>
  )
}

type SplitProps = { id: number; spelling: Spelling; onClose: () => void }

function SplitDialog({ id, spelling: { plate, country }, onClose }: SplitProps) {
  const { t } = useTranslation('offenders')
  const client = useQueryClient()
  const showSuccess = useSuccessToast()
  const showWarning = useWarningToast()
  const [isPending, setPending] = useState(false)
  const name = displayPlate(plate, country)
  const confirm = async () => {
    setPending(true)
    try {
      await call(split, { params: { id }, body: { plate, country } })
      showSuccess(t('split-done', { plate: name }))
    } catch (error) {
      // Another user was faster.
      if (!hasCode(error, 'spelling-not-joined')) showWarning(t('split-failed'), error)
    }
    onClose()
    await client.invalidateQueries({ queryKey: ['offenders'] })
  }
  return (
    <ConfirmDialog
      title={t('split-question', { plate: name })}
      open
      onClose={onClose}
      onConfirm={() => void confirm()}
      confirmLabel={t('split')}
      destructive
      pending={isPending}
    >
      {t('split-hint')}
    </ConfirmDialog>
  )
}

import type { HealthKind } from '@rogatka/contract/tickets.ts'
import { ATTENTION } from '@rogatka/domain/tickets/health.ts'
import { useTranslation } from 'react-i18next'

type Rule = {
  kind: HealthKind
  /** What is measured. */
  subject: string
  /** Limits; null: none. */
  attention: string | null
  failure: string
}

/** What is checked at a station, with the limits, in the order of the table. */
export function useHealthRules(): Rule[] {
  const { t } = useTranslation('tickets')
  const { imagesPercent, platesPercent, aheadSeconds, behindSeconds } = ATTENTION
  const below = (percent: number) => t('rule-below', { percent })
  const clock = (ahead: number, behind: number) => t('rule-clock', { ahead, behind })
  return [
    {
      kind: 'station-silent',
      subject: t('subject-station-silent'),
      attention: t('rule-silence'),
      failure: t('rule-no-data'),
    },
    { kind: 'lane-silent', subject: t('subject-lane-silent'), attention: null, failure: t('rule-no-data') },
    {
      kind: 'images-missing',
      subject: t('subject-images-missing'),
      attention: below(imagesPercent),
      failure: t('rule-hour', { percent: 50 }),
    },
    {
      kind: 'plates-unreadable',
      subject: t('subject-plates-unreadable'),
      attention: below(platesPercent),
      failure: t('rule-hour', { percent: 60 }),
    },
    {
      kind: 'clock-skew',
      subject: t('subject-clock-skew'),
      attention: clock(aheadSeconds, behindSeconds),
      failure: clock(30, 120),
    },
    {
      kind: 'calibration-deviation',
      subject: t('subject-calibration-deviation'),
      attention: null,
      failure: t('rule-over', { percent: 7 }),
    },
  ]
}

import { criteria } from '@rogatka/domain/inspections/differences.ts'
import { useTranslation } from 'react-i18next'
import { MISSING } from '../core/format.ts'
import { StatusMark } from '../ui/StatusMark.tsx'
import { VirtualTable } from '../ui/VirtualTable.tsx'
import css from './Effectiveness.module.css'
import { EffectivenessPanel } from './EffectivenessPanel.tsx'
import type { AccuracyLane, useAccuracy } from './useEffectiveness.ts'
import { useEffectivenessTexts } from './useEffectivenessTexts.ts'

/** The class that each lane has earned beside the configured one, with its confidences and its certificate. */
export function EffectivenessClasses({ accuracy }: { accuracy: ReturnType<typeof useAccuracy> }) {
  const { t } = useTranslation('inspections')
  const { tenths, whole, laneName } = useEffectivenessTexts()
  const remarks = [t('effectiveness-confidence-note'), accuracy.data?.isBiased && t('effectiveness-biased')]
  return (
    <EffectivenessPanel title={t('effectiveness-classes')} note={remarks.filter(Boolean).join(' · ')} result={accuracy}>
      {({ lanes }) =>
        lanes.length === 0 ? (
          <p className={css.remark}>{t('effectiveness-no-lanes')}</p>
        ) : (
          <VirtualTable<AccuracyLane>
            label={t('ui:table', { of: t('effectiveness-classes') })}
            rows={lanes}
            keyOf={({ lane }) => lane.id}
            columns={[
              {
                key: 'lane',
                head: t('effectiveness-station-lane'),
                cell: ({ location, lane }) => laneName(location.shortName, lane.laneNumber),
              },
              {
                key: 'configured',
                head: t('effectiveness-configured'),
                group: t('effectiveness-class'),
                isText: true,
                cell: ({ configured }) => configured ?? MISSING,
              },
              {
                key: 'earned',
                head: t('effectiveness-earned'),
                group: t('effectiveness-class'),
                isText: true,
                cell: Earned,
              },
              ...criteria.flatMap((criterion) => {
                const group = t(`effectiveness-criterion-${criterion}`)
                return [
                  {
                    key: `${criterion} n`,
                    head: t('effectiveness-n'),
                    group,
                    cell: ({ criteria }: AccuracyLane) => whole(criteria[criterion].n),
                  },
                  {
                    key: `${criterion} confidence`,
                    head: 'π',
                    group,
                    cell: ({ criteria }: AccuracyLane) => <Confidence {...criteria[criterion]} />,
                  },
                  {
                    key: `${criterion} required`,
                    head: 'π₀',
                    group,
                    cell: ({ criteria }: AccuracyLane) => (
                      <span className={css.quiet}>{tenths(criteria[criterion].required)}</span>
                    ),
                  },
                ]
              }),
              { key: 'certificate', head: t('effectiveness-certificate'), group: '', cell: Certificate },
            ]}
          />
        )
      }
    </EffectivenessPanel>
  )
}

function Earned({ earned, isWorse }: AccuracyLane) {
  const { t } = useTranslation('inspections')
  if (earned === null) return <span className={css.quiet}>{t('effectiveness-not-enough')}</span>
  if (!isWorse) return <b>{earned}</b>
  return (
    <b className={css.warning}>
      <StatusMark status="attention" label={t('effectiveness-worse')} />
      {earned}
    </b>
  )
}

function Confidence({ confidence, required }: AccuracyLane['criteria']['gross']) {
  const { t } = useTranslation('inspections')
  const { tenths } = useEffectivenessTexts()
  if (confidence === null) return <span className={css.quiet}>{MISSING}</span>
  const isFailing = required !== null && confidence < required
  return (
    <b className={isFailing ? css.warning : css.medium} {...(isFailing && { title: t('effectiveness-failing') })}>
      {tenths(confidence)}
    </b>
  )
}

/** ▲ ended, ◆ ends within 90 days. */
function Certificate({ certificate, expiry: { lastDay, endedOn, warning } }: AccuracyLane) {
  const { t } = useTranslation('inspections')
  const day = lastDay ?? endedOn ?? certificate?.validUntil ?? null
  const text = day === null ? MISSING : `${day.slice(8)}.${day.slice(5, 7)}.${day.slice(0, 4)}`
  if (warning === null) return text
  const hasEnded = warning === 'ended'
  return (
    <b className={hasEnded ? css.bad : css.warning}>
      <StatusMark
        status={hasEnded ? 'malfunction' : 'attention'}
        label={t(hasEnded ? 'effectiveness-ended' : 'effectiveness-ends')}
      />
      {text}
    </b>
  )
}

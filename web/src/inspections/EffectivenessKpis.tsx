import { HIT_RATE_TARGET, missesTarget } from '@rogatka/domain/inspections/hitRate.ts'
import { useTranslation } from 'react-i18next'
import { StatusMark } from '../ui/StatusMark.tsx'
import css from './Effectiveness.module.css'
import type { FiguresResult, Rate } from './useEffectiveness.ts'
import { useEffectivenessTexts } from './useEffectivenessTexts.ts'

const NAMES = ['hitRate', 'missedRate', 'stopRate', 'coverage'] as const

/** The four rates in total, each with its definition, counts and interval. */
export function EffectivenessKpis({ total }: { total: FiguresResult['total'] | undefined }) {
  const { t } = useTranslation('inspections')
  return (
    <dl className={css.kpis} aria-busy={total === undefined}>
      {NAMES.map((name) => (
        <div key={name}>
          <dt>{t(`effectiveness-kpi-${name}`)}</dt>
          <dd>{total?.[name] && <Figure rate={total[name]} name={name} />}</dd>
        </div>
      ))}
    </dl>
  )
}

function Figure({ rate, name }: { rate: Rate; name: (typeof NAMES)[number] }) {
  const { t } = useTranslation('inspections')
  const texts = useEffectivenessTexts()
  const isTarget = name === 'hitRate'
  const isMissed = isTarget && missesTarget(rate)
  const facts =
    rate.percent === null
      ? [rate.of > 0 && t('effectiveness-too-few')]
      : [
          `${texts.share(rate.part, rate.of)}${name === 'missedRate' ? ` ${t('effectiveness-not-flagged')}` : ''}`,
          texts.interval(rate),
          isTarget && t('effectiveness-target', { target: HIT_RATE_TARGET }),
        ]
  return (
    <>
      <b className={isMissed ? css.warning : undefined}>
        {isMissed && <StatusMark status="attention" label={t('effectiveness-target-missed')} />}
        {texts.rate(rate)}
        {rate.percent !== null && <small>%</small>}
      </b>{' '}
      <span>{facts.filter(Boolean).join(' · ')}</span>
    </>
  )
}

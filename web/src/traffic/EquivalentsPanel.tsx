import { useTranslation } from 'react-i18next'
import { VirtualTable } from '../ui/VirtualTable.tsx'
import { Panel } from './Panel.tsx'
import type { Result, StationEquivalents } from './useTraffic.ts'
import { useTrafficTexts } from './useTrafficTexts.ts'

type Props = {
  result: Result<StationEquivalents>
}

/** Equivalent axles by month, and what overloads add to them. */
export function EquivalentsPanel({ result }: Props) {
  const { t } = useTranslation('traffic')
  const { number, percent } = useTrafficTexts()
  const whole = (value: number) => number(Math.round(value))
  return (
    <Panel title={t('equivalents')} note={t('fourth-power')} result={result}>
      {({ months, ...total }) => (
        <VirtualTable
          label={t('ui:table', { of: t('equivalents') })}
          rows={months}
          keyOf={({ month }) => month}
          columns={[
            {
              key: 'month',
              head: t('month'),
              cell: ({ month }) => `${month.slice(5, 7)}.${month.slice(0, 4)}`,
              foot: t('total'),
            },
            { key: 'n100', head: t('head-n100'), cell: ({ n100 }) => whole(n100), foot: whole(total.n100) },
            { key: 'n115', head: t('head-n115'), cell: ({ n115 }) => whole(n115), foot: whole(total.n115) },
            {
              key: 'overloaded',
              head: t('head-overloaded-part'),
              cell: ({ overloadedShare }) => percent(overloadedShare),
              foot: percent(total.overloadedShare),
            },
            {
              key: 'avoidable',
              head: t('head-avoidable'),
              cell: ({ avoidableShare }) => percent(avoidableShare),
              foot: percent(total.avoidableShare),
            },
          ]}
        />
      )}
    </Panel>
  )
}

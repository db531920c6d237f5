import { toggle } from '@rogatka/domain/vehicle/toggle.ts'
import { useTranslation } from 'react-i18next'
import button from '../ui/bareButton.module.css'
import { LinkButton } from '../ui/LinkButton.tsx'
import css from './SeriesLegend.module.css'
import { type SeriesStyle, Swatch } from './Swatch.tsx'

type Props = {
  series: readonly { name: string; total: string; style: SeriesStyle }[]
  /** Of the earlier period, which cannot be hidden. */
  earlier?: { name: string; total: string; isDashed: boolean } | undefined
  hidden: readonly string[]
  onHidden: (hidden: string[]) => void
}

/** Legend: series names with totals; each button hides or shows its series. */
export function SeriesLegend({ series, earlier, hidden, onHidden }: Props) {
  const { t } = useTranslation('statistics')
  return (
    <fieldset className={css.legend} aria-label={t('series')}>
      {series.map(({ name, total, style }) => (
        <button
          key={name}
          type="button"
          className={`${button.bare} ${css.series}`}
          aria-pressed={!hidden.includes(name)}
          title={t(hidden.includes(name) ? 'show-series' : 'hide-series')}
          onClick={() => onHidden(toggle(hidden, name))}
        >
          <Swatch style={style} />
          <span>{name}</span>
          <b>{total}</b>
        </button>
      ))}
      {earlier && (
        <span className={css.earlier}>
          <svg width="22" height="12" aria-hidden="true">
            {earlier.isDashed ? <path d="M0 6h22" strokeDasharray="4" /> : <path d="M0 9h8V3h14" />}
          </svg>
          {earlier.name} <b>{earlier.total}</b>
        </span>
      )}
      {hidden.length > 0 && <LinkButton onClick={() => onHidden([])}>{t('show-all')}</LinkButton>}
    </fieldset>
  )
}

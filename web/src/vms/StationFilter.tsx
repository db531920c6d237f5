import { toggle } from '@rogatka/domain/vehicle/toggle.ts'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../core/format.ts'
import { FilterPanel } from '../core/frame/FilterPanel.tsx'
import { useLocations } from '../locations/publicApi.ts'
import { CheckboxGroup } from '../ui/CheckboxGroup.tsx'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import { LinkButton } from '../ui/LinkButton.tsx'
import { Loading } from '../ui/Loading.tsx'
import { StatusMark } from '../ui/StatusMark.tsx'
import { SignLegend } from './SignLegend.tsx'
import { signsAt, worstMark } from './signs.ts'
import { useAllSigns } from './useSignGroups.ts'
import css from './Vms.module.css'

type Props = { selected: readonly number[]; onSelect: (ids: number[]) => void }

/** Filter panel: stations with their worst status mark and number of signs. */
export function StationFilter({ selected, onSelect }: Props) {
  const { t } = useTranslation('vms')
  const { number } = useFormat()
  const { data: stations, error, refetch } = useLocations()
  const groups = useAllSigns()
  return (
    <FilterPanel title={t('ui:stations')} legend={<SignLegend />}>
      <div className={css.stations}>
        {error && !stations ? (
          <ErrorBanner error={error} title={t('ui:stations-failed')} retry={() => void refetch()} />
        ) : null}
        {!error && !stations && <Loading label={t('ui:stations-loading')} />}
        <CheckboxGroup
          label={t('ui:stations')}
          selected={selected}
          onToggle={(id) => onSelect(toggle(selected, id))}
          options={(stations ?? []).map(({ id, shortName }) => {
            const signs = groups && signsAt(groups, id)
            const mark = signs ? worstMark(signs) : null
            return {
              value: id,
              label: (
                <span className={css.station}>
                  {mark ? <StatusMark status={mark} label={t(mark)} /> : <i className={css.noMark} />}
                  <span className={mark === null ? css.quiet : undefined}>{shortName}</span>
                </span>
              ),
              figure: signs && number(signs.length),
            }
          })}
        />
        <p className={css.stationsFoot}>
          {selected.length === 0 ? (
            t('all-stations')
          ) : (
            <LinkButton onClick={() => onSelect([])}>{t('show-all-stations')}</LinkButton>
          )}
        </p>
      </div>
    </FilterPanel>
  )
}

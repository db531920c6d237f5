import { violations } from '@rogatka/contract/vehicle.ts'
import { WHITE } from '@rogatka/contract/wanted.ts'
import { useTranslation } from 'react-i18next'
import { useKeys } from '../core/keys.ts'
import { Kbd } from '../ui/Kbd.tsx'
import { Loading } from '../ui/Loading.tsx'
import { WithBold } from '../ui/WithBold.tsx'
import css from './LiveStep.module.css'
import { type Live, showWaiting } from './live.ts'
import { entriesOf, isWanted } from './liveList.ts'
import { Silence, StaleList } from './Notices.tsx'

/**
 * The line above the list, always there and always as high: how many vehicles or what hinders them, and the button
 * behind which newcomers wait.
 */
export function NewBar({ live }: { live: Live }) {
  const { t } = useTranslation('current')
  const { held } = live.list
  const waiting = held.length
  const wanted = held.some(isWanted)
  useKeys([{ key: 'n', label: t('key-waiting'), run: showWaiting }])
  return (
    <div className={css.bar}>
      <State live={live} />
      {waiting > 0 && (
        <button type="button" className={wanted ? `${css.waiting} ${css.wanted}` : css.waiting} onClick={showWaiting}>
          {t(wanted ? 'waiting-wanted' : 'waiting', { count: waiting })}
          <Kbd>N</Kbd>
        </button>
      )}
    </div>
  )
}

function State({ live: { list, error, silent, newest } }: { live: Live }) {
  const { t } = useTranslation('current')
  const entries = entriesOf(list)
  if (error !== null && entries.length > 0) return <StaleList error={error} />
  if (silent && error === null) return <Silence newest={newest} />
  if (entries.length === 0) return error === null && <Loading label={t('waiting-first')} />
  const violating = entries.filter(
    ({ vehicle }) => vehicle.wanted?.typeOfList !== WHITE && violations.some((violation) => vehicle[violation]),
  ).length
  return (
    <>
      <span>
        <WithBold text={t('vehicles', { count: entries.length })} />
      </span>
      <span className={css.quiet}>{t('violating', { count: violating })}</span>
    </>
  )
}

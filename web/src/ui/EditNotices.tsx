import { useTranslation } from 'react-i18next'
import { ConflictNotice } from './ConflictNotice.tsx'
import { ErrorBanner } from './ErrorBanner.tsx'
import { Notice } from './Notice.tsx'

type Props = {
  /** Somebody else saved the record in the meantime: it was not saved. */
  isConflict: boolean
  load: { mutate: () => void; isPending: boolean }
  /** What somebody else stored in fields that were changed here too. */
  stored: object
  banner: { shown: { error: unknown } | null; clear: () => void }
  /** What failed, in a sentence. */
  title?: string
}

/** Above a form that changes a stored record: a conflict, fields that were changed in both places, a refusal. */
export function EditNotices({ isConflict, load, stored, banner, title }: Props) {
  const { t } = useTranslation('ui')
  return (
    <>
      {isConflict && <ConflictNotice onLoad={() => load.mutate()} loading={load.isPending} />}
      {Object.keys(stored).length > 0 && <Notice>{t('check-contested')}</Notice>}
      {banner.shown && <ErrorBanner error={banner.shown.error} title={title} dismiss={banner.clear} />}
    </>
  )
}

import { useTranslation } from 'react-i18next'
import { ConflictNotice } from './ConflictNotice.tsx'
import { ErrorBanner } from './ErrorBanner.tsx'
import { Notice } from './Notice.tsx'

type Props = {
  /** Somebody else saved the record in the meantime, so this save was rejected. */
  isConflict: boolean
  load: { mutate: () => void; isPending: boolean }
  /** Stored values of the fields that both users changed. */
  stored: object
  banner: { message: { error: unknown } | null; clear: () => void }
  /** What failed, as a sentence. */
  title?: string
}

/** Notices above an edit form: conflict, fields changed by both users, error. */
export function EditNotices({ isConflict, load, stored, banner, title }: Props) {
  const { t } = useTranslation('ui')
  return (
    <>
      {isConflict && <ConflictNotice onLoad={() => load.mutate()} loading={load.isPending} />}
      {Object.keys(stored).length > 0 && <Notice>{t('check-conflicts')}</Notice>}
      {banner.message && <ErrorBanner error={banner.message.error} title={title} dismiss={banner.clear} />}
    </>
  )
}

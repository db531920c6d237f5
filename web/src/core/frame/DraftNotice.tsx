import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Notice } from '../../ui/Notice.tsx'
import { formatDateTime } from '../format.ts'
import type { RestoredDraft } from '../useDraft.ts'

type Props = {
  draft: RestoredDraft
  /** Passwords and files are not stored, so they have to be entered again. */
  withheld?: 'password' | 'file'
}

/** Says that a draft was restored, with a button to discard it. */
export function DraftNotice({ draft: { savedAt, discard }, withheld }: Props) {
  const { t } = useTranslation()
  if (savedAt === null) return null
  return (
    <Notice>
      {t('draft-restored', { time: formatDateTime(savedAt) })} {withheld && t(`draft-without-${withheld}`)}
      <Notice.Actions>
        <Button size="xs" variant="default" onClick={discard}>
          {t('draft-discard')}
        </Button>
      </Notice.Actions>
    </Notice>
  )
}

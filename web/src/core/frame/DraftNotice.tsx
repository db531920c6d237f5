import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Notice } from '../../ui/Notice.tsx'
import { formatDateTime } from '../format.ts'
import type { RestoredDraft } from '../useDraft.ts'

type Props = {
  draft: RestoredDraft
  /** A password or a file has to be given again. */
  withheld?: 'password' | 'file'
}

/** Says that what was typed before the session ended is in the form again. */
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

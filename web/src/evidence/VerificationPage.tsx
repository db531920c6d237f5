import { MAX_DOCUMENT_BYTES, verifyDocument } from '@rogatka/contract/evidence.ts'
import { findSignature } from '@rogatka/domain/evidence/sheetCommands.ts'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { callRaw } from '../core/call.ts'
import { PageLayout } from '../core/frame/PageLayout.tsx'
import { DropArea } from '../ui/DropArea.tsx'
import { ListTitle } from '../ui/ListTitle.tsx'
import { Notice } from '../ui/Notice.tsx'
import { useErrorText } from '../ui/useErrorText.ts'
import { Commands } from './Commands.tsx'
import { Result } from './Result.tsx'
import css from './Verification.module.css'

/** Verifies a signed PDF or an evidence package that the user has; nothing is stored. */
export function VerificationPage() {
  const { t } = useTranslation('evidence')
  const textOf = useErrorText()
  const verify = useMutation({
    mutationFn: async (file: File) => {
      if (file.size > MAX_DOCUMENT_BYTES) return Promise.reject('too-large')
      const bytes = new Blob([file])
      const result = await callRaw(verifyDocument, bytes)
      // Offsets are of bytes: a character of this decoding is one.
      const text = result.package ? '' : new TextDecoder('latin1').decode(await bytes.arrayBuffer())
      return { name: file.name, bytes, result, signature: findSignature(text, 'sheet.pdf') }
    },
  })
  const { data, error, isPending } = verify
  return (
    <PageLayout title={<ListTitle>{t('core:nav-evidence')}</ListTitle>}>
      <div className={css.page}>
        <DropArea
          label={t('file')}
          title={t(isPending ? 'verifying' : 'drop')}
          hint={t('drop-hint')}
          choose={t('choose')}
          accept={['.pdf', '.zip']}
          isLoading={isPending}
          onAdd={verify.mutate}
        />
        {error && (
          <Notice kind="error">
            <b>{t('failed')}</b> {error === ('too-large' as unknown) ? t('errors:too-large') : textOf(error)}
          </Notice>
        )}
        {data && (
          <>
            <Result key={verify.submittedAt} file={data} result={data.result} />
            <Commands isPackage={data.result.package !== null} signature={data.signature} />
          </>
        )}
      </div>
    </PageLayout>
  )
}

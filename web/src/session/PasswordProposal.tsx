import { Button, TextInput } from '@mantine/core'
import { generatePassword } from '@rogatka/domain/session/password.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import css from './PasswordProposal.module.css'

const randomNumbers = (count: number) => crypto.getRandomValues(new Uint32Array(count))

/** Generates a password that can be copied and used. */
export function PasswordProposal({ onUse }: { onUse: (password: string) => void }) {
  const { t } = useTranslation('session')
  const [proposal, setProposal] = useState('')
  return (
    <div className={css.proposal}>
      <TextInput
        size="lg"
        label={t('proposal')}
        readOnly
        value={proposal}
        placeholder={t('proposal-empty')}
        autoComplete="off"
        classNames={{ input: css.input ?? '' }}
        onFocus={(event) => event.currentTarget.select()}
      />
      <Button variant="default" size="lg" onClick={() => setProposal(generatePassword(randomNumbers))}>
        {t('generate')}
      </Button>
      {proposal && (
        <Button variant="default" size="lg" className={css.use ?? ''} onClick={() => onUse(proposal)}>
          {t('use-proposal')}
        </Button>
      )}
    </div>
  )
}

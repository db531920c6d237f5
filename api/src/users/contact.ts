import { normalisePhoneNumber } from '@rogatka/domain/users/phoneNumber.ts'
import { refuseFields } from '../core/refusal.ts'

type Contact = { email?: string | null | undefined; phoneNumber?: string | null | undefined }

/** @throws 400 for an account of the portal without mail or phone; one of a provider may have neither */
export function checkContact({ email, phoneNumber }: Contact): void {
  const missing = [
    ...(email == null ? [{ path: 'email', code: 'user-email-required' } as const] : []),
    ...(phoneNumber == null ? [{ path: 'phoneNumber', code: 'required-parameter-missing' } as const] : []),
  ]
  if (missing.length > 0) throw refuseFields(400, missing)
}

/** Mail and phone as they are stored; null: none. */
export const storedContact = ({ email, phoneNumber }: Contact) => ({
  email: email ?? null,
  phoneNumber: phoneNumber == null ? null : normalisePhoneNumber(phoneNumber),
})

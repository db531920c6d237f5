import { EMAIL, type TypeOfContact } from '@rogatka/contract/wanted.ts'

export const MAIL = 'wanted-mail'
export const SMS = 'wanted-sms'

export const kindOf = (type: TypeOfContact): string => (type === EMAIL ? MAIL : SMS)

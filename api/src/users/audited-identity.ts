import type { StoredIdentity } from './identity-queries.ts'

/** An identity as the audit log shows it. */
export const auditedIdentity = ({ provider, name, issuer, subject }: StoredIdentity) => ({
  provider,
  providerAccount: name,
  issuer,
  providerSubject: subject,
})

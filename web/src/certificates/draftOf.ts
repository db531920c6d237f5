/** Id of a form's draft; `id` of its scale or certificate, of a new certificate that of its lane. */
export const draftOf = (
  form: 'scale' | 'new-certificate' | 'certificate' | 'revocation',
  id: number | undefined,
): string => `${form}/${id ?? 'new'}`

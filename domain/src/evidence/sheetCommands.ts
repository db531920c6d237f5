/** Where the signature is in a signed PDF, with its brackets, and the number of bytes of the PDF. */
export type SignedSheet = { name: string; start: number; end: number; size: number }

/** Where the signature of a PDF is, as its ByteRange says; null without one that leaves out one part only. */
export function findSignature(pdf: string, name: string): SignedSheet | null {
  const found = [...pdf.matchAll(/\/ByteRange \[0 (\d+) (\d+) (\d+) *\]/g)].at(-1)
  if (!found) return null
  const [start = 0, end = 0, rest = 0] = found.slice(1).map(Number)
  return end > start + 2 && end + rest === pdf.length ? { name, start, end, size: pdf.length } : null
}

/**
 * Commands of public programs that verify the signature of a sheet, and take it apart for that. `issuers`: file with the
 * certificates of issuers; `options` of the verification, with a space before.
 */
export function sheetCommands({ name, start, end, size }: SignedSheet, issuers: string, options = ''): string[] {
  return [
    `pdfsig -nocert ${name} | grep 'Signature is Valid'`,
    `{ head -c ${start} ${name}; tail -c ${size - end} ${name}; } > ranges.bin`,
    `tail -c +${start + 2} ${name} | head -c ${end - start - 2} | tr a-f A-F | basenc --base16 -d > contents.der`,
    `openssl cms -verify -binary -inform DER -in contents.der -content ranges.bin -CAfile ${issuers} -purpose any${options} -out /dev/null`,
  ]
}

/** The command that compares the files of a package with their hashes. */
export const HASH_COMMAND = 'sha256sum --strict -c manifest.sha256'

package io.entroq.codec.command;

/**
 * An item of a Modify that names a doc or a doc set. Offsets refer to the buffer of the {@link
 * ModifyDecoder}.
 */
public sealed interface DocItem permits DocRefDecoder, DocDataDecoder {
  /** Whether a Modify has items that name docs. */
  static boolean isIn(ModifyDecoder modify) {
    return (modify.docInsertCount()
            | modify.docChangeCount()
            | modify.docDeleteCount()
            | modify.docDependCount())
        != 0;
  }

  int namespaceOffset();

  /** From 1 to 1,024. */
  int namespaceLength();

  /** 0 for a set, like the lower half. */
  long idHigh();

  long idLow();

  int idTextOffset();

  /** 0 if the key encodes the text. */
  int idTextLength();

  /** The version that the caller saw, not negative; 0 for an insert. */
  int version();

  int keyOffset();

  /** Up to 1,024. Not 0 if it names a set, which has no id. */
  int keyLength();
}

package io.entroq.engine.result;

import io.entroq.codec.result.DocFields;
import io.entroq.engine.doc.DocView;

/** Takes over what the engine shows of a doc into what is encoded. */
public final class DocContent {
  private DocContent() {}

  /** All of it. */
  public static void describe(DocView doc, DocFields fields) {
    fields.clear();
    fields.namespace().wrap(doc.namespaceBuffer(), doc.namespaceOffset(), doc.namespaceLength());
    fields.id().set(doc.idHigh(), doc.idLow());
    fields.id().text().wrap(doc.idTextBuffer(), doc.idTextOffset(), doc.idTextLength());
    fields.claimant().set(doc.claimantHigh(), doc.claimantLow());
    fields
        .claimant()
        .text()
        .wrap(doc.claimantTextBuffer(), doc.claimantTextOffset(), doc.claimantTextLength());
    fields.key().wrap(doc.keyBuffer(), doc.keyOffset(), doc.keyLength());
    fields
        .secondaryKey()
        .wrap(doc.secondaryKeyBuffer(), doc.secondaryKeyOffset(), doc.secondaryKeyLength());
    fields.value().wrap(doc.valueBuffer(), doc.valueOffset(), doc.valueLength());
    fields
        .version(doc.version())
        .arrivalMs(doc.arrivalMs())
        .valueKind(doc.valueKind())
        .createdMs(doc.createdMs())
        .modifiedMs(doc.modifiedMs())
        .docs(doc.docCount());
  }
}

package io.entroq.engine.state;

import io.entroq.engine.doc.DocView;
import java.nio.charset.StandardCharsets;
import org.agrona.DirectBuffer;

/**
 * What a doc or doc set looked like. Ids and claimants of these tests differ in their lower halves.
 */
record DocShot(
    String namespace,
    long id,
    String idText,
    int version,
    long claimant,
    String claimantText,
    long arrivalMs,
    String key,
    String secondaryKey,
    String value,
    long createdMs,
    long modifiedMs,
    int docs) {

  static DocShot of(DocView doc) {
    return new DocShot(
        text(doc.namespaceBuffer(), doc.namespaceOffset(), doc.namespaceLength()),
        doc.idLow(),
        text(doc.idTextBuffer(), doc.idTextOffset(), doc.idTextLength()),
        doc.version(),
        doc.claimantLow(),
        text(doc.claimantTextBuffer(), doc.claimantTextOffset(), doc.claimantTextLength()),
        doc.arrivalMs(),
        text(doc.keyBuffer(), doc.keyOffset(), doc.keyLength()),
        text(doc.secondaryKeyBuffer(), doc.secondaryKeyOffset(), doc.secondaryKeyLength()),
        doc.valueKind() == 0
            ? "absent"
            : text(doc.valueBuffer(), doc.valueOffset(), doc.valueLength()),
        doc.createdMs(),
        doc.modifiedMs(),
        doc.docCount());
  }

  /** The same without keys: as a change of it is answered again after it was deleted. */
  DocShot withoutKeys() {
    return new DocShot(
        namespace,
        id,
        idText,
        version,
        claimant,
        claimantText,
        arrivalMs,
        "",
        "",
        value,
        createdMs,
        modifiedMs,
        docs);
  }

  private static String text(DirectBuffer buffer, int offset, int length) {
    byte[] bytes = new byte[length];
    if (length > 0) {
      buffer.getBytes(offset, bytes);
    }
    return new String(bytes, StandardCharsets.UTF_8);
  }
}

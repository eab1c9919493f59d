package io.entroq.engine.state;

import io.entroq.engine.doc.DocView;
import java.nio.charset.StandardCharsets;
import org.agrona.DirectBuffer;

/** What a doc looked like. Ids and claimants of these tests differ in their lower halves. */
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
    long modifiedMs) {

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
        doc.modifiedMs());
  }

  /** The same without what its writer knows: as it is told again when it has moved on. */
  DocShot unsent() {
    return new DocShot(
        namespace,
        id,
        "",
        version,
        claimant,
        claimantText,
        arrivalMs,
        "",
        "",
        "absent",
        createdMs,
        modifiedMs);
  }

  private static String text(DirectBuffer buffer, int offset, int length) {
    byte[] bytes = new byte[length];
    if (length > 0) {
      buffer.getBytes(offset, bytes);
    }
    return new String(bytes, StandardCharsets.UTF_8);
  }
}

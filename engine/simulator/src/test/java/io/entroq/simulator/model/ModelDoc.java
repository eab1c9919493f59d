package io.entroq.simulator.model;

import io.entroq.codec.wire.log.Doc;
import io.entroq.codec.wire.log.Id;
import io.entroq.codec.wire.log.ValueKind;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;

/**
 * A doc as it stands.
 *
 * @param fields everything that the outside can see
 * @param insertedAt the sequence of the record that inserted it: an id may be used again
 */
record ModelDoc(Doc fields, long insertedAt) {
  /** Contract 2.8: by key, secondary key and, so that the order is total, id. */
  static final Comparator<ModelDoc> ORDER =
      Comparator.comparing((ModelDoc doc) -> doc.fields.getKey(), ModelDoc::compareBytes)
          .thenComparing(doc -> doc.fields.getSecondaryKey(), ModelDoc::compareBytes)
          .thenComparing(doc -> doc.fields.getId().getHigh(), Long::compareUnsigned)
          .thenComparing(doc -> doc.fields.getId().getLow(), Long::compareUnsigned);

  /** Where a doc is found: ids are unique in a namespace only. */
  record Name(String namespace, Key id) {}

  static int compareBytes(String a, String b) {
    return Arrays.compareUnsigned(
        a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));
  }

  Name name() {
    return new Name(fields.getNamespace(), Key.of(fields.getId()));
  }

  /** Contract 2.8: under the unexpired lease of somebody who is not the requester. */
  boolean isOtherwiseClaimed(Id requester, long nowMs) {
    Key holder = Key.of(fields.getClaimant());
    return fields.getArrivalMs() > nowMs && !holder.isNobody() && !holder.equals(Key.of(requester));
  }

  boolean hasText(Id id) {
    return fields.getId().getText().equals(id.getText());
  }

  /** As it is told to one who has its value. */
  Doc withoutValue() {
    return fields.toBuilder().setValueKind(ValueKind.VALUE_ABSENT).clearValue().build();
  }
}

package io.entroq.jdbc;

import io.entroq.api.Arrival;
import io.entroq.api.Doc;
import io.entroq.api.DocChange;
import io.entroq.api.DocInsert;
import io.entroq.api.DocQuery;
import io.entroq.api.EntroQ;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.Value;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which rows the latest batch of an outbox had: a doc in the queue, the only one of its namespace,
 * that each batch replaces. Immutable.
 *
 * @param namespace of the doc, one for each outbox
 * @param doc the doc at its version; empty before the first batch
 * @param rows those of the batch, which may still be in the outbox
 */
record LastBatch(String namespace, Optional<Doc.Ref> doc, List<OutboxRow.Key> rows) {
  /** From there another doc takes its place, as versions end at 2^31 - 1. */
  static final int VERSION_MAX = 1 << 30;

  private static final String FIRST = "0";

  static LastBatch read(EntroQ queue, String namespace) {
    List<Doc> docs = queue.docs(DocQuery.in(namespace));
    if (docs.size() > 1) {
      throw new IllegalStateException(
          "namespace %s is for the relays of an outbox, but has %d docs; delete those of others"
              .formatted(namespace, docs.size()));
    }
    return docs.isEmpty()
        ? new LastBatch(namespace, Optional.empty(), List.of())
        : of(namespace, docs.get(0));
  }

  private static LastBatch of(String namespace, Doc doc) {
    List<OutboxRow.Key> rows =
        Arrays.stream(doc.text().split(" "))
            .filter(row -> !row.isEmpty())
            .map(LastBatch::key)
            .toList();
    return new LastBatch(namespace, Optional.of(doc.ref()), rows);
  }

  private static OutboxRow.Key key(String text) {
    int colon = text.indexOf(':');
    return new OutboxRow.Key(
        Long.parseLong(text.substring(0, colon)), Long.parseLong(text.substring(colon + 1)));
  }

  /** What makes other rows the latest batch. It fails if there was another batch meanwhile. */
  Modification next(List<OutboxRow.Key> next, int versionMax) {
    Value value =
        Value.text(
            next.stream()
                .map(key -> key.id() + ":" + key.created())
                .collect(Collectors.joining(" ")));
    Modification.Builder modification = Modification.builder();
    if (doc.isEmpty()) {
      return modification.insertDoc(doc(FIRST, value)).build();
    }
    Doc.Ref ref = doc.get();
    if (ref.version() < versionMax) {
      return modification.changeDoc(new DocChange(ref, Arrival.now(), value)).build();
    }
    String id = Long.toString(Long.parseLong(ref.id().id()) + 1);
    return modification.deleteDoc(ref).insertDoc(doc(id, value)).build();
  }

  private DocInsert doc(String id, Value value) {
    return DocInsert.into(namespace, id).withId(id).withValue(value);
  }

  /** The one that a Modify has made of this one. */
  LastBatch after(ModifyResult.Committed result, List<OutboxRow.Key> next) {
    Doc written =
        Stream.concat(result.insertedDocs().stream(), result.changedDocs().stream())
            .findFirst()
            .orElseThrow();
    return new LastBatch(namespace, Optional.of(written.ref()), next);
  }
}

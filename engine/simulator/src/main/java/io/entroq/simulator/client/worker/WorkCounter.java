package io.entroq.simulator.client.worker;

import io.entroq.api.Doc;
import io.entroq.api.DocChange;
import io.entroq.api.DocInsert;
import io.entroq.api.DocQuery;
import io.entroq.api.Modification;
import io.entroq.api.Value;
import io.entroq.simulator.check.Invariant;
import io.entroq.simulator.virtual.SeededRandom;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * A doc in which handlers count finished work in the step that ends its task, and the work that is
 * known to be done. The doc exists from the first count on.
 */
final class WorkCounter {
  static final String NAMESPACE = "workers/tallies";

  private final String id;
  private final int index;
  private Count done = new Count(0, 0);

  /**
   * @param id of the doc, in {@link #NAMESPACE}
   * @param index among the counters in use
   */
  WorkCounter(String id, int index) {
    this.id = id;
    this.index = index;
  }

  /**
   * The content of a doc.
   *
   * @param pieces the number of work items
   * @param sum a checksum over the items
   */
  private record Count(long pieces, long sum) {
    Count and(Work work) {
      return new Count(pieces + 1, sum + SeededRandom.mix(work.number()));
    }

    Value value() {
      return Value.bytes(ByteBuffer.allocate(2 * Long.BYTES).putLong(pieces).putLong(sum).array());
    }

    static Count of(Doc doc) {
      ByteBuffer bytes = ByteBuffer.wrap(doc.value().unwrap());
      return new Count(bytes.getLong(), bytes.getLong());
    }
  }

  String id() {
    return id;
  }

  int index() {
    return index;
  }

  DocQuery query() {
    return DocQuery.in(NAMESPACE).withIds(id);
  }

  /**
   * Counts one more work item.
   *
   * @param seen the doc as it was read; empty if it does not exist
   */
  Modification count(List<Doc> seen, Work work) {
    if (seen.isEmpty()) {
      DocInsert insert = DocInsert.into(NAMESPACE, id).withId(id);
      return Modification.builder()
          .insertDoc(insert.withValue(new Count(0, 0).and(work).value()))
          .build();
    }
    Doc doc = seen.get(0);
    DocChange change = DocChange.of(doc).withValue(Count.of(doc).and(work).value());
    return Modification.builder().changeDoc(change).build();
  }

  /** A work item was found done for the first time. */
  void done(Work work) {
    done = done.and(work);
  }

  /**
   * Fails unless the doc counts exactly the work that was done; after the end of all work.
   *
   * @param there the doc; empty if it does not exist
   */
  void requireCounted(List<Doc> there) {
    Count counted = there.isEmpty() ? new Count(0, 0) : Count.of(there.get(0));
    Invariant.WORK_COUNTED_ONCE.require(counted.equals(done), "doc " + id, done, counted);
  }
}

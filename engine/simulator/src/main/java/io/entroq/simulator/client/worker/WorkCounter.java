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
 * A doc in which handlers count finished work in the step that ends its task, and which of that
 * work is known to be done. It exists from the first count on.
 */
final class WorkCounter {
  static final String NAMESPACE = "workers/tallies";

  private final String id;
  private final int index;
  private Count done = new Count(0, 0);

  /**
   * @param id of the doc, in {@link #NAMESPACE}
   * @param index where it stands among those that are in use
   */
  WorkCounter(String id, int index) {
    this.id = id;
    this.index = index;
  }

  /**
   * What a doc holds.
   *
   * @param pieces how much work is done
   * @param sum over all of it: equal counts are of the same work
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

  /** Asks for the doc. */
  DocQuery query() {
    return DocQuery.in(NAMESPACE).withIds(id);
  }

  /**
   * Counts one piece more.
   *
   * @param seen the doc as it was read; empty if it was not there
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

  /** A piece of work was found done, for the first time. */
  void done(Work work) {
    done = done.and(work);
  }

  /**
   * Fails if the doc does not count what was done, once all work is over.
   *
   * @param there the doc; empty if it is not there
   */
  void requireCounted(List<Doc> there) {
    Count counted = there.isEmpty() ? new Count(0, 0) : Count.of(there.get(0));
    Invariant.WORK_COUNTED_ONCE.require(counted.equals(done), "doc " + id, done, counted);
  }
}

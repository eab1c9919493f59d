package io.entroq.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.entroq.codec.command.ClaimDocsEncoder;
import io.entroq.codec.command.DocDataFields;
import io.entroq.codec.command.ModifyEncoder;
import io.entroq.codec.message.ChangeModes;
import io.entroq.codec.message.IdFields;
import io.entroq.codec.message.Slice;
import io.entroq.codec.record.RecordType;
import io.entroq.codec.result.ResultCodes;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Commands about docs and doc sets make no objects. */
class DocAllocationTest extends StateTestBase {
  private static final int SETS = 500;
  private static final int WARM_UP_ROUNDS = 40;
  private static final int ROUNDS = 60;

  /** Each cycle writes to its set this often. */
  private static final int WRITES = 5;

  private static final class CodeSink extends ResultSink.Discarding {
    @Override
    public void onResult(long requestSequence, int code, long stepSequence, long logTimeMs) {
      if (code != ResultCodes.OK) {
        throw new IllegalStateException("code " + code);
      }
    }
  }

  private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[1_024]);
  private final ModifyEncoder modify = new ModifyEncoder();
  private final ClaimDocsEncoder claim = new ClaimDocsEncoder();
  private final DocDataFields[] docs = new DocDataFields[SETS];
  private final DocDataFields[] leases = new DocDataFields[SETS];
  private final IdFields me = new IdFields().set(0, 42);
  private final IdFields id = new IdFields();
  private final Slice namespace = new Slice("users".getBytes(StandardCharsets.UTF_8));
  private final Slice nothing = new Slice(new byte[0]);
  private final Slice[] keys = new Slice[SETS];
  private final CodeSink sink = new CodeSink();

  @Test
  void shouldMakeNoObjects() {
    for (int i = 0; i < SETS; i++) {
      byte[] key = ("customer/" + i).getBytes(StandardCharsets.UTF_8);
      keys[i] = new Slice(key);
      docs[i] = data(key);
      docs[i].id().set(7, i + 1);
      docs[i].valueKind(1).value().wrap(new byte[100]);
      leases[i] = data(key).mode(ChangeModes.LEASE).byMs(60_000);
    }
    for (int round = 0; round < WARM_UP_ROUNDS; round++) {
      round(round);
    }
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long thread = Thread.currentThread().getId();
    long before = threads.getThreadAllocatedBytes(thread);
    for (int round = WARM_UP_ROUNDS; round < WARM_UP_ROUNDS + ROUNDS; round++) {
      round(round);
    }
    long bytes = threads.getThreadAllocatedBytes(thread) - before;
    assertThat((double) bytes / (ROUNDS * SETS * WRITES)).as("bytes per command").isLessThan(1);
    assertThat(machine.docSetCount()).isEqualTo(SETS);
  }

  private static DocDataFields data(byte[] key) {
    DocDataFields data = new DocDataFields();
    data.namespace().wrap("users".getBytes(StandardCharsets.UTF_8));
    data.key().wrap(key);
    return data;
  }

  /** Inserts, claims, renews, changes and deletes a doc of each set. */
  private void round(int round) {
    int version = WRITES * round;
    for (int i = 0; i < SETS; i++) {
      DocDataFields doc = docs[i];
      DocDataFields lease = leases[i];
      id.set(7, i + 1);
      execute(RecordType.MODIFY, writes().docInsert(doc.version(0)).length());
      claim.wrap(buffer, 0).claimant(me).set(namespace, keys[i], false);
      int length = claim.leaseMs(1_000).length();
      execute(RecordType.CLAIM_DOCS, length);
      execute(RecordType.MODIFY, writes().docChange(lease.version(version + 1)).length());
      execute(RecordType.MODIFY, writes().docChange(doc.version(version + 2)).length());
      execute(RecordType.MODIFY, writes().docDelete(namespace, id, version + 3, nothing).length());
    }
  }

  private ModifyEncoder writes() {
    return modify.wrap(buffer, 0).claimant(me);
  }

  private void execute(int type, int length) {
    machine.prepare(type, buffer, 0, length, nowMs);
    machine.commit(machine.sequence() + 1, length, sink);
  }
}

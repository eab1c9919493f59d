package io.entroq.cluster.mirror;

import io.entroq.api.Claim;
import io.entroq.api.Modification;
import io.entroq.api.Task;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.RecordHandler;
import io.entroq.engine.log.scan.HolePolicy;
import io.entroq.engine.log.scan.LogScanner;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Records of a real engine, to be applied as by a member. */
final class MirrorRecords {
  private final List<Entry> entries = new ArrayList<>();

  record Entry(int type, long sequence, long timeMs, int crc, DirectBuffer payload) {
    void giveTo(RecordHandler handler) {
      handler.onRecord(type, sequence, timeMs, crc, payload, 0, payload.capacity());
    }
  }

  /** Records of inserts, claims and deletes of a number of tasks with values of a given length. */
  static MirrorRecords of(Path directory, int tasks, int valueBytes) {
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(EmbeddedConfig.in(directory).build())) {
      for (int i = 0; i < tasks; i++) {
        queue.modify(Modification.insert("inbox", "x".repeat(valueBytes))).orThrow();
        if (i % 3 == 0) {
          Task task = queue.tryClaim(Claim.from("inbox")).orElseThrow();
          queue.modify(Modification.delete(task)).orThrow();
        }
      }
    }
    MirrorRecords records = new MirrorRecords();
    new LogScanner(LogDirectory.read(directory), HolePolicy.REFUSE)
        .scan(
            (type, sequence, timeMs, crc, payload, offset, length) -> {
              UnsafeBuffer copy = new UnsafeBuffer(new byte[length]);
              copy.putBytes(0, payload, offset, length);
              records.entries.add(new Entry(type, sequence, timeMs, crc, copy));
            })
        .requireUndamaged();
    return records;
  }

  int count() {
    return entries.size();
  }

  /** The records after one record, up to another. */
  List<Entry> between(long after, long last) {
    return entries.subList((int) after, (int) last);
  }
}

package io.entroq.simulator.feed;

import io.entroq.codec.command.GenesisDecoder;
import io.entroq.codec.snapshot.ChunkFrame;
import io.entroq.engine.fault.FaultHook;
import io.entroq.engine.log.CommandLog;
import io.entroq.engine.log.LogConfig;
import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.SegmentedLog;
import io.entroq.simulator.disk.DiskProcess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** The records that members have made, to be written where they are read as a log. One thread. */
final class KeptRecords {
  private final List<Kept> kept = new ArrayList<>();
  private long before;
  private int logTag;

  private record Kept(int type, long timeMs, int crc, UnsafeBuffer payload) {}

  /** Keeps a record, unless another member has made it before. */
  void add(
      int type, long sequence, long timeMs, int crc, DirectBuffer payload, int offset, int length) {
    if (sequence <= last()) {
      return;
    }
    byte[] bytes = new byte[length];
    payload.getBytes(offset, bytes);
    if (sequence == 1) {
      GenesisDecoder genesis = new GenesisDecoder();
      genesis.wrap(payload, offset, length);
      logTag = ChunkFrame.logTag(genesis.logIdLow());
    }
    kept.add(new Kept(type, timeMs, crc, new UnsafeBuffer(bytes)));
  }

  private long last() {
    return before + kept.size();
  }

  /** The first record that is kept, or the next one. */
  long first() {
    return before + 1;
  }

  /** Drops older records. */
  void forgetBefore(long sequence) {
    int count = Math.toIntExact(Math.max(0, sequence - before - 1));
    kept.subList(0, count).clear();
    before += count;
  }

  /** Writes the log of a directory, from a record that is kept to another. */
  void write(DiskProcess process, Path directory, long from, long until) {
    try (LogDirectory log = LogDirectory.open(directory, process.number());
        CommandLog records =
            SegmentedLog.open(
                log,
                process.runs(),
                LogConfig.defaults(),
                FaultHook.NONE,
                logTag,
                from - 1,
                from - 1)) {
      for (long sequence = from; sequence <= until; sequence++) {
        Kept each = kept.get(Math.toIntExact(sequence - before - 1));
        int length = each.payload.capacity();
        records.append(each.type, sequence, each.timeMs, each.crc, each.payload, 0, length);
      }
    }
  }
}

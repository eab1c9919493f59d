package io.entroq.simulator.host;

import io.entroq.codec.record.RecordFault;
import io.entroq.codec.record.RecordFrame;
import io.entroq.engine.log.SegmentLayout;
import io.entroq.simulator.disk.SimulatedDisk;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.BitSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Which records of a log can be read, and what these records and the names of runs prove about the
 * others. Determined from the bytes on the disk, independently of the engine.
 */
final class LogOnDisk {
  private static final String LOG = EngineHost.DIRECTORY + "/log";
  private static final Pattern RUN = Pattern.compile("run-\\d{6,9}-(\\d{20})");
  private static final int ALIGNMENT = 4;

  private final RecordFrame frame = new RecordFrame();
  private final UnsafeBuffer bytes = new UnsafeBuffer(0, 0);

  /** Per readable record, in order: its sequence, what it reports as forced, and its segment. */
  private long[] sequences = new long[1_024];

  private long[] forced = new long[1_024];
  private int[] places = new int[1_024];
  private int count;

  /** The segments with a record at the first offset. */
  private final BitSet sound = new BitSet();

  private int segment;
  private long reach;

  private LogOnDisk() {}

  static LogOnDisk read(SimulatedDisk disk) {
    LogOnDisk log = new LogOnDisk();
    for (String name : disk.names(LOG)) {
      Matcher run = RUN.matcher(name);
      if (run.matches()) {
        log.addRun(disk, LOG + "/" + name, Long.parseLong(run.group(1)));
      }
    }
    return log;
  }

  private void addRun(SimulatedDisk disk, String path, long first) {
    boolean isBegun = false;
    for (String name : disk.names(path)) {
      segment++;
      bytes.wrap(disk.read(path + "/" + name));
      for (int at = next(0); at >= 0; at = next(at + frame.length())) {
        if (!isBegun) {
          begin(first);
          isBegun = true;
        }
        add(at);
      }
    }
    reach = isBegun ? first - 1 : Math.max(reach, first - 1);
  }

  /** A run with records cuts off what earlier runs have from its first record on. */
  private void begin(long first) {
    while (count > 0 && sequences[count - 1] >= first) {
      count--;
    }
  }

  /** The offset of the next valid record; negative if there is none. */
  private int next(int from) {
    int last = bytes.capacity() - RecordFrame.HEADER_BYTES;
    for (int at = from + ALIGNMENT - 1 & -ALIGNMENT; at <= last; at += ALIGNMENT) {
      if (bytes.getInt(at, ByteOrder.LITTLE_ENDIAN) == RecordFrame.MAGIC
          && frame.check(bytes, at, bytes.capacity() - at) == RecordFault.NONE) {
        return at;
      }
    }
    return -1;
  }

  private void add(int at) {
    if (count > 0 && frame.sequence() <= sequences[count - 1]) {
      return;
    }
    if (count == sequences.length) {
      sequences = Arrays.copyOf(sequences, 2 * count);
      forced = Arrays.copyOf(forced, 2 * count);
      places = Arrays.copyOf(places, 2 * count);
    }
    sequences[count] = frame.sequence();
    forced[count] = frame.forcedSequence();
    places[count] = segment;
    count++;
    if (at == SegmentLayout.FIRST_RECORD_OFFSET) {
      sound.set(segment);
    }
  }

  /** The last record without a gap after the given one. */
  long lastWhole(long after) {
    long last = after;
    for (int i = firstBehind(after); i < count && sequences[i] == last + 1; i++) {
      last++;
    }
    return last;
  }

  private int firstBehind(long sequence) {
    int at = Arrays.binarySearch(sequences, 0, count, sequence + 1);
    return at < 0 ? -at - 1 : at;
  }

  /**
   * Whether an engine can continue from a snapshot at this record: the record is readable, and so
   * is everything before it in its segment. For 0: whether the log has its beginning.
   */
  boolean isBeginning(long sequence) {
    int at = sequence == 0 ? 0 : firstBehind(sequence - 1);
    if (at >= count || sequences[at] != Math.max(1, sequence)) {
      return false;
    }
    int place = places[at];
    while (at > 0 && places[at - 1] == place && sequences[at - 1] == sequences[at] - 1) {
      at--;
    }
    boolean isFirst = at == 0 || places[at - 1] != place;
    return isFirst && sound.get(place);
  }

  /** Whether this or any later record can be read. */
  boolean hasFrom(long sequence) {
    return firstBehind(sequence - 1) < count;
  }

  /** Whether a later record or the name of a run proves that this record was on the disk. */
  boolean reportsForced(long sequence) {
    boolean isSaid = reach >= sequence;
    for (int i = firstBehind(sequence - 1); i < count; i++) {
      isSaid |= forced[i] >= sequence;
    }
    return isSaid;
  }
}

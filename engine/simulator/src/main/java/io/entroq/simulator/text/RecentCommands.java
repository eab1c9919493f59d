package io.entroq.simulator.text;

import io.entroq.codec.record.RecordType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import org.agrona.DirectBuffer;

/** The newest records, printed after a violation. */
public final class RecentCommands {
  /** A power of two. */
  private static final int RECORDS = 8_192;

  private static final int KEPT_BYTES_MAX = 4_096;

  private final long[] sequences = new long[RECORDS];
  private final long[] times = new long[RECORDS];
  private final int[] types = new int[RECORDS];
  private final byte[][] commands = new byte[RECORDS][];
  private final int[] lengths = new int[RECORDS];
  private final long[][] claimed = new long[RECORDS][];
  private final int[] claimedCounts = new int[RECORDS];
  private long count;

  public void add(
      long sequence, long timeMs, int type, DirectBuffer command, int offset, int length) {
    int place = (int) count & (RECORDS - 1);
    sequences[place] = sequence;
    times[place] = timeMs;
    types[place] = type;
    lengths[place] = length;
    claimedCounts[place] = 0;
    int kept = Math.min(length, KEPT_BYTES_MAX);
    if (commands[place] == null || commands[place].length < kept) {
      commands[place] = new byte[Math.max(kept, 128)];
    }
    command.getBytes(offset, commands[place], 0, kept);
    count++;
  }

  /** The newest record gave a task to a claim. */
  public void addClaimed(long request, long high, long low, long version) {
    int place = (int) (count - 1) & (RECORDS - 1);
    int at = claimedCounts[place] * 4;
    if (claimed[place] == null) {
      claimed[place] = new long[4];
    }
    if (at == claimed[place].length) {
      claimed[place] = Arrays.copyOf(claimed[place], at * 2);
    }
    claimed[place][at] = request;
    claimed[place][at + 1] = high;
    claimed[place][at + 2] = low;
    claimed[place][at + 3] = version;
    claimedCounts[place]++;
  }

  /** The newest records whose text contains the subject, up to a number, the oldest first. */
  public List<String> mentioning(String subject, int most) {
    Deque<String> found = new ArrayDeque<>();
    for (long i = count - 1; i >= Math.max(0, count - RECORDS) && found.size() < most; i--) {
      String text = text((int) i & (RECORDS - 1));
      if (text.contains(subject)) {
        found.addFirst(text);
      }
    }
    return new ArrayList<>(found);
  }

  private String text(int place) {
    StringBuilder text = new StringBuilder();
    text.append('@').append(sequences[place]).append(" at ").append(times[place]).append(' ');
    boolean isWhole = lengths[place] <= KEPT_BYTES_MAX;
    text.append(
        isWhole
            ? CommandText.of(types[place], commands[place], lengths[place])
            : RecordType.name(types[place]) + " of " + lengths[place] + " bytes");
    for (int i = 0; i < claimedCounts[place]; i++) {
      long[] gave = claimed[place];
      text.append(" -> ").append(CommandText.id(gave[4 * i + 1], gave[4 * i + 2]));
      text.append(" v").append(gave[4 * i + 3]);
      if (gave[4 * i] != sequences[place]) {
        text.append(" to @").append(gave[4 * i]);
      }
    }
    return text.toString();
  }
}

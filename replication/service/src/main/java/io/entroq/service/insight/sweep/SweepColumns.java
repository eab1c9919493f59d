package io.entroq.service.insight.sweep;

import io.entroq.codec.result.QueueStatsDecoder;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.agrona.DirectBuffer;

/** All queues as they were at one look, in the order of the bytes of their names. Any thread. */
public final class SweepColumns {
  /** Of one queue, without its name. */
  public static final int BYTES_PER_QUEUE =
      SweepColumn.values().length * Long.BYTES + Integer.BYTES;

  public static final SweepColumns NONE = new Builder(0).build(0);

  private static final byte[] DEAD_SUFFIX = "/err".getBytes(StandardCharsets.UTF_8);

  /** Which queues: a range of rows. */
  public record Rows(int from, int to) {}

  private final byte[] names;

  /** Where the name of each row begins; one more for the end. */
  private final int[] offsets;

  private final Map<SweepColumn, long[]> columns;
  private final int[] namedDead;
  private final boolean isComplete;
  private final long readMs;

  /** Rows in the order of a column, or of their activity; made when they are first asked for. */
  private final Map<String, int[]> orders = new HashMap<>();

  private SweepColumns(
      byte[] names,
      int[] offsets,
      Map<SweepColumn, long[]> columns,
      int[] namedDead,
      boolean isComplete,
      long readMs) {
    this.names = names;
    this.offsets = offsets;
    this.columns = columns;
    this.namedDead = namedDead;
    this.isComplete = isComplete;
    this.readMs = readMs;
  }

  /** Rows whose names say that they are dead queues. */
  private static int[] named(byte[] names, int[] offsets) {
    return IntStream.range(0, offsets.length - 1)
        .filter(row -> isNamedDead(names, offsets[row], offsets[row + 1]))
        .toArray();
  }

  /**
   * Whether a name says that its tasks have failed for good, as workers name such queues.
   *
   * @param names has the name between two offsets, in UTF-8
   */
  public static boolean isNamedDead(byte[] names, int from, int to) {
    int at = to - DEAD_SUFFIX.length;
    return at > from && Arrays.equals(names, at, to, DEAD_SUFFIX, 0, DEAD_SUFFIX.length);
  }

  /** The same, where more queues are known to be dead. */
  public SweepColumns withDead(Set<String> queues) {
    IntStream more = queues.stream().mapToInt(this::find).filter(row -> row >= 0);
    int[] dead = IntStream.concat(Arrays.stream(namedDead), more).distinct().sorted().toArray();
    return new SweepColumns(names, offsets, columns, dead, isComplete, readMs);
  }

  /** How many there are. */
  public int size() {
    return offsets.length - 1;
  }

  /**
   * Some of the queues, and others that have no tasks, in order.
   *
   * @param rows in order
   * @param others in order, none of which is here
   * @return a row; or of another, the complement of its number
   */
  int[] merged(int[] rows, List<String> others) {
    int[] merged = new int[rows.length + others.size()];
    int at = 0;
    int next = 0;
    for (String other : others) {
      byte[] name = other.getBytes(StandardCharsets.UTF_8);
      while (next < rows.length && compare(rows[next], name) < 0) {
        merged[at++] = rows[next++];
      }
      merged[at] = ~(at - next);
      at++;
    }
    System.arraycopy(rows, next, merged, at, rows.length - next);
    return merged;
  }

  /**
   * The same as {@link #merged}, as queues.
   *
   * @param figures of them, in place of their own
   */
  SweepColumns select(int[] merged, List<String> others, Map<SweepColumn, long[]> figures) {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    int[] selected = new int[merged.length + 1];
    for (int i = 0; i < merged.length; i++) {
      int row = merged[i];
      if (row >= 0) {
        text.write(names, offsets[row], offsets[row + 1] - offsets[row]);
      } else {
        text.writeBytes(others.get(~row).getBytes(StandardCharsets.UTF_8));
      }
      selected[i + 1] = text.size();
    }
    byte[] all = text.toByteArray();
    return new SweepColumns(all, selected, figures, named(all, selected), isComplete, readMs);
  }

  /** Whether there were no more queues than fit. */
  public boolean isComplete() {
    return isComplete;
  }

  /** When they were read; 0 for none. */
  public long readMs() {
    return readMs;
  }

  /** The name of a row. */
  public String name(int row) {
    return new String(names, offsets[row], offsets[row + 1] - offsets[row], StandardCharsets.UTF_8);
  }

  /** A figure of a row. */
  public long value(SweepColumn column, int row) {
    return columns.get(column)[row];
  }

  /** A figure of all queues, by row; not to be changed. */
  public long[] column(SweepColumn column) {
    return columns.get(column);
  }

  /** The row of a queue; negative if there is none. */
  public int find(String name) {
    byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
    int row = firstFrom(bytes);
    boolean isSame = row < size() && compare(row, bytes) == 0;
    return isSame ? row : -1;
  }

  /** The queues whose names begin with a text. */
  public Rows withPrefix(String prefix) {
    byte[] bytes = prefix.getBytes(StandardCharsets.UTF_8);
    int from = firstFrom(bytes);
    int low = from;
    int high = size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (startsWith(middle, bytes)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return new Rows(from, low);
  }

  /** The rows of queues whose tasks have failed for good, as their names or policies say. */
  public int[] namedDead() {
    return namedDead;
  }

  /** The first row whose name is not before these bytes. */
  private int firstFrom(byte[] bytes) {
    int low = 0;
    int high = size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (compare(middle, bytes) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private int compare(int row, byte[] bytes) {
    return Arrays.compareUnsigned(names, offsets[row], offsets[row + 1], bytes, 0, bytes.length);
  }

  private boolean startsWith(int row, byte[] bytes) {
    int end = offsets[row] + bytes.length;
    return end <= offsets[row + 1]
        && Arrays.equals(names, offsets[row], end, bytes, 0, bytes.length);
  }

  /**
   * Some rows, sorted.
   *
   * @param order null for the names
   */
  public int[] page(Rows rows, SweepColumn order, boolean isDescending, int offset, int limit) {
    return page(
        order == null
            ? null
            : order(
                order.name(), () -> Arrays.stream(columns.get(order)).asDoubleStream().toArray()),
        rows,
        isDescending,
        offset,
        limit);
  }

  /**
   * Some rows, sorted by something else.
   *
   * @param order its name
   * @param values by row; asked for once
   */
  public int[] page(
      Rows rows,
      String order,
      Supplier<double[]> values,
      boolean isDescending,
      int offset,
      int limit) {
    return page(order(order, values), rows, isDescending, offset, limit);
  }

  private static int[] page(int[] order, Rows rows, boolean isDescending, int offset, int limit) {
    IntStream sorted =
        order == null
            ? IntStream.range(rows.from, rows.to)
                .map(row -> isDescending ? rows.from + rows.to - 1 - row : row)
            : IntStream.range(0, order.length)
                .map(place -> order[isDescending ? order.length - 1 - place : place])
                .filter(row -> row >= rows.from && row < rows.to);
    return sorted.skip(offset).limit(limit).toArray();
  }

  private synchronized int[] order(String name, Supplier<double[]> asked) {
    int[] order = orders.get(name);
    if (order == null) {
      double[] values = asked.get();
      order = sorted(size(), Comparator.comparingDouble(row -> values[row]));
      orders.put(name, order);
    }
    return order;
  }

  private static int[] sorted(int size, Comparator<Integer> comparator) {
    return IntStream.range(0, size).boxed().sorted(comparator).mapToInt(row -> row).toArray();
  }

  /** Collects queues in any order, up to a number. Not thread-safe. */
  public static final class Builder {
    private static final int QUEUES_MIN = 1 << 6;
    private static final int NAME_BYTES = 32;

    private final int queuesMax;
    private byte[] names = new byte[QUEUES_MIN * NAME_BYTES];
    private int[] offsets = new int[QUEUES_MIN + 1];
    private final long[][] values = new long[SweepColumn.values().length][QUEUES_MIN];
    private int size;
    private boolean isComplete = true;

    /**
     * @param queuesMax how many are remembered
     */
    public Builder(int queuesMax) {
      this.queuesMax = queuesMax;
    }

    /** Adds one, if there is room. */
    public void add(DirectBuffer buffer, QueueStatsDecoder queue) {
      int end = offsets[size] + queue.nameLength();
      if (size == queuesMax || end < 0) {
        isComplete = false;
        return;
      }
      if (size == values[0].length) {
        grow();
      }
      if (end > names.length) {
        names = Arrays.copyOf(names, Math.max(end, names.length + (names.length >> 1)));
      }
      buffer.getBytes(queue.nameOffset(), names, offsets[size], queue.nameLength());
      for (SweepColumn column : SweepColumn.values()) {
        values[column.ordinal()][size] = column.of(queue);
      }
      size++;
      offsets[size] = end;
    }

    private void grow() {
      int length = size + (size >> 1);
      offsets = Arrays.copyOf(offsets, length + 1);
      for (int i = 0; i < values.length; i++) {
        values[i] = Arrays.copyOf(values[i], length);
      }
    }

    /** Sorts them, which takes a while. */
    public SweepColumns build(long readMs) {
      int[] order =
          sorted(
              size,
              (a, b) ->
                  Arrays.compareUnsigned(
                      names, offsets[a], offsets[a + 1], names, offsets[b], offsets[b + 1]));
      byte[] sortedNames = new byte[offsets[size]];
      int[] sortedOffsets = new int[size + 1];
      Map<SweepColumn, long[]> columns = new EnumMap<>(SweepColumn.class);
      for (SweepColumn column : SweepColumn.values()) {
        long[] of = values[column.ordinal()];
        columns.put(column, Arrays.stream(order).mapToLong(row -> of[row]).toArray());
      }
      for (int row = 0; row < size; row++) {
        int from = offsets[order[row]];
        int length = offsets[order[row] + 1] - from;
        System.arraycopy(names, from, sortedNames, sortedOffsets[row], length);
        sortedOffsets[row + 1] = sortedOffsets[row] + length;
      }
      int[] namedDead = named(sortedNames, sortedOffsets);
      return new SweepColumns(sortedNames, sortedOffsets, columns, namedDead, isComplete, readMs);
    }
  }
}

package io.entroq.service.insight.sweep;

import io.entroq.codec.wire.edge.EventCounts;
import io.entroq.service.insight.sweep.SweepColumns.Rows;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.agrona.collections.IntArrayList;

/**
 * Queues of one look without members of pools, whose figures the pools have as sums. A pool that
 * has members is there even if it has no tasks of its own. Any thread.
 */
public final class PoolFold {
  private static final int[] NO_ROWS = {};

  /** What is not added up. */
  private static final Set<SweepColumn> OWN =
      Set.of(SweepColumn.PAUSED_UNTIL_MS, SweepColumn.NEXT_START_MS);

  private static final Set<SweepColumn> HIGHEST =
      Set.of(SweepColumn.OLDEST_AGE_MS, SweepColumn.MAX_CLAIMS);

  private final SweepColumns all;
  private final SweepColumns shown;

  /** What is left out, by the row that stands for it; empty if nothing is. */
  private final Map<Integer, Below> below;

  /** What happened lately to those that are added up, when somebody asked first. */
  private final Map<Integer, EventCounts> lastMinutes = new ConcurrentHashMap<>();

  /**
   * What is left out below a pool.
   *
   * @param rows of all queues
   * @param members how many queues are directly below it
   */
  @SuppressWarnings("ArrayRecordComponent") // Never compared.
  private record Below(int[] rows, int members) {}

  private PoolFold(SweepColumns all, SweepColumns shown, Map<Integer, Below> below) {
    this.all = all;
    this.shown = shown;
    this.below = below;
  }

  /** Leaves nothing out. */
  public static PoolFold none(SweepColumns all) {
    return new PoolFold(all, all, Map.of());
  }

  /** Leaves the members of all pools out. */
  public static PoolFold of(SweepColumns all, PoolPolicies pools) {
    Folding folding = new Folding(all, pools, "");
    for (String pool : pools.outermost()) {
      Rows rows = all.withPrefix(pool + '/');
      for (int row = rows.from(); row < rows.to(); row++) {
        folding.add(row);
      }
    }
    return folding.of(IntStream.range(0, all.size()).toArray());
  }

  /** Shows a pool itself and its members; leaves out their members. */
  public static PoolFold of(SweepColumns all, PoolPolicies pools, String pool) {
    Folding folding = new Folding(all, pools, pool);
    IntArrayList within = new IntArrayList();
    int own = all.find(pool);
    if (own >= 0) {
      within.addInt(own);
    }
    Rows rows = all.withPrefix(pool + '/');
    for (int row = rows.from(); row < rows.to(); row++) {
      if (folding.add(row)) {
        within.addInt(row);
      }
    }
    return folding.of(within.toIntArray());
  }

  /** The queues that are shown. */
  public SweepColumns queues() {
    return shown;
  }

  public SweepColumns all() {
    return all;
  }

  /** How many queues are directly below a pool; 0 if nothing is left out below a row. */
  public int members(int row) {
    return below.containsKey(row) ? below.get(row).members : 0;
  }

  /** The rows of all queues that a row stands for, besides itself. */
  private int[] rows(int row) {
    return below.containsKey(row) ? below.get(row).rows : NO_ROWS;
  }

  /** By row, from what is known of all. */
  public double[] sums(double[] ofAll) {
    if (shown == all) {
      return ofAll;
    }
    double[] sums = new double[shown.size()];
    for (int row = 0; row < sums.length; row++) {
      int own = all.find(shown.name(row));
      sums[row] =
          (own < 0 ? 0 : ofAll[own])
              + Arrays.stream(rows(row)).mapToDouble(each -> ofAll[each]).sum();
    }
    return sums;
  }

  /**
   * What happened in the last minute.
   *
   * @param read of some queues, together
   */
  public EventCounts lastMinute(int row, Function<List<String>, EventCounts> read) {
    int[] rows = rows(row);
    return rows.length == 0
        ? read.apply(List.of(shown.name(row)))
        : lastMinutes.computeIfAbsent(
            row,
            unused -> {
              List<String> names = new ArrayList<>(List.of(shown.name(row)));
              Arrays.stream(rows).mapToObj(all::name).forEach(names::add);
              return read.apply(names);
            });
  }

  /** Finds out what is left out. Single-threaded. */
  private static final class Folding {
    private final SweepColumns all;
    private final PoolPolicies pools;
    private final String within;
    private final boolean[] isHidden;
    private final Map<String, IntArrayList> hidden = new HashMap<>();

    /** Pools without tasks of their own. */
    private final Set<String> others = new HashSet<>();

    Folding(SweepColumns all, PoolPolicies pools, String within) {
      this.all = all;
      this.pools = pools;
      this.within = within;
      isHidden = new boolean[all.size()];
    }

    /** Notes where a queue belongs. Returns whether it is within the pool, shown or left out. */
    boolean add(int row) {
      if (isHidden[row]) {
        // The name of a pool may begin with that of another to which it does not belong.
        return true;
      }
      String name = all.name(row);
      String shown = pools.shown(name, within);
      if (shown.isEmpty()) {
        return false;
      }
      if (!shown.equals(name)) {
        isHidden[row] = true;
        hidden
            .computeIfAbsent(
                shown,
                pool -> {
                  if (all.find(pool) < 0) {
                    others.add(pool);
                  }
                  return new IntArrayList();
                })
            .addInt(row);
      }
      return true;
    }

    /**
     * What is shown of some rows.
     *
     * @param rows in order
     */
    PoolFold of(int[] rows) {
      List<String> added =
          others.stream()
              .sorted(Comparator.comparing(Folding::bytes, Arrays::compareUnsigned))
              .toList();
      int[] kept = all.merged(Arrays.stream(rows).filter(row -> !isHidden[row]).toArray(), added);
      Map<Integer, Below> below = new HashMap<>();
      for (int i = 0; i < kept.length; i++) {
        String name = name(kept[i], added);
        IntArrayList left = hidden.get(name);
        if (left != null) {
          int[] leftRows = left.toIntArray();
          below.put(i, new Below(leftRows, members(name, leftRows)));
        }
      }
      Map<SweepColumn, long[]> figures = new EnumMap<>(SweepColumn.class);
      for (SweepColumn column : SweepColumn.values()) {
        figures.put(column, figures(column, kept, added, below));
      }
      return new PoolFold(all, all.select(kept, added, figures), below);
    }

    private static byte[] bytes(String name) {
      return name.getBytes(StandardCharsets.UTF_8);
    }

    private String name(int row, List<String> added) {
      return row >= 0 ? all.name(row) : added.get(~row);
    }

    /** A member without tasks counts if there are some below it. */
    private int members(String pool, int[] rows) {
      int members = 0;
      Set<String> empty = new HashSet<>();
      for (int row : rows) {
        String name = all.name(row);
        String member = pools.shown(name, pool);
        if (member.equals(name)) {
          members++;
        } else if (all.find(member) < 0) {
          empty.add(member);
        }
      }
      return members + empty.size();
    }

    private long[] figures(
        SweepColumn column, int[] kept, List<String> added, Map<Integer, Below> below) {
      long[] figures = new long[kept.length];
      for (int i = 0; i < kept.length; i++) {
        if (kept[i] >= 0) {
          figures[i] = all.value(column, kept[i]);
        } else if (column == SweepColumn.PAUSED_UNTIL_MS) {
          figures[i] = pools.pausedUntilMs(added.get(~kept[i]), all.readMs());
        }
        if (below.containsKey(i) && !OWN.contains(column)) {
          for (int row : below.get(i).rows) {
            long value = all.value(column, row);
            figures[i] =
                HIGHEST.contains(column) ? Math.max(figures[i], value) : figures[i] + value;
          }
        }
      }
      return figures;
    }
  }
}

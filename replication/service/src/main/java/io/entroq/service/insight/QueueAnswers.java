package io.entroq.service.insight;

import io.entroq.codec.wire.edge.DeadQueue;
import io.entroq.codec.wire.edge.EventCounts;
import io.entroq.codec.wire.edge.OverviewResponse;
import io.entroq.codec.wire.edge.Problem;
import io.entroq.codec.wire.edge.QueueFigures;
import io.entroq.codec.wire.edge.SearchQueuesRequest;
import io.entroq.codec.wire.edge.SearchQueuesResponse;
import io.entroq.service.insight.sweep.PoolFold;
import io.entroq.service.insight.sweep.PoolPolicies;
import io.entroq.service.insight.sweep.SweepColumn;
import io.entroq.service.insight.sweep.SweepColumns;
import io.entroq.service.translation.Refusal;
import io.entroq.service.translation.RefusedException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

/** Answers questions about queues from one look at them and from what was counted. Any thread. */
final class QueueAnswers {
  private static final String NAME = "name";
  private static final String ACTIVITY = "activity";
  private static final Set<SweepColumn> NOT_SORTED =
      Set.of(SweepColumn.PAUSED_UNTIL_MS, SweepColumn.NEXT_START_MS, SweepColumn.CLAIMABLE);

  private static final int ROWS = 50;
  private static final int ROWS_MAX = 1_000;
  private static final int DEAD_QUEUES_MAX = 100;

  /** An answer serves everybody for so many times as long as it took: viewers cost little. */
  private static final int SHARED_TIMES = 200;

  private static final long SHARED_MAX_NS = TimeUnit.SECONDS.toNanos(5);

  /** How many pools are open at a time, without folding them anew. */
  private static final int FOLDS_MAX = 16;

  private final EffectTally tally;
  private final Moment moment;

  /** What is shown of the queues below, by the pool whose members are shown; guarded by this. */
  private final Map<String, PoolFold> folds =
      new LinkedHashMap<>(FOLDS_MAX, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, PoolFold> eldest) {
          return size() > FOLDS_MAX;
        }
      };

  private final Shared<OverviewResponse> overview = new Shared<>();
  private final Shared<List<DeadQueue>> dead = new Shared<>();

  private SweepColumns folded = SweepColumns.NONE;
  private PoolPolicies foldedBy = PoolPolicies.NONE;

  /**
   * @param moment of all looks
   */
  QueueAnswers(EffectTally tally, Moment moment) {
    this.tally = tally;
    this.moment = moment;
  }

  /**
   * Some queues.
   *
   * @param all of one look
   */
  SearchQueuesResponse search(SearchQueuesRequest request, SweepColumns all, PoolPolicies pools) {
    int limit = Paging.limit(request.getLimit(), ROWS, ROWS_MAX);
    int offset = Paging.offset(request.getOffset());
    if (request.getNameCount() > ROWS_MAX) {
      throw new RefusedException(
          Refusal.invalid(
              "name: %,d are given, at most %,d are accepted"
                  .formatted(request.getNameCount(), ROWS_MAX)));
    }
    BitSet dead = dead(all);
    SearchQueuesResponse.Builder response =
        SearchQueuesResponse.newBuilder().setReadMs(all.readMs()).setComplete(all.isComplete());
    if (request.getNameCount() > 0) {
      for (String name : request.getNameList()) {
        PoolFold fold = fold(all, pools, request.getFold(), pools.pool(name));
        int row = fold.queues().find(name);
        if (row >= 0) {
          response.addQueues(figures(fold, row, dead, pools));
        }
      }
      return response.setMatched(response.getQueuesCount()).build();
    }
    boolean isFolded =
        !request.getPool().isEmpty() || (request.getFold() && !pools.isWithin(request.getPrefix()));
    PoolFold fold = fold(all, pools, isFolded, request.getPool());
    SweepColumns.Rows range = fold.queues().withPrefix(request.getPrefix());
    for (int row : page(request, fold, range, offset, limit)) {
      response.addQueues(figures(fold, row, dead, pools));
    }
    return response.setMatched(range.to() - range.from()).build();
  }

  /**
   * What is shown of all queues.
   *
   * @param isFolded whether members of pools are left out
   * @param pool whose members are shown; empty for none
   */
  private PoolFold fold(SweepColumns all, PoolPolicies pools, boolean isFolded, String pool) {
    return isFolded && !(pool.isEmpty() && !pools.hasPools())
        ? fold(all, pools, pool)
        : PoolFold.none(all);
  }

  private synchronized PoolFold fold(SweepColumns all, PoolPolicies pools, String pool) {
    if (folded != all || foldedBy != pools) {
      folds.clear();
      folded = all;
      foldedBy = pools;
    }
    PoolFold fold = folds.get(pool);
    if (fold == null) {
      fold = pool.isEmpty() ? PoolFold.of(all, pools) : PoolFold.of(all, pools, pool);
      folds.put(pool, fold);
    }
    return fold;
  }

  private int[] page(
      SearchQueuesRequest request, PoolFold fold, SweepColumns.Rows range, int offset, int limit) {
    SweepColumns queues = fold.queues();
    String sort = request.getSort();
    boolean isDescending = request.getDescending();
    if (sort.equals(ACTIVITY)) {
      return queues.page(
          range, ACTIVITY, () -> fold.sums(activities(fold.all())), isDescending, offset, limit);
    }
    return queues.page(range, column(sort), isDescending, offset, limit);
  }

  /** By row. A few at a time, so that counting does not wait for a million. */
  private double[] activities(SweepColumns queues) {
    double[] found = new double[queues.size()];
    for (int first = 0; first < found.length; first += ROWS_MAX) {
      int from = first;
      int to = Math.min(from + ROWS_MAX, found.length);
      tally.rates(
          rates -> {
            for (int row = from; row < to; row++) {
              found[row] = moment.activity(rates, rates.find(queues.name(row)));
            }
            return null;
          });
    }
    return found;
  }

  /** The column of a name; null for that of the names. */
  private static SweepColumn column(String sort) {
    if (sort.isEmpty() || sort.equals(NAME)) {
      return null;
    }
    for (SweepColumn column : SweepColumn.values()) {
      if (!NOT_SORTED.contains(column) && column.name().toLowerCase(Locale.ROOT).equals(sort)) {
        return column;
      }
    }
    throw Paging.noColumn(sort);
  }

  private QueueFigures.Builder figures(PoolFold fold, int row, BitSet dead, PoolPolicies pools) {
    SweepColumns queues = fold.queues();
    String name = queues.name(row);
    int found = fold.all().find(name);
    return figures(column -> queues.value(column, row))
        .setName(name)
        .setDeadQueue(found >= 0 && dead.get(found))
        .setPool(pools.isPool(name))
        .setMembers(fold.members(row))
        .setLastMinute(fold.lastMinute(row, this::lastMinutes));
  }

  private static QueueFigures.Builder figures(ToLongFunction<SweepColumn> value) {
    return QueueFigures.newBuilder()
        .setTasks(value.applyAsLong(SweepColumn.TASKS))
        .setReady(value.applyAsLong(SweepColumn.READY))
        .setInFlight(value.applyAsLong(SweepColumn.IN_FLIGHT))
        .setResting(value.applyAsLong(SweepColumn.RESTING))
        .setFuture(value.applyAsLong(SweepColumn.FUTURE))
        .setOldestAgeMs(value.applyAsLong(SweepColumn.OLDEST_AGE_MS))
        .setMaxClaims((int) value.applyAsLong(SweepColumn.MAX_CLAIMS))
        .setPausedUntilMs(value.applyAsLong(SweepColumn.PAUSED_UNTIL_MS))
        .setNextStartMs(value.applyAsLong(SweepColumn.NEXT_START_MS))
        .setClaimable(value.applyAsLong(SweepColumn.CLAIMABLE))
        .setBytes(value.applyAsLong(SweepColumn.BYTES));
  }

  private EventCounts lastMinuteOfAll() {
    return tally.rates(rates -> moment.lastMinute(rates, rates.all()));
  }

  /** Of some queues together. A few at a time, so that counting does not wait for many. */
  private EventCounts lastMinutes(List<String> queues) {
    EventCounts.Builder sum = EventCounts.newBuilder();
    for (int first = 0; first < queues.size(); first += ROWS_MAX) {
      List<String> some = queues.subList(first, Math.min(first + ROWS_MAX, queues.size()));
      tally.rates(
          rates -> {
            some.forEach(queue -> add(sum, moment.lastMinute(rates, rates.find(queue))));
            return null;
          });
    }
    return sum.build();
  }

  private static void add(EventCounts.Builder sum, EventCounts each) {
    sum.setInserted(sum.getInserted() + each.getInserted())
        .setClaimed(sum.getClaimed() + each.getClaimed())
        .setDone(sum.getDone() + each.getDone())
        .setFailed(sum.getFailed() + each.getFailed())
        .setLapsed(sum.getLapsed() + each.getLapsed())
        .setDead(sum.getDead() + each.getDead());
  }

  /** The rows of dead queues: those that policies and effects name, and those named so. */
  private BitSet dead(SweepColumns queues) {
    BitSet rows = new BitSet(queues.size());
    deadNames().stream().mapToInt(queues::find).filter(row -> row >= 0).forEach(rows::set);
    Arrays.stream(queues.namedDead()).forEach(rows::set);
    return rows;
  }

  /** Those that effects, and policies at any time, have named. Which of them then is not known. */
  private List<String> deadNames() {
    return moment.isNow()
        ? tally.rates(rates -> rates.deadQueues().stream().map(RateEntry::text).toList())
        : List.of();
  }

  /**
   * Sums, dead queues, and problems; for a moment the same for all who ask.
   *
   * @param ageNs how old the look is
   * @param problems has those of the server
   */
  OverviewResponse overview(SweepColumns queues, long ageNs, Problems problems, long sinceMs) {
    return overview.of(() -> sumUp(queues, ageNs, problems, sinceMs));
  }

  private OverviewResponse sumUp(SweepColumns queues, long ageNs, Problems problems, long sinceMs) {
    BitSet dead = dead(queues);
    problems.queues(queues, dead, ageNs);
    List<Problem> found =
        tally.rates(
            rates -> {
              problems.rates(rates, moment);
              return problems.toList();
            });
    long paused =
        Arrays.stream(queues.column(SweepColumn.PAUSED_UNTIL_MS)).filter(ms -> ms != 0).count();
    return OverviewResponse.newBuilder()
        .setAll(
            figures(column -> sum(queues, column, dead))
                .clearPausedUntilMs()
                .clearNextStartMs()
                .setLastMinute(lastMinuteOfAll()))
        .setQueues(queues.size())
        .setQueuesPaused(paused)
        .setDeadTasks(dead.stream().mapToLong(row -> queues.value(SweepColumn.TASKS, row)).sum())
        .setReadMs(queues.readMs())
        .setSinceMs(sinceMs)
        .addAllDeadQueues(deadQueues(queues, DEAD_QUEUES_MAX))
        .addAllProblems(found)
        .build();
  }

  /** Of all queues; or the most of any that is not dead, where a sum means nothing. */
  private static long sum(SweepColumns queues, SweepColumn column, BitSet dead) {
    long[] values = queues.column(column);
    return column == SweepColumn.MAX_CLAIMS || column == SweepColumn.OLDEST_AGE_MS
        ? IntStream.range(0, values.length)
            .filter(row -> values[row] > 0 && !dead.get(row))
            .mapToLong(row -> values[row])
            .max()
            .orElse(0)
        : Arrays.stream(values).sum();
  }

  /** Dead queues that have tasks or had some lately, the largest first. */
  List<DeadQueue> deadQueues(SweepColumns queues, int max) {
    return dead.of(() -> deadQueues(queues)).stream().limit(max).toList();
  }

  private List<DeadQueue> deadQueues(SweepColumns queues) {
    BitSet rows = dead(queues);
    List<String> gone = deadNames().stream().filter(name -> queues.find(name) < 0).toList();
    List<DeadQueue> found = new ArrayList<>();
    tally.rates(
        rates -> {
          rows.stream()
              .mapToObj(
                  row -> deadQueue(rates, queues.name(row), queues.value(SweepColumn.TASKS, row)))
              .forEach(found::add);
          gone.forEach(name -> found.add(deadQueue(rates, name, 0)));
          return null;
        });
    return found.stream()
        .filter(queue -> queue.getTasks() > 0 || queue.getGrowth60M() != 0)
        .sorted(
            Comparator.comparingLong(DeadQueue::getTasks)
                .reversed()
                .thenComparing(DeadQueue::getName))
        .toList();
  }

  private DeadQueue deadQueue(RateBook rates, String name, long tasks) {
    DeadQueue.Builder queue = DeadQueue.newBuilder().setName(name).setTasks(tasks);
    RateEntry entry = rates.find(name);
    if (entry != null) {
      queue
          .setGrowth30M(moment.growth(rates, entry, DeadTrend.MINUTES / 2))
          .setGrowth60M(moment.growth(rates, entry, DeadTrend.MINUTES));
    }
    return queue.build();
  }

  /** An answer that serves everybody for a moment. */
  private static final class Shared<T> {
    private long endNs;
    private T answer;

    synchronized T of(Supplier<T> make) {
      long startNs = System.nanoTime();
      if (answer == null || startNs - endNs > 0) {
        answer = make.get();
        long nowNs = System.nanoTime();
        endNs = nowNs + Math.min(SHARED_MAX_NS, SHARED_TIMES * (nowNs - startNs));
      }
      return answer;
    }
  }
}

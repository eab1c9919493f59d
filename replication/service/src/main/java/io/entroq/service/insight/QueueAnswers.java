package io.entroq.service.insight;

import io.entroq.codec.wire.edge.DeadQueue;
import io.entroq.codec.wire.edge.EventCounts;
import io.entroq.codec.wire.edge.OverviewResponse;
import io.entroq.codec.wire.edge.Problem;
import io.entroq.codec.wire.edge.QueueFigures;
import io.entroq.codec.wire.edge.SearchQueuesRequest;
import io.entroq.codec.wire.edge.SearchQueuesResponse;
import io.entroq.service.translation.Refusal;
import io.entroq.service.translation.RefusedException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
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

  private final EffectTally tally;

  QueueAnswers(EffectTally tally) {
    this.tally = tally;
  }

  SearchQueuesResponse search(SearchQueuesRequest request, SweepColumns queues) {
    int limit = Paging.limit(request.getLimit(), ROWS, ROWS_MAX);
    int offset = Paging.offset(request.getOffset());
    if (request.getNameCount() > ROWS_MAX) {
      throw new RefusedException(
          Refusal.invalid(
              "name: %,d are given, at most %,d are accepted"
                  .formatted(request.getNameCount(), ROWS_MAX)));
    }
    int[] rows;
    int matched;
    if (request.getNameCount() > 0) {
      rows =
          request.getNameList().stream().mapToInt(queues::find).filter(row -> row >= 0).toArray();
      matched = rows.length;
    } else {
      SweepColumns.Rows range = queues.withPrefix(request.getPrefix());
      matched = range.to() - range.from();
      rows = page(request, queues, range, offset, limit);
    }
    Set<Integer> dead = dead(queues);
    SearchQueuesResponse.Builder response =
        SearchQueuesResponse.newBuilder()
            .setMatched(matched)
            .setReadMs(queues.readMs())
            .setComplete(queues.isComplete());
    for (int row : rows) {
      response.addQueues(figures(queues, row).setDeadQueue(dead.contains(row)));
    }
    return response.build();
  }

  private int[] page(
      SearchQueuesRequest request,
      SweepColumns queues,
      SweepColumns.Rows range,
      int offset,
      int limit) {
    String sort = request.getSort();
    boolean isDescending = request.getDescending();
    if (sort.equals(ACTIVITY)) {
      return queues.page(range, ACTIVITY, () -> activities(queues), isDescending, offset, limit);
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
              found[row] = activity(rates, queues.name(row));
            }
            return null;
          });
    }
    return found;
  }

  private static double activity(RateBook rates, String queue) {
    RateEntry entry = rates.find(queue);
    return entry == null ? 0 : entry.activity(rates.second());
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

  private QueueFigures.Builder figures(SweepColumns queues, int row) {
    String name = queues.name(row);
    return figures(column -> queues.value(column, row))
        .setName(name)
        .setLastMinute(lastMinute(name));
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

  /** Of a queue; without a name, of all. */
  private EventCounts lastMinute(String queue) {
    return tally.rates(
        rates -> lastMinute(rates, queue.isEmpty() ? rates.all() : rates.find(queue)));
  }

  private static EventCounts lastMinute(RateBook rates, RateEntry entry) {
    if (entry == null || entry.series == null) {
      return EventCounts.getDefaultInstance();
    }
    long now = Math.max(rates.second(), RateAnswers.nowS());
    return RateAnswers.counts(
        event -> entry.series.sum(RateStep.SECOND, now, RateStep.MINUTE.seconds(), event));
  }

  /** The rows of dead queues: those that policies and effects name, and those named so. */
  private Set<Integer> dead(SweepColumns queues) {
    Set<Integer> rows = new HashSet<>();
    List<String> names =
        tally.rates(rates -> rates.deadQueues().stream().map(RateEntry::text).toList());
    names.stream().map(queues::find).filter(row -> row >= 0).forEach(rows::add);
    Arrays.stream(queues.namedDead()).forEach(rows::add);
    return rows;
  }

  /**
   * Sums, dead queues, and problems.
   *
   * @param ageNs how old the look is
   * @param problems has those of the server
   */
  OverviewResponse overview(SweepColumns queues, long ageNs, Problems problems, long sinceMs) {
    Set<Integer> dead = dead(queues);
    problems.queues(queues, dead, ageNs);
    List<Problem> found =
        tally.rates(
            rates -> {
              problems.rates(rates, minute(rates));
              return problems.toList();
            });
    long paused =
        Arrays.stream(queues.column(SweepColumn.PAUSED_UNTIL_MS)).filter(ms -> ms != 0).count();
    return OverviewResponse.newBuilder()
        .setAll(
            figures(column -> sum(queues, column, dead))
                .clearPausedUntilMs()
                .clearNextStartMs()
                .setLastMinute(lastMinute("")))
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
  private static long sum(SweepColumns queues, SweepColumn column, Set<Integer> dead) {
    long[] values = queues.column(column);
    return column == SweepColumn.MAX_CLAIMS || column == SweepColumn.OLDEST_AGE_MS
        ? IntStream.range(0, values.length)
            .filter(row -> values[row] > 0 && !dead.contains(row))
            .mapToLong(row -> values[row])
            .max()
            .orElse(0)
        : Arrays.stream(values).sum();
  }

  /** Dead queues that have tasks or had some lately, the largest first. */
  List<DeadQueue> deadQueues(SweepColumns queues, int max) {
    Set<String> names = new TreeSet<>();
    dead(queues).forEach(row -> names.add(queues.name(row)));
    List<DeadQueue> found = new ArrayList<>();
    tally.rates(
        rates -> {
          rates.deadQueues().forEach(entry -> names.add(entry.text()));
          names.forEach(name -> found.add(deadQueue(queues, rates, name)));
          return null;
        });
    Function<DeadQueue, Long> tasks = DeadQueue::getTasks;
    return found.stream()
        .filter(queue -> queue.getTasks() > 0 || queue.getGrowth60M() != 0)
        .sorted(Comparator.comparing(tasks).reversed().thenComparing(DeadQueue::getName))
        .limit(max)
        .toList();
  }

  /** The minute in progress: log time does not go on while nothing happens. */
  private static long minute(RateBook rates) {
    return Math.max(rates.minute(), RateAnswers.nowS() / RateStep.MINUTE.seconds());
  }

  private static DeadQueue deadQueue(SweepColumns queues, RateBook rates, String name) {
    DeadQueue.Builder queue = DeadQueue.newBuilder().setName(name);
    int row = queues.find(name);
    if (row >= 0) {
      queue.setTasks(queues.value(SweepColumn.TASKS, row));
    }
    RateEntry entry = rates.find(name);
    if (entry != null && entry.trend != null) {
      long minute = minute(rates);
      queue
          .setGrowth30M(entry.trend.growth(minute, DeadTrend.MINUTES / 2))
          .setGrowth60M(entry.trend.growth(minute, DeadTrend.MINUTES));
    }
    return queue.build();
  }
}

package io.entroq.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.Claim;
import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.QueueQuery;
import io.entroq.api.QueueStats;
import io.entroq.api.Task;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Every fault is found, and nothing else is. */
class LoadRunTest {
  private static final Duration SHORT = Duration.ofMillis(100);

  @Test
  void shouldAccountForEveryTask() {
    LoadResult result = run(Configs.closed(SHORT, 4, 3, 1_000, 2), new QueueDouble());
    assertRight(result);
    assertThat(result.balance().remaining()).isEqualTo(1_000);
    assertThat(result.balance().deleted()).isPositive().isEqualTo(result.balance().claimed());
    assertThat(result.balance().inserted()).isEqualTo(1_000 + result.balance().deleted());
    assertThat(result.measuredNs()).isEqualTo(SHORT.toNanos());
    assertThat(result.tasksPerSecond()).isEqualTo(3 * result.cyclesPerSecond());
    assertThat(result.latencies().get(Operation.CYCLE).count()).isEqualTo(result.totals().cycles());
  }

  @Test
  void shouldUseAllQueuesWhenThereAreMoreThanCallers() {
    LoadResult result = run(Configs.closed(SHORT, 2, 2, 50, 9), new QueueDouble());
    assertRight(result);
    assertThat(result.balance().remaining()).isEqualTo(50);
  }

  @Test
  void shouldFindAnInsertThatWasForgotten() {
    LoadResult result =
        run(
            Configs.closed(SHORT, 1, 2, 10, 1),
            new Faulty(LoadRunTest::inserts) {
              @Override
              ModifyResult spoil(Modification what) {
                ModifyResult.Committed done =
                    engine.modify(what.withInserts(what.inserts().subList(1, 2))).orThrow();
                Task task = done.inserted().get(0);
                return new ModifyResult.Committed(List.of(task, task), List.of(), List.of());
              }
            });
    assertThat(result.balance().lost()).isEqualTo(1);
    assertThat(result.balance().doubled()).isZero();
    assertThat(result.isRight()).isFalse();
  }

  @Test
  void shouldFindATaskThatWasLost() {
    LoadResult result =
        run(
            Configs.closed(SHORT, 1, 1, 10, 1),
            new Faulty(LoadRunTest::deletes) {
              @Override
              ModifyResult spoil(Modification what) {
                Task other = engine.tryClaim(Claim.from(queue)).orElseThrow();
                engine.modify(Modification.delete(other)).orThrow();
                return engine.modify(what);
              }
            });
    assertThat(result.balance().lost()).isEqualTo(1);
    assertThat(result.balance().doubled()).isZero();
    assertThat(result.isRight()).isFalse();
  }

  @Test
  void shouldFindATaskThatWasDeletedTwice() {
    LoadResult result =
        run(
            Configs.closed(SHORT),
            new Faulty(LoadRunTest::deletes) {
              @Override
              ModifyResult spoil(Modification what) {
                again = claimed;
                return engine.modify(what);
              }
            });
    assertThat(result.balance().doubled()).isEqualTo(1);
    // The task that should have been claimed instead is still there.
    assertThat(result.balance().remaining()).isEqualTo(1);
    assertThat(result.balance().lost()).isZero();
    assertThat(result.isRight()).isFalse();
  }

  @Test
  void shouldFindATaskThatIsThereThoughItWasDeleted() {
    LoadResult result =
        run(
            Configs.closed(SHORT),
            new Faulty(LoadRunTest::deletes) {
              @Override
              ModifyResult spoil(Modification what) {
                return new ModifyResult.Committed(List.of(), List.of(), List.of());
              }
            });
    assertThat(result.balance().doubled()).isEqualTo(1);
    assertThat(result.balance().remaining()).isEqualTo(1);
    assertThat(result.isRight()).isFalse();
  }

  @Test
  void shouldFindATaskThatNobodyInserted() {
    LoadResult result =
        run(
            Configs.closed(SHORT, 1, 1, 10, 1),
            new Faulty(LoadRunTest::inserts) {
              @Override
              ModifyResult spoil(Modification what) {
                engine.modify(Modification.insert(queue, "stranger")).orThrow();
                return engine.modify(what);
              }
            });
    assertThat(result.balance().unknown()).isEqualTo(1);
    assertThat(result.balance().lost()).isZero();
    assertThat(result.isRight()).isFalse();
  }

  @Test
  void shouldFindStatisticsThatAreWrong() {
    QueueDouble lying =
        new QueueDouble() {
          @Override
          public Map<String, QueueStats> queueStats(QueueQuery query) {
            Map<String, QueueStats> stats = new HashMap<>(engine.queueStats(query));
            stats.replaceAll(
                (name, is) ->
                    new QueueStats(
                        name,
                        is.tasks() + 1,
                        is.available(),
                        is.claimed(),
                        is.future(),
                        is.maxClaims(),
                        is.oldestAvailableAge()));
            return stats;
          }
        };
    LoadResult result = run(Configs.closed(SHORT, 1, 1, 10, 1), lying);
    assertThat(result.balance().remaining()).isEqualTo(10);
    assertThat(result.balance().remainingByStatistics()).isEqualTo(11);
    assertThat(result.isRight()).isFalse();
  }

  @Test
  void shouldEndAndSayWhyWhenACallFails() {
    LoadResult result =
        run(
            Configs.closed(Duration.ofHours(1), 3, 1, 0, 1),
            new Faulty(LoadRunTest::inserts) {
              @Override
              ModifyResult spoil(Modification what) {
                throw new EntroQException.ResourceExhausted("no room for tasks");
              }
            });
    assertThat(result.failure()).hasValue("A call failed (insert): no room for tasks");
    assertThat(result.balance().isRight()).isTrue();
    assertThat(result.isInterrupted()).isFalse();
    assertThat(result.isRight()).isFalse();
  }

  @Test
  void shouldCallNothingLostOfWhichNobodyKnows() {
    LoadResult result =
        run(
            Configs.closed(Duration.ofHours(1), 1, 5, 0, 1),
            new Faulty(LoadRunTest::deletes) {
              @Override
              ModifyResult spoil(Modification what) {
                engine.modify(what).orThrow();
                return new ModifyResult.OutcomeUnknown("the reply was lost");
              }
            });
    assertThat(result.failure()).hasValue("A call failed (delete): the reply was lost");
    assertThat(result.balance().lost()).isZero();
    assertThat(result.isRight()).isFalse();
  }

  @Test
  void shouldFailWhenAClaimedTaskCannotBeDeleted() {
    LoadResult result =
        run(
            Configs.closed(Duration.ofHours(1)),
            new Faulty(LoadRunTest::deletes) {
              @Override
              ModifyResult spoil(Modification what) {
                engine.modify(what).orThrow();
                return engine.modify(what);
              }
            });
    assertThat(result.failure().orElseThrow()).contains("(delete)", "missing to delete");
    assertThat(result.balance().lost()).isEqualTo(1);
  }

  @Test
  void shouldSayWhenTheBacklogCannotBeLoaded() {
    QueueDouble full =
        new QueueDouble() {
          @Override
          public ModifyResult modify(Modification modification) {
            throw new EntroQException.ResourceExhausted("no room for tasks");
          }
        };
    assertThatThrownBy(() -> run(Configs.closed(SHORT, 1, 1, 10, 1), full))
        .isInstanceOf(LoadException.class)
        .hasMessage("The queue has failed: no room for tasks");
  }

  @Test
  void shouldGiveUpOnAnswersThatDoNotCome() {
    CountDownLatch never = new CountDownLatch(1);
    QueueDouble silent =
        new QueueDouble() {
          @Override
          public List<Task> tryClaimMany(Claim claim) {
            clock.advance(Duration.ofMinutes(2));
            awaitUninterruptibly(never);
            return List.of();
          }
        };
    try (silent) {
      LoadRun run =
          new LoadRun(
              Configs.closed(SHORT), List.of(silent), LoadListener.NONE, () -> false, silent.clock);
      assertThatThrownBy(run::run)
          .isInstanceOf(LoadException.class)
          .hasMessageContaining("callers still wait for answers: {claim=1}");
    } finally {
      never.countDown();
    }
  }

  @Test
  void shouldEndWithTheResultSoFarWhenInterrupted() {
    QueueDouble queue = new QueueDouble();
    LoadResult result =
        runUntil(
            () -> queue.claims.get() > 10,
            Configs.closed(Duration.ofHours(1), 2, 1, 0, 1),
            queue,
            LoadListener.NONE);
    assertRight(result);
    assertThat(result.isInterrupted()).isTrue();
    assertThat(result.cyclesPerSecond()).isPositive();
    assertThat(result.measuredNs()).isLessThan(Duration.ofHours(1).toNanos());
  }

  @Test
  void shouldEndWhileTheBacklogIsLoadedWhenInterrupted() {
    AtomicInteger looks = new AtomicInteger();
    LoadResult result =
        runUntil(
            () -> looks.incrementAndGet() > 3,
            Configs.closed(Duration.ofHours(1), 1, 1, LoadConfig.BACKLOG_MAX, 1),
            new QueueDouble(),
            LoadListener.NONE);
    assertRight(result);
    assertThat(result.isInterrupted()).isTrue();
    assertThat(result.balance().remaining()).isBetween(1L, 10_000L);
  }

  @Test
  void shouldBreakTheCheckOffWhenInterruptedAndItTakesLong() {
    AtomicInteger checked = new AtomicInteger();
    LoadResult result = runSlowCheck(checked, Duration.ofSeconds(1));
    assertThat(result.isInterrupted()).isTrue();
    assertThat(result.balance().isComplete()).isFalse();
    assertThat(result.balance().remaining()).isEqualTo(checked.get()).isBetween(100L, 110L);
    assertThat(result.isRight()).isFalse();
    assertThat(result.isWrong()).isFalse();
  }

  @Test
  void shouldEndTheCheckWhenInterruptedAndLittleIsLeft() {
    AtomicInteger checked = new AtomicInteger();
    LoadResult result = runSlowCheck(checked, Duration.ofMillis(1));
    assertRight(result);
    assertThat(result.isInterrupted()).isFalse();
    assertThat(checked).hasValue(500);
  }

  /** Looks at 500 tasks, each of which takes so long, and is interrupted after the first 100. */
  private static LoadResult runSlowCheck(AtomicInteger checked, Duration each) {
    try (QueueDouble queue = new QueueDouble()) {
      LoadListener view =
          new LoadListener() {
            @Override
            public void checking(long tasks, long total) {
              checked.set((int) tasks);
              queue.clock.advance(each);
            }
          };
      LoadConfig config = Configs.closed(SHORT, 1, 1, 500, 1);
      return new LoadRun(config, List.of(queue), view, () -> checked.get() >= 100, queue.clock)
          .run();
    }
  }

  @Test
  void shouldWakeCallersThatWaitForTheNextCycleWhenInterrupted() {
    QueueDouble queue = new QueueDouble();
    LoadResult result =
        runUntil(
            () -> queue.claims.get() == 1,
            Configs.open(Duration.ofHours(1), 0.01),
            queue,
            LoadListener.NONE);
    assertRight(result);
    assertThat(result.totals().cycles()).isEqualTo(1);
  }

  @Test
  void shouldShowHowTheRunStands() {
    List<ProgressSample> samples = new ArrayList<>();
    AtomicInteger loaded = new AtomicInteger();
    AtomicInteger checked = new AtomicInteger();
    AtomicInteger ended = new AtomicInteger();
    LoadListener view =
        new LoadListener() {
          @Override
          public Duration interval() {
            return Duration.ofMillis(60);
          }

          @Override
          public void loading(long tasks, long total) {
            loaded.set((int) tasks);
          }

          @Override
          public void running(ProgressSample sample) {
            samples.add(sample);
          }

          @Override
          public void checking(long tasks, long total) {
            checked.set((int) tasks);
          }

          @Override
          public void end() {
            ended.incrementAndGet();
          }
        };
    LoadConfig config = Configs.closed(Duration.ofHours(1), 2, 1, 2_500, 1);
    BooleanSupplier isSeen = () -> samples.stream().anyMatch(one -> one.cyclesPerSecond() > 0);
    assertRight(runUntil(isSeen, config, new QueueDouble(), view));
    assertThat(loaded).hasValue(2_500);
    assertThat(checked).hasValue(2_500);
    assertThat(ended).hasValue(1);
    ProgressSample last = samples.get(samples.size() - 1);
    assertThat(last.cyclesPerSecond()).isPositive();
    assertThat(last.totals().cycles()).isPositive();
    assertThat(last.pending()).isBetween(2_500L, 2_502L);
    assertThat(last.isMeasured()).isTrue();
    assertThat(samples.stream().mapToLong(sample -> sample.cycle().count()).sum()).isPositive();
  }

  private static boolean inserts(Modification what) {
    return !what.inserts().isEmpty();
  }

  private static boolean deletes(Modification what) {
    return !what.deletes().isEmpty();
  }

  private static void assertRight(LoadResult result) {
    assertThat(result.failure()).isEmpty();
    assertThat(result.balance().lost()).isZero();
    assertThat(result.balance().doubled()).isZero();
    assertThat(result.balance().unknown()).isZero();
    assertThat(result.isRight()).isTrue();
  }

  private static LoadResult run(LoadConfig config, QueueDouble queue) {
    try (queue) {
      return new LoadRun(config, List.of(queue), LoadListener.NONE, () -> false, queue.clock).run();
    }
  }

  private static LoadResult runUntil(
      BooleanSupplier isInterrupted, LoadConfig config, QueueDouble queue, LoadListener view) {
    try (queue) {
      return new LoadRun(config, queue, view, isInterrupted).run();
    }
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Does one Modify in another way than it should, in the middle of the run. */
  private abstract static class Faulty extends QueueDouble {
    private static final int GOOD_ONES = 20;

    private final Predicate<Modification> which;
    private final AtomicInteger seen = new AtomicInteger();
    volatile String queue;
    volatile List<Task> claimed = List.of();

    /** What the next claim is answered with, though it is deleted; null: nothing. */
    List<Task> again;

    private List<Task> doubled = List.of();

    Faulty(Predicate<Modification> which) {
      this.which = which;
    }

    abstract ModifyResult spoil(Modification what);

    @Override
    public List<Task> tryClaimMany(Claim claim) {
      if (again != null) {
        doubled = again;
        again = null;
        return doubled;
      }
      queue = claim.queues().get(0);
      // Each caller gets its own, whoever claims at the same moment.
      List<Task> own = super.tryClaimMany(claim);
      claimed = own;
      return own;
    }

    @Override
    public ModifyResult modify(Modification what) {
      if (deletes(what) && doubled.stream().anyMatch(task -> what.deletes().contains(task.ref()))) {
        return new ModifyResult.Committed(List.of(), List.of(), List.of());
      }
      return which.test(what) && seen.incrementAndGet() == GOOD_ONES
          ? spoil(what)
          : engine.modify(what);
    }
  }
}

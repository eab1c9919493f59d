package io.entroq.load.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.load.ledger.SourceLedger.Settlement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;

class SourceLedgerTest {
  private static final int PAGE = SourceLedger.PAGE_TASKS;

  private final SourceLedger account = new SourceLedger();

  @Test
  void shouldSettleEachTaskOnce() {
    insert(2);
    assertThat(account.settle(1)).isEqualTo(Settlement.FIRST);
    assertThat(account.settle(1)).isEqualTo(Settlement.AGAIN);
    assertThat(account.settle(0)).isEqualTo(Settlement.FIRST);
    assertThat(account.unsettled()).isZero();
  }

  @Test
  void shouldNotKnowWhatNobodyInserted() {
    insert(1);
    assertThat(account.settle(1)).isEqualTo(Settlement.UNKNOWN);
    assertThat(account.settle(-1)).isEqualTo(Settlement.UNKNOWN);
    assertThat(account.settle(Long.MAX_VALUE)).isEqualTo(Settlement.UNKNOWN);
    assertThat(account.unsettled()).isEqualTo(1);
  }

  @Test
  void shouldTellInsertsWithoutAnAnswerFromOthers() {
    insert(3);
    account.begin(2);
    assertThat(account.inserted()).isEqualTo(3);
    assertThat(account.unanswered()).isEqualTo(2);
    assertThat(account.unsettled()).isEqualTo(5);
    assertThat(account.settle(4)).isEqualTo(Settlement.FIRST);
  }

  @Test
  void shouldForgetWhatIsSettledHoweverMuchComes() {
    for (int i = 0; i < 100; i++) {
      insert(PAGE);
      settle((long) i * PAGE, PAGE);
      assertThat(account.bytes()).isLessThanOrEqualTo(SourceLedger.PAGE_BYTES);
    }
    assertThat(account.unsettled()).isZero();
    assertThat(account.settle(0)).isEqualTo(Settlement.AGAIN);
    assertThat(account.settle(99L * PAGE)).isEqualTo(Settlement.AGAIN);
  }

  @Test
  void shouldKeepOnlyPagesWithTasksThatAreLeft() {
    insert(10 * PAGE);
    settle(1, 10 * PAGE - 1);
    assertThat(account.bytes()).isEqualTo(SourceLedger.PAGE_BYTES);
    insert(PAGE);
    assertThat(account.unsettled()).isEqualTo(1 + PAGE);
    assertThat(account.settle(5L * PAGE)).isEqualTo(Settlement.AGAIN);
    assertThat(account.settle(0)).isEqualTo(Settlement.FIRST);
    assertThat(account.settle(0)).isEqualTo(Settlement.AGAIN);
    assertThat(account.settle(10L * PAGE)).isEqualTo(Settlement.FIRST);
  }

  @Test
  void shouldSettleOnceWhenManyTryToWhileMoreIsInserted() throws InterruptedException {
    int tasks = 20 * PAGE;
    LongAdder first = new LongAdder();
    LongAdder unknown = new LongAdder();
    List<Thread> threads = new ArrayList<>();
    insert(PAGE);
    for (int i = 0; i < 3; i++) {
      threads.add(new Thread(() -> settleAll(tasks, first, unknown)));
    }
    threads.forEach(Thread::start);
    for (int i = PAGE; i < tasks; i += 1_000) {
      insert(Math.min(1_000, tasks - i));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(first.sum()).isEqualTo(tasks);
    assertThat(account.unsettled()).isZero();
    assertThat(account.bytes()).isZero();
  }

  private void settleAll(int tasks, LongAdder first, LongAdder unknown) {
    for (int i = 0; i < tasks; i++) {
      Settlement settlement = account.settle(i);
      while (settlement == Settlement.UNKNOWN) {
        unknown.increment();
        Thread.onSpinWait();
        settlement = account.settle(i);
      }
      if (settlement == Settlement.FIRST) {
        first.increment();
      }
    }
  }

  private void insert(int tasks) {
    account.begin(tasks);
    account.acknowledge();
  }

  private void settle(long from, int tasks) {
    for (long number = from; number < from + tasks; number++) {
      assertThat(account.settle(number) == Settlement.FIRST).isTrue();
    }
  }
}

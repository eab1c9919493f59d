package io.entroq.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.EntroQException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestWindowTest {
  private final List<Runnable> looks = new ArrayList<>();
  private final RequestWindow window =
      new RequestWindow(ClientIds.random(), (delayMs, work) -> looks.add(work));
  private final List<Long> given = new ArrayList<>();
  private final List<EntroQException> refused = new ArrayList<>();
  private long deadlineNs = System.nanoTime() + TimeUnit.HOURS.toNanos(1);

  private void ask(int times) {
    for (int i = 0; i < times; i++) {
      window.acquire(request(given::add));
    }
  }

  private RequestWindow.NumberReceiver request(LongConsumer numbered) {
    long untilNs = deadlineNs;
    return new RequestWindow.NumberReceiver() {
      @Override
      public long deadlineNs() {
        return untilNs;
      }

      @Override
      public void onNumber(long number) {
        numbered.accept(number);
      }

      @Override
      public void onRefused(EntroQException reason) {
        refused.add(reason);
      }
    };
  }

  @Test
  void shouldSendTheFirstRequestAlone() {
    ask(3);
    assertThat(given).containsExactly(1L);
    window.release(1);
    assertThat(given).containsExactly(1L, 2L, 3L);
  }

  @Test
  void shouldReportArrivedReplies() {
    ask(1);
    window.release(1);
    ask(4);
    window.release(3);
    assertThat(window.ackedBelow()).isEqualTo(2);
    window.release(2);
    assertThat(window.ackedBelow()).isEqualTo(4);
    window.release(2);
    assertThat(window.ackedBelow()).isEqualTo(4);
  }

  @Test
  void shouldLimitOpenRequests() {
    ask(1);
    window.release(1);
    ask(RequestWindow.OPEN_MAX + 10);
    assertThat(given).hasSize(1 + RequestWindow.OPEN_MAX);
    window.release(3);
    assertThat(given).hasSize(1 + RequestWindow.OPEN_MAX);
    window.release(2);
    assertThat(given).hasSize(1 + RequestWindow.OPEN_MAX + 2);
    for (long number = 4; number < 4 + 3L * RequestWindow.OPEN_MAX; number++) {
      window.release(number);
      ask(1);
    }
    assertThat(given).doesNotHaveDuplicates().isSorted();
  }

  /** With all numbers in use, released in random order and sometimes twice. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 10, RequestWindow.OPEN_MAX})
  void shouldAcknowledgeEverythingBelowTheFirstOpenNumberAndNothingAboveIt(int openAtOnce) {
    long seed = Long.getLong("test.seed", System.nanoTime());
    Random random = new Random(seed);
    ask(1);
    window.release(1);
    given.clear();
    List<Long> open = new ArrayList<>();
    TreeSet<Long> unanswered = new TreeSet<>();
    long last = 1;
    long asked = 1;
    for (int step = 0; step < 6 * RequestWindow.OPEN_MAX; step++) {
      long wanted = openAtOnce - open.size() - (asked - last);
      asked += Math.max(0, wanted);
      ask((int) wanted);
      for (long number : given) {
        assertThat(number).as("seed %d", seed).isEqualTo(++last);
      }
      open.addAll(given);
      unanswered.addAll(given);
      given.clear();
      long number = open.get(random.nextInt(open.size()));
      if (random.nextInt(10) > 0) {
        // The last one takes the place of the removed one.
        open.set(open.indexOf(number), open.get(open.size() - 1));
        open.remove(open.size() - 1);
      } else {
        number = 1 + random.nextInt((int) last);
        open.remove(number);
      }
      window.release(number);
      unanswered.remove(number);
      long first = unanswered.isEmpty() ? last + given.size() + 1 : unanswered.first();
      first = given.isEmpty() ? first : Math.min(first, given.get(0));
      assertThat(window.ackedBelow()).as("seed %d, step %d", seed, step).isEqualTo(first);
    }
  }

  @Test
  void shouldSurviveThousandsOfImmediateFailures() {
    LongConsumer failing =
        number -> {
          given.add(number);
          window.release(number);
        };
    ask(1);
    for (int i = 0; i < RequestWindow.WAITING_MAX; i++) {
      window.acquire(request(failing));
    }
    window.release(1);
    assertThat(given).hasSize(1 + RequestWindow.WAITING_MAX);
    assertThat(window.ackedBelow()).isEqualTo(2 + RequestWindow.WAITING_MAX);
    assertThat(refused).isEmpty();
  }

  @Test
  void shouldRefuseRequestsAfterTheirDeadline() {
    deadlineNs = System.nanoTime();
    ask(3);
    deadlineNs += TimeUnit.HOURS.toNanos(1);
    ask(2);
    assertThat(looks).hasSize(1);
    looks.get(0).run();
    assertThat(refused)
        .hasSize(2)
        .hasOnlyElementsOfType(EntroQException.Unavailable.class)
        .allMatch(reason -> reason.getMessage().endsWith("Nothing was done"));
    assertThat(looks).hasSize(2);

    // Requests within their deadline get numbers; then no timer is needed.
    window.release(1);
    assertThat(given).containsExactly(1L, 2L, 3L);
    looks.get(1).run();
    assertThat(refused).hasSize(2);
    assertThat(looks).hasSize(2);
    ask(RequestWindow.OPEN_MAX);
    assertThat(looks).hasSize(3);
  }

  @Test
  void shouldRefuseARequestWithAnEarlierDeadlineInTime() {
    ask(3);
    deadlineNs = System.nanoTime();
    ask(1);
    assertThat(looks).hasSize(2);
    looks.get(1).run();
    assertThat(refused).hasSize(1);
    // There is one again for the later deadline, and the first one has no work left.
    assertThat(looks).hasSize(3);
    window.release(1);
    assertThat(given).containsExactly(1L, 2L, 3L);
    looks.get(2).run();
    looks.get(0).run();
    assertThat(refused).hasSize(1);
    assertThat(looks).hasSize(3);
  }

  @Test
  void shouldRefuseTooManyWaitingRequests() {
    ask(1 + RequestWindow.WAITING_MAX);
    assertThat(refused).isEmpty();
    ask(1);
    assertThat(refused).hasOnlyElementsOfType(EntroQException.ResourceExhausted.class).hasSize(1);
    window.release(1);
    ask(1);
    assertThat(refused).hasSize(1);
  }
}

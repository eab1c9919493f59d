package io.entroq.examples.trampoline;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Change;
import io.entroq.api.Claim;
import io.entroq.api.EntroQ;
import io.entroq.api.Modification;
import io.entroq.api.QueueQuery;
import io.entroq.api.Task;
import io.entroq.api.Value;
import io.entroq.api.worker.Worker;
import io.entroq.examples.testing.Served;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrampolineTest {
  private static final Duration LEASE = Duration.ofMillis(800);
  private static final QueueQuery ALL = QueueQuery.startingWith("orders/");

  @TempDir static Path directory;

  private static Served served;
  private static EntroQ queue;

  private final List<AutoCloseable> started = new ArrayList<>();
  private final AtomicInteger stepsTaken = new AtomicInteger();

  @BeforeAll
  static void serve() throws IOException {
    served = new Served(directory);
    queue = served.connect();
  }

  @AfterAll
  static void stop() {
    queue.close();
    served.close();
  }

  @AfterEach
  void end() throws Exception {
    for (AutoCloseable each : started) {
      each.close();
    }
    assertThat(queue.queues(ALL)).as("left over").isEmpty();
  }

  @Test
  void shouldEndEachOrderOnceThoughWorkersDie() throws Exception {
    int orders = 60;
    List<Worker> mortal = new ArrayList<>();
    for (int dieAt : new int[] {3, 8, 15}) {
      mortal.addAll(startCrew(dieAt));
    }
    startCrew(Integer.MAX_VALUE);
    for (int number = 0; number < orders; number++) {
      place(number, (number + 1) * 5_000);
    }

    Map<Integer, Order> ended = new TreeMap<>();
    for (int i = 0; i < orders; i++) {
      Order order = Order.CODEC.decode(take(Trampoline.DONE).value());
      assertThat(ended.put(order.number(), order)).as("ended twice").isNull();
    }

    assertThat(ended).hasSize(orders);
    ended.values().forEach(order -> assertThat(order.taken()).isEqualTo(expectedWay(order)));
    assertThat(mortal).noneMatch(Worker::isRunning);
    int steps = ended.values().stream().mapToInt(order -> order.taken().size()).sum();
    assertThat(stepsTaken.get()).as("each death repeats a step").isGreaterThan(steps + 2);
  }

  @Test
  void shouldTryAgainAndThenPutIntoQuarantine() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    AtomicBoolean isUp = new AtomicBoolean();
    Bank bank =
        (order, cents) -> {
          calls.incrementAndGet();
          if (!isUp.get()) {
            throw new IOException("the bank does not answer");
          }
          return true;
        };
    startSteps(queue, new OrderSteps(bank).all());
    place(1, 500);

    Task failed = claim(Trampoline.quarantineOf("pay"));
    assertThat(failed.attempt()).isEqualTo(Trampoline.ATTEMPTS_MAX).isEqualTo(calls.get());
    assertThat(failed.err().lines())
        .hasSize(Trampoline.ATTEMPTS_MAX)
        .containsOnly("IOException: the bank does not answer");

    // What an operator does with `entroq redrive`, once the cause is fixed.
    isUp.set(true);
    Change redrive = Change.of(failed).moveTo(Trampoline.queueOf("pay")).withAttempt(0, "");
    queue.modify(Modification.change(redrive)).orThrow();
    assertThat(Order.CODEC.decode(take(Trampoline.DONE).value()).taken())
        .containsExactly("check", "pay", "ship");
  }

  @Test
  void shouldPutIntoQuarantineAtOnceWhatCanNeverBeDone() throws Exception {
    startSteps(queue, new OrderSteps(TrampolineTest::charge).all());
    place(1, 0);
    queue.modify(Modification.insert(Trampoline.queueOf("pay"), "no order")).orThrow();

    Task free = take(Trampoline.quarantineOf("check"));
    assertThat(free.attempt()).isEqualTo(1);
    assertThat(free.err()).isEqualTo("costs 0 cents");
    assertThat(take(Trampoline.quarantineOf("pay")).err()).contains("not an order: no order");
  }

  @Test
  void shouldRunFromTheCommandLine() throws Exception {
    Orders.main(new String[] {served.address(), "8"});
  }

  @Test
  void shouldPrintWhateverIsInQuarantine() throws Exception {
    for (String step : new OrderSteps(TrampolineTest::charge).all().keySet()) {
      Value poison = Value.json("{\"x\":1}");
      queue.modify(Modification.insert(Trampoline.queueOf(step), poison)).orThrow();
    }
    Value noText = Value.bytes(new byte[] {(byte) 0xff});
    queue.modify(Modification.insert(Trampoline.queueOf("check"), noText)).orThrow();
    Orders.main(new String[] {served.address(), "1"});
  }

  /** Workers for all steps with their own connection, which is cut in the middle of a step. */
  private List<Worker> startCrew(int dieAt) {
    EntroQ own = served.connect();
    started.add(own);
    AtomicInteger taken = new AtomicInteger();
    Map<String, Step> steps = new TreeMap<>(new OrderSteps(TrampolineTest::charge).all());
    steps.replaceAll(
        (name, step) ->
            order -> {
              Order next = step.take(order);
              stepsTaken.incrementAndGet();
              if (taken.incrementAndGet() == dieAt) {
                own.close();
              }
              return next;
            });
    return startSteps(own, steps);
  }

  private List<Worker> startSteps(EntroQ connection, Map<String, Step> steps) {
    List<Worker> workers = new ArrayList<>();
    steps.forEach((name, step) -> workers.add(Trampoline.start(connection, name, step, LEASE)));
    started.addAll(0, workers);
    return workers;
  }

  private static boolean charge(int order, int cents) {
    return order % 7 != 0;
  }

  private static List<String> expectedWay(Order order) {
    List<String> way = new ArrayList<>(List.of("check"));
    if (order.cents() > OrderSteps.CENTS_WITHOUT_APPROVAL) {
      way.add("approve");
    }
    way.add("pay");
    way.add(order.number() % 7 != 0 ? "ship" : "cancel");
    return way;
  }

  private void place(int number, int cents) {
    queue.modify(Modification.insert(Trampoline.send(OrderSteps.place(number, cents)))).orThrow();
  }

  private Task claim(String from) throws InterruptedException {
    return queue.claim(Claim.from(from).withMaxWait(Duration.ofSeconds(30)));
  }

  private Task take(String from) throws InterruptedException {
    Task task = claim(from);
    queue.modify(Modification.delete(task)).orThrow();
    return task;
  }
}

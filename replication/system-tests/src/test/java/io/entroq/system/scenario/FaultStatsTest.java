package io.entroq.system.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.system.history.History;
import io.entroq.system.history.Invocation;
import io.entroq.system.history.OperationKind;
import io.entroq.system.history.Outcome;
import io.entroq.system.history.Response;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The longest time without a commit is found, also at the beginning and at the end. */
class FaultStatsTest {
  private final List<Invocation> invocation = new ArrayList<>();
  private final List<Response> response = new ArrayList<>();

  private void answer(OperationKind kind, Outcome outcome, long atMs) {
    String op = "op" + invocation.size();
    long atNs = TimeUnit.MILLISECONDS.toNanos(atMs);
    invocation.add(
        new Invocation(
            op, "ann", kind, atNs - 1, List.of(), List.of(), List.of(), 0, 0, List.of()));
    response.add(new Response(op, atNs, outcome, List.of(), List.of(), List.of()));
  }

  private long stillMs(long fromMs, long toMs) {
    return FaultStats.still(
            History.of(invocation, response),
            TimeUnit.MILLISECONDS.toNanos(fromMs),
            TimeUnit.MILLISECONDS.toNanos(toMs))
        .toMillis();
  }

  @Test
  void shouldFindTheLongestTimeWithoutACommit() {
    assertThat(stillMs(100, 150)).isEqualTo(50);
    answer(OperationKind.MODIFY, Outcome.DONE, 130);
    answer(OperationKind.MODIFY, Outcome.DONE, 110);
    answer(OperationKind.MODIFY, Outcome.REFUSED, 115);
    answer(OperationKind.MODIFY, Outcome.UNKNOWN, 120);
    answer(OperationKind.READ, Outcome.DONE, 125);
    assertThat(stillMs(100, 140)).isEqualTo(20);
    assertThat(stillMs(100, 160)).isEqualTo(30);
    assertThat(stillMs(50, 140)).isEqualTo(60);
  }

  @Test
  void shouldTellFaultsAloneFromThoseTogether() {
    FaultStats stats = new FaultStats();
    for (int ms : new int[] {30, 10, 20}) {
      stats.add(EnumSet.of(FaultKind.KILL), Duration.ofMillis(ms));
    }
    stats.add(EnumSet.of(FaultKind.KILL, FaultKind.FULL_DISK), Duration.ofMillis(40));
    assertThat(stats.text().lines())
        .contains(
            "  kill       alone 3 times: 20 ms in the middle, 30 ms at most;"
                + " with another fault 1 times: 40 ms in the middle, 40 ms at most",
            "  full disk  alone never;"
                + " with another fault 1 times: 40 ms in the middle, 40 ms at most",
            "  stop       alone never; with another fault never");
  }
}

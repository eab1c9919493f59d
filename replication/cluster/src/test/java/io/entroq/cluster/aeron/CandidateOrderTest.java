package io.entroq.cluster.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Members stand for election one after the other. */
class CandidateOrderTest {
  private static final int MEMBERS = 3;

  @Test
  void shouldKeepMembersApart() {
    for (int id = 0; id < MEMBERS; id++) {
      CandidateOrder order = new CandidateOrder(id, MEMBERS);
      double from = 2.0 * id / MEMBERS;
      assertThat(IntStream.range(0, 1_000).mapToDouble(i -> order.nextDouble()))
          .allMatch(wait -> wait >= from && wait <= from + 0.5 / MEMBERS)
          .as("chance moves it")
          .doesNotHaveDuplicates();
    }
  }
}

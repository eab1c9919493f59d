package io.entroq.cluster.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Which member's clock is named, and when. */
class ClockSkewTest {
  private static final int LEADER = 2;
  private static final long WALL_MS = 1_000_000_000;

  private final List<String> warnings = new ArrayList<>();
  private long nowNs;
  private final ClockSkew skew = new ClockSkew(0, () -> WALL_MS, () -> nowNs, warnings::add);

  @Test
  void shouldNameLeaderThatIsAheadForAWhile() {
    skew.onLeader(LEADER);
    for (int second = 0; second <= 12; second++) {
      compareAfterSecond(61_400);
    }
    assertThat(skew.aheadMs()).isEqualTo(61_400);
    assertThat(warnings)
        .singleElement()
        .asString()
        .startsWith("The clock of member 2, the leader, is 61 s ahead of that of this member, 0.");
  }

  @Test
  void shouldNameLeaderThatIsBehind() {
    skew.onLeader(LEADER);
    for (int second = 0; second <= 12; second++) {
      compareAfterSecond(-61_400);
    }
    assertThat(warnings).singleElement().asString().contains("is 61 s behind that of");
  }

  @Test
  void shouldNotWarnOfABriefDifference() {
    skew.onLeader(LEADER);
    for (int second = 0; second < 40; second++) {
      compareAfterSecond(second % 8 == 0 ? 100 : 61_000);
    }
    assertThat(warnings).isEmpty();
  }

  @Test
  void shouldWarnAgainOfAnotherLeader() {
    for (int leader = 1; leader <= 2; leader++) {
      skew.onLeader(leader);
      assertThat(skew.aheadMs()).isZero();
      for (int second = 0; second <= 12; second++) {
        compareAfterSecond(61_000);
      }
    }
    assertThat(warnings).hasSize(2);
  }

  @Test
  void shouldNotCompareLeaderWithItself() {
    skew.onLeader(0);
    for (int second = 0; second <= 12; second++) {
      compareAfterSecond(61_000);
    }
    assertThat(warnings).isEmpty();
    assertThat(skew.aheadMs()).isZero();
  }

  private void compareAfterSecond(long aheadMs) {
    nowNs += TimeUnit.SECONDS.toNanos(1);
    skew.compare(WALL_MS + aheadMs);
  }
}

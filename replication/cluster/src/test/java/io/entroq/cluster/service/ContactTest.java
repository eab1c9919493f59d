package io.entroq.cluster.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.aeron.cluster.ElectionState;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** When a member may show its state. */
class ContactTest {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final long TERM = 7;
  private static final long NO_TERM = -1;

  private final FakeCluster cluster = new FakeCluster();
  private long sessionTermId = TERM;
  private long nowNs = Long.MAX_VALUE - 1_000;
  private final Contact contact =
      new Contact(() -> sessionTermId, PATIENCE, cluster::counters, () -> nowNs);

  ContactTest() {
    contact.begin(cluster.cluster());
    cluster.follow(TERM);
  }

  @Test
  void shouldBeThereWithTheLeaderThatTheSessionIsWith() {
    assertThat(contact.follows()).isTrue();
    assertThat(contact.isThere()).isTrue();
    nowNs += PATIENCE.toNanos() * 100;
    assertThat(contact.isThere()).isTrue();
  }

  /** As a leader that is cut off: its session, with itself, is still of the term that was. */
  @ParameterizedTest
  @EnumSource(value = ElectionState.class, names = "CLOSED", mode = Mode.EXCLUDE)
  void shouldNotBeThereInAnElectionWhateverTheSessionSays(ElectionState state) {
    assertThat(contact.isThere()).isTrue();
    cluster.vote(state);
    assertThat(contact.follows()).isFalse();
    assertThat(contact.isThere()).isFalse();
    nowNs += PATIENCE.toNanos() / 2;
    assertThat(contact.isThere()).isFalse();
  }

  @Test
  void shouldWaitForTheSessionNoLongerThanItsPatience() {
    for (long elsewhere : new long[] {NO_TERM, TERM - 1}) {
      sessionTermId = elsewhere;
      assertThat(contact.isThere()).isTrue();
      nowNs += PATIENCE.toNanos() - 1;
      assertThat(contact.isThere()).isTrue();
      nowNs++;
      assertThat(contact.isThere()).isFalse();
      nowNs += PATIENCE.toNanos() * 100;
      assertThat(contact.isThere()).isFalse();
      sessionTermId = TERM;
      assertThat(contact.isThere()).isTrue();
    }
  }

  @Test
  void shouldHavePatienceAnewAfterAnElection() {
    sessionTermId = NO_TERM;
    assertThat(contact.isThere()).isTrue();
    nowNs += PATIENCE.toNanos() - 1;
    cluster.vote(ElectionState.CANVASS);
    assertThat(contact.isThere()).isFalse();
    nowNs += PATIENCE.toNanos();
    cluster.follow(TERM + 1);
    assertThat(contact.isThere()).isTrue();
    nowNs += PATIENCE.toNanos() - 1;
    assertThat(contact.isThere()).isTrue();
    nowNs++;
    assertThat(contact.isThere()).isFalse();
  }
}

package io.entroq.server.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class SeatTest {
  private final Seat seat = new Seat(new MemberPlace(1, 1, 2, 3));

  @Test
  void shouldKnowFromWhatItSaysWhatAMemberIsAt() {
    assertThat(seat.hasServed()).isFalse();
    seat.hear("Starting EntroQ server 1 -> /d, durability disk, member 1 of 3");
    assertThat(seat.hasServed()).isTrue();
    assertThat(seat.isReady()).isFalse();
    seat.hear("Member 1 follows member 0, term 3");
    assertThat(seat.isReady()).isTrue();
    assertThat(seat.isLeading()).isFalse();
    seat.hear("Member 1 looks for a leader");
    assertThat(seat.isReady()).isFalse();
    seat.hear("Member 1 leads, term 4");
    assertThat(seat.isLeading()).isTrue();
    assertThat(seat.term()).isEqualTo(4);
    seat.hear("anything else");
    assertThat(seat.isReady()).isTrue();
    seat.hear("Member 1 catches up with member 0, term 5");
    assertThat(seat.isReady()).isFalse();
    assertThat(seat.isLeading()).isFalse();
  }

  @Test
  void shouldWaitLongerEachTimeThatItEndsSoon() {
    long nowNs = 0;
    assertThat(seat.lose(nowNs)).isEqualTo(Duration.ofMillis(500));
    assertThat(seat.isDue(nowNs)).isFalse();
    assertThat(seat.isDue(nowNs + 500_000_000L)).isTrue();
    assertThat(seat.lose(nowNs)).isEqualTo(Duration.ofSeconds(1));
    for (int i = 0; i < 10; i++) {
      seat.lose(nowNs);
    }
    assertThat(seat.lose(nowNs)).isEqualTo(Duration.ofSeconds(30));
    nowNs += Duration.ofSeconds(31).toNanos();
    assertThat(seat.lose(nowNs)).isEqualTo(Duration.ofMillis(500));
  }
}

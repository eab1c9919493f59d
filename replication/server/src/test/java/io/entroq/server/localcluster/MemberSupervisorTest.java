package io.entroq.server.localcluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class MemberSupervisorTest {
  private final MemberSupervisor supervisor = new MemberSupervisor(new MemberPorts(1, 1, 2, 3));

  @Test
  void shouldReadTheStatusFromTheOutput() {
    assertThat(supervisor.hasServed()).isFalse();
    supervisor.onOutput("Starting EntroQ server 1 -> /d, durability disk, member 1 of 3");
    assertThat(supervisor.hasServed()).isTrue();
    assertThat(supervisor.isReady()).isFalse();
    supervisor.onOutput("Member 1 follows member 0, term 3");
    assertThat(supervisor.isReady()).isTrue();
    assertThat(supervisor.isLeading()).isFalse();
    supervisor.onOutput("Member 1 looks for a leader");
    assertThat(supervisor.isReady()).isFalse();
    supervisor.onOutput("Member 1 leads, term 4");
    assertThat(supervisor.isLeading()).isTrue();
    assertThat(supervisor.term()).isEqualTo(4);
    supervisor.onOutput("anything else");
    assertThat(supervisor.isReady()).isTrue();
    supervisor.onOutput("Member 1 catches up with member 0, term 5");
    assertThat(supervisor.isReady()).isFalse();
    assertThat(supervisor.isLeading()).isFalse();
  }

  @Test
  void shouldBackOffLongerAfterEachEarlyExit() {
    long nowNs = 0;
    assertThat(supervisor.onExit(nowNs)).isEqualTo(Duration.ofMillis(500));
    assertThat(supervisor.isDue(nowNs)).isFalse();
    assertThat(supervisor.isDue(nowNs + 500_000_000L)).isTrue();
    assertThat(supervisor.onExit(nowNs)).isEqualTo(Duration.ofSeconds(1));
    for (int i = 0; i < 10; i++) {
      supervisor.onExit(nowNs);
    }
    assertThat(supervisor.onExit(nowNs)).isEqualTo(Duration.ofSeconds(30));
    nowNs += Duration.ofSeconds(31).toNanos();
    assertThat(supervisor.onExit(nowNs)).isEqualTo(Duration.ofMillis(500));
  }
}

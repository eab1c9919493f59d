package io.entroq.cluster.member;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.EntroQ;
import io.entroq.api.Modification;
import io.entroq.api.QueueQuery;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Longer datagrams are for members that are on one machine, and for logs that began so. */
class DatagramsTest {
  private static final int TERM_BYTES = 16 << 20;

  @TempDir Path directory;

  @Test
  void shouldBeLongOnOneMachineAlone() {
    assertThat(bytes("127.0.0.1", "localhost", "127.0.0.2")).isEqualTo(8_192);
    assertThat(bytes("127.0.0.1", "localhost", "192.0.2.1")).isEqualTo(1_408);
    assertThat(bytes("127.0.0.1", "localhost", "x".repeat(300))).isEqualTo(1_408);
  }

  @Test
  void shouldBeNoLongerThanAMessage() {
    assertThat(Datagrams.bytes(List.of(MemberAddress.of("127.0.0.1", 9_000)), 1 << 15))
        .isEqualTo(1 << 12);
  }

  @Test
  void shouldGoOnWithALogAsItWasBegun() throws Exception {
    try (LoneMember lone = new LoneMember(directory)) {
      lone.start(settings -> settings.bootstrap(true).datagramBytes(Datagrams.NETWORK_BYTES));
      insert(lone.member().queue());
      lone.stop();

      lone.start().awaitLeader();
      insert(lone.member().queue());
      assertThat(lone.member().queue().queues(QueueQuery.all())).containsEntry("inbox", 2L);
    }
  }

  private static void insert(EntroQ queue) {
    queue.modify(Modification.insert("inbox", "x".repeat(4_000))).orThrow();
  }

  private static int bytes(String... hosts) {
    List<MemberAddress> members =
        List.of(hosts).stream().map(host -> MemberAddress.of(host, 9_000)).toList();
    return Datagrams.bytes(members, TERM_BYTES);
  }
}

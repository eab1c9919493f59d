package io.entroq.perf.peers.fanout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.perf.peers.EntroQPeer;
import io.entroq.perf.peers.kafka.KafkaGroups;
import io.entroq.perf.peers.kafka.KafkaPeer;
import io.entroq.perf.peers.peer.DurabilityClass;
import io.entroq.perf.peers.peer.Peer;
import io.entroq.perf.peers.peer.Server;
import io.entroq.perf.peers.peer.Topic;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FanOutTurnTest {
  private static final List<String> GROUPS = List.of("first", "second");

  @Test
  void shouldGiveEachGroupEveryMessage() throws Exception {
    HeapTopic topic = new HeapTopic(1);

    double rate = new FanOutTurn(topic, GROUPS, 1_000, 100, 16).deliveriesPerSecond();

    assertThat(rate).isPositive();
    assertThat(topic.committed).isEqualTo(Map.of("first", 1_000, "second", 1_000));
  }

  @Test
  void shouldFailIfAGroupGetsAMessageTwice() {
    FanOutTurn turn = new FanOutTurn(new HeapTopic(2), GROUPS, 200, 100, 16);

    assertThatThrownBy(turn::deliveriesPerSecond).hasMessageContaining("twice");
  }

  @Test
  void shouldMeasureEntroQ(@TempDir Path directory) throws Exception {
    assertThat(rate(new EntroQPeer(), DurabilityClass.MEMORY, directory)).isPositive();
  }

  @ParameterizedTest
  @EnumSource
  @Tag("long")
  void shouldMeasureKafka(KafkaGroups groups, @TempDir Path directory) throws Exception {
    assertThat(rate(new KafkaPeer("Kafka", groups, 1), DurabilityClass.OS, directory)).isPositive();
  }

  // Closing may be interrupted.
  @SuppressWarnings("try")
  private static double rate(Peer peer, DurabilityClass durability, Path directory)
      throws Exception {
    try (Server server = peer.start(durability, directory);
        Topic topic = server.createTopic("events", GROUPS)) {
      return new FanOutTurn(topic, GROUPS, 2_000, 100, 16).deliveriesPerSecond();
    }
  }

  /** Gives each group every message a number of times. */
  private static final class HeapTopic implements Topic {
    final Map<String, Integer> committed = new HashMap<>();
    private final List<BlockingQueue<byte[]>> queues = new ArrayList<>();
    private final int times;

    HeapTopic(int times) {
      this.times = times;
    }

    @Override
    public void send(List<byte[]> values) {
      for (BlockingQueue<byte[]> queue : queues) {
        for (int i = 0; i < times; i++) {
          queue.addAll(values);
        }
      }
    }

    @Override
    public Member join(String group) {
      BlockingQueue<byte[]> queue = new LinkedBlockingQueue<>();
      queues.add(queue);
      return new Member() {
        private int received;

        @Override
        public List<byte[]> receive(int limit) throws InterruptedException {
          List<byte[]> values = new ArrayList<>();
          byte[] first = queue.poll(1, TimeUnit.SECONDS);
          if (first != null) {
            values.add(first);
            queue.drainTo(values, limit - 1);
          }
          received = values.size();
          return values;
        }

        @Override
        public void commit() {
          synchronized (committed) {
            committed.merge(group, received, Integer::sum);
          }
        }

        @Override
        public void close() {}
      };
    }

    @Override
    public void close() {}
  }
}

package io.entroq.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.codec.message.Slice;
import io.entroq.codec.wire.log.Policy;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Inserts into topics and the lives of their copies make no objects. */
class TopicAllocationTest extends TopicTestBase {
  private static final int CYCLES = 10_000;
  private static final String[] GROUPS = {"a", "b", "c"};

  private final Slice[] queues = new Slice[GROUPS.length];
  private final ReusedCommands commands = new ReusedCommands(machine);

  @Test
  void shouldMakeNoObjects() {
    apply(
        modify(ANN)
            .addPolicyPuts(topic("T", GROUPS))
            .addPolicyPuts(Policy.newBuilder().setName("T/b").setTasksMax(10).setTtlMs(60_000)));
    for (int i = 0; i < queues.length; i++) {
      queues[i] = new Slice(("T/" + GROUPS[i]).getBytes(StandardCharsets.UTF_8));
    }
    commands.data.queue().wrap("T".getBytes(StandardCharsets.UTF_8));
    commands.data.valueKind(1).value().wrap(new byte[1_024]);
    run();
    int claims = commands.claims();
    long bytes = ReusedCommands.allocatedBytes(this::run);
    assertThat((double) bytes / CYCLES).as("bytes per cycle").isLessThan(1);
    assertThat(commands.claims() - claims).isEqualTo(CYCLES * GROUPS.length);
    assertThat(machine.taskCount()).isZero();
  }

  private void run() {
    for (int i = 0; i < CYCLES; i++) {
      nowMs++;
      commands.insert(nowMs);
      for (Slice queue : queues) {
        commands.claim(queue, nowMs);
        commands.deleteClaimed(queue, nowMs);
      }
    }
  }
}

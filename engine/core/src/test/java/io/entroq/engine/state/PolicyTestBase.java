package io.entroq.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import io.entroq.codec.wire.log.Genesis;
import io.entroq.engine.task.Holds;
import java.nio.charset.StandardCharsets;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A state machine at the behavior level of policies. */
abstract class PolicyTestBase extends StateTestBase {
  private final TestLevel supported = TestLevel.support();

  @Override
  @BeforeEach
  void begin() {
    apply(genesis());
  }

  static Genesis genesis() {
    return Genesis.newBuilder().setLogIdHigh(1).setSeed(7).setLevel(Levels.POLICIES).build();
  }

  @AfterEach
  void endSupport() {
    supported.close();
  }

  /** Tasks of a queue that are in flight; 0 if there is no such queue. */
  final int inFlight(String queue) {
    int slot = queue(machine, queue);
    return slot < 0 ? 0 : machine.stores.queues.inFlight(slot);
  }

  final boolean isInFlight(long id) {
    return Holds.isInFlight(hold(id));
  }

  /** One of {@link Holds}. */
  final int hold(long id) {
    return machine.stores.tasks.hold(machine.stores.tasks.find(0, id));
  }

  /** The slot of a queue, or -1. */
  static int queue(StateMachine of, String name) {
    byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
    return of.stores.queues.find(new UnsafeBuffer(bytes), 0, bytes.length);
  }

  /** A copy of the machine by way of an image. */
  final StateMachine reloaded() {
    StateLoader loader = new StateLoader(new StateMachineConfig(1, 1, 1));
    machine.freeze().writeTo(loader);
    machine.thaw();
    StateMachine loaded = loader.finish();
    assertSame(loaded);
    return loaded;
  }

  /** Applies a command to the machine and to a copy, which must stay equal. */
  final void applyToBoth(StateMachine copy, Message command) {
    apply(command);
    applyTo(copy, lastCommand);
    assertSame(copy);
  }

  final void assertSame(StateMachine copy) {
    assertThat(copy.sequence()).isEqualTo(machine.sequence());
    assertThat(copy.historyDigest()).isEqualTo(machine.historyDigest());
    assertThat(copy.contentDigest()).isEqualTo(machine.contentDigest());
    assertThat(copy.recomputeContentDigest()).isEqualTo(machine.contentDigest());
    assertThat(copy.nextDeadlineMs()).isEqualTo(machine.nextDeadlineMs());
  }
}
